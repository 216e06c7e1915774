// The data, state and elements of the Pointer page's stage; not part of any bundle.

import type { Pen, Step, TraceSettings } from "../../../attn_core/web/player/core/types.d.ts";
import type { StepsUi } from "../../../attn_core/web/player/dom/types.d.ts";

/** A point, or one number. */
export type Input = number[];
export type Numbers = number[] | Float64Array;

/** A matrix or a vector of the network. */
export interface Weights {
  rows: number;
  columns: number;
  data: Float64Array;
}

export type Net = Record<string, Weights>;

/** A network as sent by the page: shapes, and all numbers as float16 in base64. */
export interface Packed {
  shapes: Record<string, number[]>;
  half: string;
}

/** The state of an LSTM. */
export interface Carry {
  h: Float64Array;
  c: Float64Array;
}

/** `place`: the chosen position; 0 is the end, the inputs are 1 to n. */
export interface Choice {
  scores: number[];
  weights: number[];
  place: number;
}

export interface Task {
  answer(inputs: Input[]): number[];
  right(gold: number[], said: number[]): boolean;
}

export type Problem = "hull" | "sort";

export interface PointerTrace {
  settings: TraceSettings & { constraint: string; inputs: Input[]; pointed: number[] };
  steps: Step[];
}

/** A plain attention model's output for the same inputs; `longest`: the number of positions it has words for. */
export interface Beside {
  model: string;
  longest: number;
  pointed: number[] | null;
}

export interface PointerData {
  problem: Problem;
  least: number;
  most: number;
  trained: [shortest: number, longest: number];
  constraint: string;
  inputs: Input[];
  weights: Packed;
  trace: PointerTrace | null;
  beside: Beside | null;
}

export interface PointerHooks {
  onAsk(asked: { inputs: Input[]; asked: number }): void;
}

export interface PointerStage {
  update(data: PointerData, hooks: PointerHooks): void;
  destroy(): void;
}

export interface PointerState {
  inputs: Input[];
  constraint: string;
  step: number;
  chosen: number | null;
}

/** `decoded`: by the model itself; `apart`: the largest difference of this module's own computation from it. */
export interface Chosen {
  steps: Choice[];
  decoded: boolean;
  apart: number;
}

export interface PointerUi extends StepsUi {
  root: HTMLElement;
  frame: HTMLElement;
  canvas: HTMLCanvasElement;
  square: HTMLElement;
  truth: HTMLInputElement;
  random: [n: number, button: HTMLButtonElement][];
  add: HTMLButtonElement;
  remove: HTMLButtonElement;
  clear: HTMLButtonElement;
  shuffle: HTMLButtonElement;
  verdict: HTMLElement;
  why: HTMLElement;
  badge: HTMLElement;
  note: HTMLElement;
  beside: HTMLElement;
  words: HTMLElement;
  bars: HTMLElement;
  barsTitle: HTMLElement;
  map: HTMLCanvasElement;
  mapBox: HTMLElement;
  table: HTMLDetailsElement;
  tableBody: HTMLElement;
  rowAt(y: number): number;
}

export interface PointerPen extends Pen {
  u: number;
}

export type Spot = [x: number, y: number];

export interface PointingView {
  inputs: Input[];
  weights: number[];
  step: number;
  places: number[];
  answer: number[] | null;
}

/** The geometry of the map of all steps. */
export interface MapGeometry {
  names: string[];
  left: number;
  top: number;
  row: number;
  cell: number;
}

export interface LineStyle {
  color: string;
  width: number;
  alpha?: number;
  dash?: number[];
  closed?: boolean;
}
