// What the Window lab's stages are sent and keep. Nothing of this is in a bundle.

import type { Row, Span, Trace } from "../../../attn_core/web/player/core/types.d.ts";
import type { Kept } from "../kit/types.d.ts";

/** A window as a hand holds it; `rule`: "floor" or "real". */
export interface Hand {
  center: number;
  halfWidth: number;
  sigma: number;
  rule: string;
}

/** What one treatment of the Gaussian makes of a step: its weights, their sum, and the length of the context. */
export interface Way {
  mode: string;
  weights: number[];
  kept: number;
  length: number;
}

export interface Treated {
  span: Span | null;
  gaussian: number[];
  alignment: number[];
  ways: Way[];
}

/** What the model itself had at a step; `stand`: what stands in for it, where it had nothing. */
export interface Own {
  center: number;
  halfWidth: number;
  rule: string;
  stand: boolean;
}

export interface ByHandData {
  trace: Trace;
  gram: number[][];
  modes: string[];
  step?: number;
  address?: Kept;
}

/** What the hand holds; null: as the model had it (center), D / 2 (sigma). */
export interface ByHandState {
  step: number;
  center: number | null;
  halfWidth: number | null;
  sigma: number | null;
  rule: string | null;
  hover: ColumnSpot | null;
}

export interface ColumnSpot {
  column: number;
  x: number;
  y: number;
}

export interface ByHandView {
  row: Row;
  own: Own;
  hand: Hand;
  look: Treated;
  moved: boolean;
}

export type GripName = "center" | "lo" | "hi" | "sigma";
export type KnobName = "center" | "halfWidth" | "sigma";

export interface ByHandActs {
  jump(step: number): void;
  center(p: number): void;
  halfWidth(d: number): void;
  sigma(width: number): void;
  rule(rule: string): void;
  link(): void;
  again(): void;
  hover(spot: ColumnSpot | null): void;
  settled(): void;
}

export interface WindowUi {
  root: HTMLElement;
  frame: HTMLElement;
  words: HTMLElement;
  back: HTMLButtonElement;
  forward: HTMLButtonElement;
  count: HTMLElement;
  note: HTMLElement;
  gutter: HTMLCanvasElement;
  bars: HTMLCanvasElement;
  grips: Record<GripName, HTMLElement>;
  plot: HTMLElement;
  scroll: HTMLElement;
  plots: HTMLElement;
  tip: HTMLElement;
  stage: HTMLElement;
  table: HTMLDetailsElement;
  tableBody: HTMLElement;
  live: HTMLElement;
  knobs: Record<KnobName, HTMLInputElement>;
  values: Record<KnobName, HTMLElement>;
  link: HTMLButtonElement;
  again: HTMLButtonElement;
  rule: HTMLElement;
  ways: HTMLElement;
  slots: HTMLElement;
  clipped: HTMLElement;
  disputed: HTMLElement;
}

export interface ReachData {
  source: string[];
  target: string[];
  needed: { source: number; target: number };
  runs: { model: string; label: string; said: string; trace: Trace }[];
}

/** One model's attention at a step; `everywhere`: a softmax over all words; `outside`: its share outside of the window. */
export interface Reached extends Row {
  everywhere: number[];
  outside: number;
  seen: boolean;
  local: boolean;
  halfWidth: number | null | undefined;
}

export interface ReachUi {
  root: HTMLElement;
  frame: HTMLElement;
  words: HTMLElement;
  gutter: HTMLCanvasElement;
  bars: HTMLCanvasElement;
  plot: HTMLElement;
  scroll: HTMLElement;
  plots: HTMLElement;
  side: HTMLElement;
}
