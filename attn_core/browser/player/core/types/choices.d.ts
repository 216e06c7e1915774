// What a reader chooses to see and sets, and the player for its host.

import type { Trace } from "./trace.d.ts";
import type { How as EngineHow, ModelJSON, Request, WindowFacts } from "../../../engine/types.d.ts";

/** The window to decode with, and whether words and states are kept: a part of the engine's Request. */
export type How = Omit<EngineHow, "change"> & Pick<Request, "keep_states">;

/**
 * A window as set by the sliders: its live settings by name (null: the window's own default), and p_t by step where it
 * is set by hand. `keep`: words and states stay those of the trained model.
 */
export interface Settings {
  window: string | null;
  live: Record<string, number | null>;
  centers: Record<number, number> | null;
  keep: boolean;
}

/** A window that a reader has chosen, without what it keeps; null: the trained one. */
export type WindowChoice = Omit<Settings, "keep">;

/**
 * A number that was clicked: the next word of a rank, or the number of a row of bars at a source position (null: that
 * of the largest weight); `row`: the step of a cell of the heatmap.
 */
export type Clicked = { rank: number } | { key: string; position: number | null; row: number | null };

/**
 * A weight of the current step that was set by hand, as a share of a full bar; null: the word at the source `position`
 * gets all the weight, or the words at `positions`, over which a drag has passed, share it. `phase`: of the drag.
 */
export interface Painted {
  position: number;
  weight: number | null;
  positions?: number[];
  phase: "start" | "move" | "end";
}

/** What a reader chooses to see of a trace. `headIndex`: the index of a head, null for the mean over all. */
export interface Choices {
  headIndex: number | null;
  heat: "weights" | "alignment";
  eos: boolean;
  step: number;
}

/**
 * A head by its layer and head, both from 0; or the mean over all heads, without a layer; or none, for the clearest
 * one.
 */
export interface HeadChoice {
  layer: number | null;
  head: number | "mean" | null;
}

/** What a page shows of a trace. */
export interface StepAndHead extends HeadChoice {
  step: number;
}

export interface Options extends Partial<HeadChoice> {
  theme?: string;
  step?: number | null;
  /** What is known of windows: those that the sliders can set or, for a recording, those in it. */
  windows?: Record<string, WindowFacts>;
  /** The names of attention types in menus. */
  types?: Record<string, string>;
  /** What is known of the model's quantities, whose vectors the trace has. */
  graphs?: Pick<ModelJSON, "quantities" | "diagrams">;
  /** Whether the attention weights can be set by hand: see Painted. */
  paint?: boolean;
  /** What to write under the source words, by the words joined with spaces. */
  glosses?: Record<string, string[]>;
  /** How much there is: what explains a step, or all controls (the usual one). */
  level?: "story" | "workbench";
  /** Whether the heatmap is shown: not where the page has it already. That of a single head is always shown. */
  map?: boolean;
}

/** The player of a recording, for its host. */
export interface Player {
  update(trace: Trace, options?: Options): void;
  destroy(): void;
}
