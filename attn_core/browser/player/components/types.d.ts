// What the player's components share. Not part of a bundle.

import type { ComponentChildren } from "../../vendor/preact.js";
import type { Clicked, HeadChoice, Options, Painted, Settings, Trace, WindowChoice } from "../core/types.d.ts";

/** What a reader does in the player. */
export type PlayerAction =
  | { type: "step chosen"; step: number }
  | ({ type: "head chosen" } & HeadChoice)
  | ({ type: "window set" } & WindowChoice)
  | { type: "states kept"; keep: boolean }
  | ({ type: "number opened" } & Clicked)
  | ({ type: "weights painted" } & Painted)
  | { type: "lecture set"; presented: boolean }
  | { type: "pieces chosen"; byPieces: boolean };

/** A view of the translation. `opens`: it is chosen as soon as it is there; `presents`: in lecture layout, too. */
export interface Panel {
  name: string;
  title: string;
  content: ComponentChildren;
  opens?: boolean;
  presents?: boolean;
}

export interface PlayerProps
  extends HeadChoice, Pick<Options, "windows" | "types" | "glosses" | "paint" | "map" | "graphs" | "level"> {
  /** With tokens as in the vocabulary. */
  trace: Trace;
  step: number;
  /** The settings of the sliders; null: those that the trace was decoded with. */
  sliderSettings: Settings | null;
  /** Whether the window can be set: a recording has no sliders. */
  hasSliders: boolean;
  /** Whether words and states can be kept while the window changes. */
  canKeepStates: boolean;
  theme?: string;
  /** Whether the heatmap has rows and columns for word pieces, where words are of several. */
  byPieces?: boolean;
  /** Whether it is in lecture layout. */
  presented?: boolean;
  /** Whether the page around it has a lecture layout, and so handles its keys and full screen. */
  followsPage?: boolean;
  /** What the tooltip says of clicks, where numbers can be opened. */
  numbersHint?: string;
  /** Stands between the playback and the step. */
  between?: ComponentChildren;
  /** Other views of the translation, each a tab beside the heatmap. */
  panels?: Panel[];
  dispatch(action: PlayerAction): void;
}
