// Types of the comparison of models. Not part of any bundle.

import type { TraceJSON } from "../../../attn_core/browser/engine/types.d.ts";
import type { Row } from "../../../attn_core/browser/player/core/types.d.ts";
import type { Action } from "../../../attn_core/browser/state/types.d.ts";

/** The steps of two translations that stand side by side; null: only the other one has a word there. */
export type Pair = [one: number | null, other: number | null];

/** A setting in which two translations differ, with its value in each. */
export interface Apart {
  label: string;
  one: string;
  other: string;
}

/** The word beside a row; `differs`: another translation does not have it. */
export interface Label {
  text: string;
  differs: boolean;
}

/** A translation row by row; null where it has no word. `name` is what it is called aloud. */
export interface Side extends Pick<TraceJSON, "source" | "target" | "unknown"> {
  name: string;
  title: string;
  rows: (Row | null)[];
  labels: (Label | null)[];
}

/** What a row of a map of differences shows: by position, and the share of the attention that moved. */
export interface Difference {
  by: number[];
  share: number;
}

/**
 * What a comparison shows. `differences` is null where there are none to show, a row of it where the words differ;
 * `steps` are those of the translation in the player at which the words of the rows begin, null where it has none;
 * `legend` explains the maps; `hasPieces`: some words are of several pieces.
 */
export interface BoardsData {
  sides: Side[];
  differences: (Difference | null)[] | null;
  steps: (number | null)[];
  summary: string;
  legend: string;
  hasPieces: boolean;
}

/**
 * What a view can be compared with, in the list: the models under the headings of their groups ("": none), then the
 * races (null).
 */
export interface ComparisonOption {
  value: string;
  text: string;
  group: string | null;
  chosen: boolean;
  action: Extract<Action, { type: "comparison begun" | "race begun" }>;
}

/** A comparison; `apart` is a sentence on the settings that differ, `apartTitle` has all that no axis stands for. */
export interface Compared {
  boards: BoardsData | null;
  apart: string;
  apartTitle: string;
  options: ComparisonOption[];
}
