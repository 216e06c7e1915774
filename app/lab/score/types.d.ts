// The data, state and elements of the Score lab's stages; not part of any bundle.

import type { Paint } from "../../../attn_core/web/player/core/types.d.ts";

export type Vector = number[];
export type Matrix = number[][];
export type Parameters = { W_a?: Matrix; U_a?: Matrix; v_a?: Vector };
export type ScoreFunction = (query: Vector, keys: Vector[], parameters: any) => number[];

export interface Additive {
  W_a: Matrix;
  U_a: Matrix;
  v_a: Vector;
}

/** The parameters of each score function that has its own. */
export interface AllParameters {
  general: { W_a: Matrix };
  additive: Additive;
  location: { W_a: Matrix };
  [name: string]: Parameters;
}

export interface ScoreLine {
  name: string;
  label: string;
  latex: string;
}

export interface Start {
  query: Vector;
  keys: Vector[];
  values: Vector[];
  parameters: AllParameters;
}

export interface VectorsData {
  functions: ScoreLine[];
  start: Start;
}

/** `apart`: values differ from keys; `draws`: how often each key was drawn; `drawn`: the last one. */
export interface VectorsState extends Start {
  score: string;
  attention_type: string;
  apart: boolean;
  chosen: number;
  draws: number[];
  drawn: number | null;
}

export interface SeenRow {
  scores: number[];
  weights: number[];
  entropy: number;
}

/** Everything shown for a state; `taken`: the value that hard attention uses. */
export interface Seen {
  rows: Record<string, SeenRow>;
  values: Vector[];
  taken: number | null;
  total: number;
  context: Vector;
  soft: Vector;
  mean: Vector | null;
}

export interface BoardActs {
  select(name: string): void;
  choose(s: number): void;
  parameter(name: string, key: "W_a" | "U_a" | "v_a", path: number[], value: number): void;
}

export interface BoardLine {
  root: HTMLElement;
  radio: HTMLInputElement;
  cells: { root: HTMLElement; weight: HTMLElement; score: HTMLElement }[];
  entropy: HTMLElement;
  meter: HTMLElement;
}

export interface Board {
  root: HTMLElement;
  lines: Record<string, BoardLine>;
  acts: BoardActs;
}

/** A part of the details, filled again at every change. */
export interface DetailPart {
  root: HTMLElement;
  fill(state: VectorsState): void;
}

export interface Detail {
  root: HTMLElement;
  title: HTMLElement;
  body: HTMLElement;
  shown?: string;
  parts: DetailPart[];
  acts: BoardActs;
}

export interface Grip {
  kind: "query" | "keys" | "values";
  s: number;
  name: string;
  button: HTMLButtonElement;
}

export interface VectorsUi {
  root: HTMLElement;
  frame: HTMLElement;
  canvas: HTMLCanvasElement;
  square: HTMLElement;
  grips: Grip[];
  shade: HTMLElement;
  types: HTMLElement;
  apart: HTMLInputElement;
  again: HTMLButtonElement;
  hundred: HTMLButtonElement;
  reset: HTMLButtonElement;
  readText: HTMLElement;
  board: Board;
  detail: Detail;
  live: HTMLElement;
}

export interface PlanePen extends Paint {
  ctx: CanvasRenderingContext2D;
  theme: string;
  u: number;
  field?: HTMLCanvasElement;
}

/** What is drawn in the plane; `share`: each value's share of the context vector. */
export interface PlaneView {
  query: Vector;
  keys: Vector[];
  values: Vector[];
  weights: number[];
  share: number[];
  apart: boolean;
  taken: number | null;
  chosen: number;
  context: Vector;
  mean: Vector | null;
  scoreAt: ((point: Vector) => number) | null;
}

export interface SizesRow {
  scores: number[][];
  spread: number[];
  entropy: number[];
}

export interface SizesData {
  sizes: number[];
  keys: number;
  draws: number;
  dot: SizesRow;
  scaled_dot: SizesRow;
}

export interface SizesUi {
  root: HTMLElement;
  frame: HTMLElement;
  slider: HTMLInputElement;
  value: HTMLElement;
  panels: Record<string, { canvas: HTMLCanvasElement; text: HTMLElement }>;
  curves: HTMLCanvasElement;
}

export interface SizesPen extends Paint {
  ctx: CanvasRenderingContext2D;
  width: number;
  u: number;
}
