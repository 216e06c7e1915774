// The data, state and elements of the Pointer page's stage; not part of any bundle.

import type { Constraint, PointerNet } from "../../../attn_core/browser/engine/pointer.js";
import type { Tensor } from "../../../attn_core/browser/engine/types.d.ts";
import type { Pen } from "../../../attn_core/browser/player/core/types.d.ts";

/** A point, or one number. */
export type Input = number[];

/** `place`: the chosen position; 0 is the end, the inputs are 1 to n. */
export interface Choice {
  scores: number[];
  weights: number[];
  place: number;
  /** Of the quantities that were asked for. */
  vectors?: Record<string, Tensor[]>;
}

export interface Task {
  answer(inputs: Input[]): number[];
  right(gold: number[], output: number[]): boolean;
}

export type Problem = "hull" | "sort";

/** A plain attention model of the same problem; `longest`: the number of positions it has words for. */
export interface Beside {
  model: string;
  longest: number;
  net: PointerNet;
}

export interface PointerData {
  problem: Problem;
  least: number;
  most: number;
  trained: [shortest: number, longest: number];
  constraint: Constraint;
  inputs: Input[];
  net: PointerNet;
  beside: Beside | null;
}

/** A problem with its networks, as the page sends it; `start`: the inputs that it opens with. */
export interface ProblemData {
  problem: Problem;
  title: string;
  model: string;
  plain: string | null;
  longest: number | null;
  least: number;
  trained: [shortest: number, longest: number];
  start: Input[];
}

/** What the page sends. */
export interface PointingData {
  problems: ProblemData[];
  /** The constraints on what may be chosen, and their labels; the first one is the default. */
  rules: [Constraint, string][];
  most: number;
  addresses: Record<string, { record: string; weights: string }>;
}

export interface PointerStage {
  constrain(constraint: Constraint): void;
  update(): void;
  destroy(): void;
}

export interface PointerState {
  inputs: Input[];
  constraint: Constraint;
  step: number;
  chosen: number | null;
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
