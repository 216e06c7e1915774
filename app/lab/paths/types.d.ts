// What the Paths page sends to its stage, and its elements. Nothing of this is in a bundle.

import type { Kept } from "../kit/types.d.ts";

export interface PathNode {
  id: string;
  symbol: string;
  name: string;
  equation: string;
  shape: (number | string)[];
  given: boolean;
}

export type Edge = [from: string, to: string];

/** A step as a graph; `instead`: the other state, which could be tried as the query. */
export interface Graph {
  nodes: PathNode[];
  edges: Edge[];
  query: string;
  instead: string;
  order: string;
}

/** What the page shows of two translations; `pairs` are those of the traces. */
export interface FormsData extends PathsData {
  bare: Path | null;
  address: Kept;
}

/** Numbers by node: a vector, or one number. */
export type Values = Record<string, number[] | number | undefined>;

export interface PathStep {
  token: string;
  before: string | null;
  top: [word: string, logProb: number][];
  values: Values;
}

/** `bare`: no model here computes it, so there are shapes and no values. */
export interface Path extends Graph {
  title: string;
  model: string;
  source: string[];
  ask: string;
  bare: boolean;
  steps: PathStep[];
}

/** The source word with a step's largest weight, and the other path's step for it; null: there is none. */
export interface Partner {
  word: string;
  step: number | null;
}

/** A step, and the diagram in which it was chosen. */
export interface ChosenStep {
  which: number;
  step: number;
}

export interface PathsData {
  /** The step that the reader went to last; without it, `step` of the first diagram. */
  at?: ChosenStep | null;
  paths: Path[];
  pairs?: (Partner | null)[][];
  step?: number;
  address?: Kept;
}

/** The contents of a box. */
export interface Contents {
  strip: number[] | null;
  text?: string;
  lines?: [word: string, probability: string][];
  shaded?: [word: string, weight: number | null][];
  bars?: boolean;
  large?: boolean;
  window?: boolean;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Gap {
  x: number;
  y: number;
}

/** `down`: time runs down instead of to the right. */
export interface Grid {
  boxes: Record<string, Box>;
  height: number;
  down: boolean;
  gap: Gap;
}

export type Spot = [x: number, y: number];
