// The data of the Explorer in the dashboard and on the site, and what its parts share. Not part of any bundle.

import type { ReadonlySignal } from "../../attn_core/browser/vendor/signals-core.js";
import type { TraceJSON, WindowFacts } from "../../attn_core/browser/engine/types.d.ts";
import type { Axis, Offered } from "../../attn_core/browser/hosts/types.d.ts";
import type { StepAndHead } from "../../attn_core/browser/player/core/types.d.ts";
import type { Act, State } from "../../attn_core/browser/state/types.d.ts";
import type { Notes } from "../shell/types.d.ts";

/** The addresses of a model's files. */
export interface Addresses {
  record: string;
  weights: string;
}

/** A model as modelsOf() returns it. */
export type OfferedHere = Omit<Required<Offered>, "load" | "joined"> & Pick<Offered, "load" | "joined">;

/**
 * What several models have in common: `note` is a warning, `tested` says what the scores were measured on, and `setup`
 * has the values of Page.setups, null where a model has none.
 */
export type Shared = Pick<OfferedHere, "group" | "label" | "languages" | "measured"> & {
  note: string;
  tested: string;
  setup: (string | null)[];
};

/** record() in record.py. */
export interface Page {
  title: string;
  about: string;
  notes: Notes;
  /** Of the addresses of other pages. */
  ending: string;
  trace: TraceJSON;
  /** The step of the trace that a newcomer sees first. */
  step: number;
  text: string;
  /** By languages, such as "de-en". */
  examples: Record<string, string[]>;
  /** By the tokens of a sentence, joined with spaces, and by language: a gloss of each token. */
  glosses: Record<string, Record<string, string[]>>;
  /** The address of all of them, where the page holds only those of its first sentence. */
  allGlosses?: string;
  axes: Axis[];
  /** The names of the axes on which models have values. */
  points: string[];
  /** The settings that differ between the models, in words. */
  setups: string[];
  /** `point` are the values of `points`; the fields of Shared are indices into `shared`. */
  models: (Pick<OfferedHere, "name" | "joined"> &
    Record<keyof Shared, number> & { point: (string | null)[]; scores: string; files: Addresses | null })[];
  shared: { [name in keyof Shared]: Shared[name][] };
  /** The models whose attention during training the Training page shows. */
  recorded: string[];
  /** The groups of equations: their axis and title. */
  equations: [axis: string, title: string][];
  /** What is known of the windows and attention types that exist; see attn_core/export/facts.py. */
  windows: Record<string, WindowFacts>;
  types: Record<string, string>;
}

/** The translation on show, for downloads. */
export interface ShownTranslation extends StepAndHead {
  text: string;
  model: string;
  trace: TraceJSON;
  /** Whether the heatmap joins word pieces. */
  byWords: boolean;
}

/**
 * The translation from which the server makes a file; see downloads.py. `address`: of the view, or "" if others cannot
 * reach it.
 */
export interface Download extends ShownTranslation {
  address?: string;
}

/** A file that a reader can download. */
export interface FileKind {
  /** Of its button. */
  label: string;
  title: (model: string) => string;
  /** Whether a model without attention has no such file. */
  needsAttention?: boolean;
  /** Saves the file; `stem` is its name without an ending. */
  download: (translation: ShownTranslation, stem: string) => void | Promise<void>;
}

/** A reader's act. The Explorer completes those of the tour and the comparison before it dispatches them. */
export type PageAct =
  Act | { type: "tour stop chosen"; stop: number; change?: Record<string, string> } | { type: "comparison begun" };

export interface Store {
  state: ReadonlySignal<State>;
  dispatch(act: Act): void;
}
