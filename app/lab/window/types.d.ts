// The data, state and elements of the Window lab's stages; not part of any bundle.

import type { PointedColumn, Row, Span, Trace } from "../../../attn_core/browser/player/core/types.d.ts";
import type { Kept } from "../kit/types.d.ts";

/** An adjustable window; `rule`: "floor" or "real". */
export interface AdjustedWindow {
  center: number;
  halfWidth: number;
  sigma: number;
  rule: string;
}

/** One treatment of the Gaussian: its weights, their sum, and the length of the context vector. */
export interface Treatment {
  mode: string;
  weights: number[];
  massKept: number;
  length: number;
}

/** A step's attention in the adjusted window, by each treatment of the Gaussian. */
export interface AdjustedAttention {
  span: Span | null;
  gaussian: number[];
  alignment: number[];
  treatments: Treatment[];
}

/** The model's own window at a step; `isReplacement`: it has none, and this one is a replacement. */
export interface ModelWindow {
  center: number;
  halfWidth: number;
  rule: string;
  isReplacement: boolean;
}

export interface WindowData {
  trace: Trace;
  gram: number[][];
  modes: string[];
  step?: number;
  address?: Kept;
}

/** The settings of the reader; null: those of the model, and D / 2 for sigma. */
export interface WindowState {
  step: number;
  center: number | null;
  halfWidth: number | null;
  sigma: number | null;
  rule: string | null;
  hover: ColumnSpot | null;
}

/** The column of a word, and where its numbers are shown. */
export interface ColumnSpot extends PointedColumn {
  column: number;
}

/** What the lab shows of its state. */
export interface WindowView {
  row: Row;
  modelWindow: ModelWindow;
  adjusted: AdjustedWindow;
  attention: AdjustedAttention;
  /** Whether p_t is the reader's. */
  isMoved: boolean;
}

export type HandleName = "center" | "lo" | "hi" | "sigma";
export type SliderName = "center" | "halfWidth" | "sigma";

export interface ReachData {
  source: string[];
  target: string[];
  needed: { source: number; target: number };
  runs: { model: string; label: string; said: string; trace: Trace }[];
}

/**
 * One model's attention at a step; `everywhere`: a softmax over all words; `outside`: its weight outside the window.
 */
export interface Reached extends Row {
  everywhere: number[];
  outside: number;
  seen: boolean;
  local: boolean;
  halfWidth: number | null | undefined;
}
