// The data, state and elements of the Score lab's stages; not part of any bundle.

import type { Numbers, ScoreJSON } from "../../../attn_core/browser/engine/types.d.ts";
import type { ScoreFunction } from "../../../attn_core/browser/engine/score.js";
import type { Paint } from "../../../attn_core/browser/player/core/types.d.ts";

export type Vector = number[];

/** Of a score function, by their names in the module. */
export type Parameters = Record<string, Numbers>;

/** By score function, of those that have their own. */
export type AllParameters = Record<string, Parameters>;

/** See data.py. `joined`: for each parameter the parameters of other score functions that it has side by side. */
export interface ScoreFacts {
  name: string;
  latex: string;
  compares: boolean;
  document: ScoreJSON;
  joined: Record<string, [score: string, parameter: string][]> | null;
}

export interface Words {
  label: string;
  about: string;
}

/** A score function that cannot be shown. */
export interface Unshown {
  name: string;
  problem: string;
}

export interface Start {
  query: Vector;
  keys: Vector[];
  values: Vector[];
}

export interface ScoreLabData {
  functions: (ScoreFacts | Unshown)[];
  words: Record<string, Words>;
  start: Start;
}

/** A score function that the engine has opened. */
export type RunnableScore = ScoreFacts & Words & { engine: ScoreFunction };

/** `apart`: values differ from keys; `draws`: how often each key was drawn; `drawn`: the last one. */
export interface ScoreLabState extends Start {
  parameters: AllParameters;
  score: string;
  attention_type: string;
  apart: boolean;
  chosen: number;
  draws: number[];
  drawn: number | null;
}

export interface ScoreRow {
  scores: number[];
  weights: number[];
  entropy: number;
}

/** The numbers of a state; `taken`: the position of the value that hard attention uses. */
export interface Results {
  rows: Record<string, ScoreRow>;
  values: Vector[];
  taken: number | null;
  total: number;
  context: Vector;
  soft: Vector;
  mean: Vector | null;
}

export interface ScoreTable {
  root: HTMLElement;
  lines: Record<
    string,
    {
      root: HTMLElement;
      radio: HTMLInputElement;
      cells: { root: HTMLElement; weight: HTMLElement; score: HTMLElement }[];
      entropy: HTMLElement;
      meter: HTMLElement;
    }
  >;
}

/** Of one number of a parameter. */
export interface NumberField {
  root: HTMLElement;
  fill(value: number): void;
}

export interface ParameterFields {
  root: HTMLElement;
  fill(values: Numbers): void;
}

/** `shown`: the name of the score function whose `fields` these are. */
export interface ScoreDetail {
  root: HTMLElement;
  title: HTMLElement;
  parameters: HTMLElement;
  sum: HTMLElement;
  parts: HTMLElement;
  shown: string;
  fields: Record<string, ParameterFields>;
}

export interface Handle {
  kind: "query" | "keys" | "values";
  s: number;
  name: string;
  button: HTMLButtonElement;
}

export interface ScoreLabUi {
  root: HTMLElement;
  frame: HTMLElement;
  canvas: HTMLCanvasElement;
  square: HTMLElement;
  handles: Handle[];
  shade: HTMLElement;
  types: HTMLElement;
  apart: HTMLInputElement;
  drawOne: HTMLButtonElement;
  drawHundred: HTMLButtonElement;
  reset: HTMLButtonElement;
  context: HTMLElement;
  detail: ScoreDetail;
  live: HTMLElement;
}

export interface PlanePen extends Paint {
  ctx: CanvasRenderingContext2D;
  theme: string;
  u: number;
  field?: HTMLCanvasElement;
}

/**
 * What is drawn in the plane; `share`: each value's share of the context vector; `field`: the scores of the keys of
 * GRID.
 */
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
  field: number[] | null;
}

export interface SizesRow {
  scores: number[][];
  spread: number[];
  entropy: number[];
}

/** See sizes/saturation.py. */
export interface SizesData {
  sizes: number[];
  keys: number;
  draws: number;
  rows: Record<string, SizesRow>;
  words: Record<string, Words>;
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
  height: number;
  u: number;
}
