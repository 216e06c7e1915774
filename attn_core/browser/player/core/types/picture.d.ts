// What is drawn, and with which colours.

import type { Row, Word } from "./trace.d.ts";
import type { Settings } from "./choices.d.ts";

export type Theme = "light" | "dark";

export type RGB = [red: number, green: number, blue: number];

/** 256 CSS colours, the text colour for each, and all of them as a gradient. */
export interface Heat {
  fill: string[];
  ink: string[];
  stops: string;
}

/** A row, and the bars of rows with other keys, such as those of the Window lab. */
export interface Picture extends Row {
  others?: Record<string, number[]>;
  /** The row that a transition leads to: its numbers are written, since those in between are of no step. */
  goal?: Row;
  /** How far each part has changed from that of the step before, from 0 to 1. */
  changed?: Record<string, number>;
}

/** Everything needed to draw a picture other than its numbers. */
export interface Display {
  step: number;
  local: boolean;
  bell: boolean;
  mode: string;
  hard?: boolean;
  /** The width of the Gaussian's curve; null: the recorded values are joined by lines. */
  sigma: number | null;
  heat: "weights" | "alignment";
  scale: number;
  range: { low: number; high: number };
  source: string[];
  unknown: Set<number>;
  gloss?: string[];
  /** The source words where some are of several pieces, which are joined; null: each token is a word. */
  words?: Word[] | null;
  /** Whether each piece of such a word has its own text. */
  byPieces?: boolean;
  hover: number | null;
  normalizer?: string;
  score?: string | null;
  mean?: number;
  farthest?: number;
  /**
   * What was set by hand at this step: the weights; or the context vector or the head, so that the weights are not
   * used.
   */
  edited?: "weights" | "context" | "off" | null;
  /** Whether they can be. */
  paint?: boolean;
  cell?: { row: number; column: number } | null;
}

/**
 * A vector of a step by step, null where there is none; `id`: its quantity, `scale`: the value of the strongest colour.
 */
export interface Strip {
  id: string;
  name: string;
  vectors: (Float32Array | null)[];
  scale: number;
}

/**
 * What a step passes to the next one; `target`: the name of what it enters, "" if that is not drawn; `isZero`: by step.
 */
export interface Feeding extends Strip {
  target: string;
  isZero: boolean[];
}

/** The context vector of each head of a layer, by step. */
export interface Heads {
  parts: (Float32Array | null)[][];
  scale: number;
}

/**
 * When a part of the picture changes on the way to the next step, from 0 to 1, by the part or the id of its quantity.
 */
export type Changes = Record<string, [from: number, to: number]>;

/** The vectors of a trace for one head; null: the model has no such vector. */
export interface Vectors {
  /** One for each source word, or for what `aside` says. */
  value: { name: string; states: Float32Array[]; scale: number; aside?: string };
  query: Strip | null;
  context: Strip | null;
  /** Without attention, the state before the step, which at the first step is computed from the encoder states. */
  start: Strip | null;
  feeding: Feeding | null;
  /** What enters the output layer beside the context vector, or without one. */
  beside: Strip[];
  heads: Heads | null;
  changes: Changes;
}

export interface View {
  vectors: Vectors | null;
  decoded: Settings;
  trained: Settings;
  rows: Row[];
  theme: Theme;
  source: string[];
  targets: string[];
  onlyOne: boolean;
  /** Whether the heatmap is shown. */
  map: boolean;
  display: Display;
}

/** The colours and font for drawing on a canvas (draw/pen.js). */
export interface Paint {
  colors: Record<string, string>;
  family: string;
  heat: Heat;
}

export interface Pen extends Paint {
  ctx: CanvasRenderingContext2D;
}
