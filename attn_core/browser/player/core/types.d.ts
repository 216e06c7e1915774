// Types shared by the player's modules. Not part of a bundle.

import type { How as EngineHow, ModelJSON, Request, Tensor, WindowFacts } from "../../engine/types.d.ts";

/** The window to decode with, and whether words and states are kept: a part of the engine's Request. */
export type How = Omit<EngineHow, "change"> & Pick<Request, "keep_states">;

/** First and last position in view, inclusive. */
export interface Span {
  lo: number;
  hi: number;
}

/** A source and a target position that are aligned. */
export type Link = [source: number, target: number];

/** Corpus counts of links, and what follows from them (attn_core.data.alignments.AlignmentScores). */
export interface AlignmentScores {
  links: number;
  sure: number;
  possible: number;
  sureHits: number;
  possibleHits: number;
  aer: number;
  precision: number;
  recall: number;
}

/** A word of one or more tokens; `first`: the index of its first token, `count`: how many it has. */
export interface Word {
  text: string;
  first: number;
  count: number;
}

/** The words of a translation in which some words are of several pieces. */
export interface WordsOfPieces {
  source: Word[];
  target: Word[];
}

/** Lists over the source positions. */
export interface Parts {
  scores: number[];
  alignment: number[];
  gaussian: number[];
  weights: number[];
}

/** One step as it is drawn; a row that is interpolated between two steps has a span of real numbers. */
export interface Row extends Parts {
  center: number | null;
  span: Span | null;
  /** The weights of each head in the layer of the head on show, which is `lane`. */
  lanes?: number[][];
  lane?: number;
}

/** Of a trace's windows and Gaussians; `width`: that of the bell curve, null if it is none. */
export interface Shape {
  local: boolean;
  bell: boolean;
  width: number | null;
}

// The trace, as attn_core.trace writes it.

export interface Look extends Parts {
  layer: number;
  head: number;
  /** In an ensemble, where they are not those of the step. */
  center?: number | null;
  window?: [lo: number, hi: number] | null;
}

export interface Step {
  t: number;
  token: string;
  log_prob: number;
  top: [word: string, logProb: number][];
  center: number | null;
  window: [lo: number, hi: number] | null;
  /** Positions between these two that are not in view. */
  excluded?: number[];
  looks: Look[];
  /** Of quantities that were asked for, by their names. */
  vectors?: Record<string, Tensor[]>;
  /** With them, the context vector of each head. */
  parts?: Float32Array[];
}

/** With the values of the window's live settings, by their names. */
export interface WindowSettings {
  window?: string | null;
  half_width?: number | null;
  sigma?: number | null;
  /** p_t by step, where it is set by hand. */
  centers?: Record<number, number> | null;
  [live: string]: unknown;
}

export interface TraceSettings extends WindowSettings {
  trained_window?: WindowSettings;
  gaussian?: string;
  center?: string;
  keep_states?: boolean;
  attention_type?: string;
  trained_attention_type?: string;
  normalizer?: string;
  score?: string | null;
  intervention?: unknown;
  /** What a reader set by hand: see the engine's types. */
  edits?: { kind: string; step?: number; layer?: number | null; head?: number | null }[];
}

export interface Trace {
  model: string;
  settings: TraceSettings;
  source: string[];
  target: string[];
  unknown: number[];
  steps: Step[];
}

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

export type Theme = "light" | "dark";
export type RGB = [red: number, green: number, blue: number];

/** 256 CSS colours, the text colour for each, and all of them as a gradient. */
export interface Heat {
  fill: string[];
  ink: string[];
  stops: string;
}

// The geometry of the stage.

/** The kind of attention, which determines the rows of bars. */
export interface Kind {
  bell: boolean;
  mode: string;
  hard?: boolean;
  mean?: number;
  paint?: boolean;
  edited?: Shown["edited"];
}

/** A row of bars; `short` is its name on a narrow stage, `aside` is the text under the name. */
export interface BarRow {
  key: string;
  name: string;
  short?: string;
  height?: number;
  aside?: string;
}

export interface PlacedRow extends BarRow, Placed {}

/** The row of the source words; `angle`: how much they slant, in radians. */
export interface WordsRow {
  y: number;
  h: number;
  angle: number;
  font: number;
  /** How many columns a word needs: of every few, only one has a label. */
  every: number;
  most: number;
  bar: number;
  gloss?: string[];
  /** Where the room for slanted words ends. */
  end: number;
}

/** A part of the stage from top to bottom. */
export interface Placed {
  y: number;
  h: number;
}

export interface Geometry {
  u: number;
  narrow: boolean;
  gutter: number;
  edge: number;
  col: number;
  n: number;
  /** Whether there is room for a number over each bar; otherwise only weights have numbers, where they do not touch. */
  numbers: boolean;
  /** The smallest font size of a number in pixels, whatever the size of the rest. */
  least?: number;
  words: WordsRow;
  /** The encoder states, and their comparison with the query; null where vectors are not drawn. */
  states: Placed | null;
  query: Placed | null;
  bars: PlacedRow[];
  ruler: Placed;
  /** What the step before feeds to this one; null where nothing is fed. */
  feeding: Placed | null;
  /** From the weights to the context vector; null where it is not drawn. */
  flow: Placed | null;
  /** The part to the right of the columns: the context vector, and what becomes of it. */
  zone: { left: number; right: number };
  width: number;
  content: number;
  height: number;
  x: (position: number) => number;
  left: (position: number) => number;
  /** The position at x, as for p_t: the inverse of `x`. */
  place: (x: number) => number;
}

/** Where the heatmap's parts are; `words`: the source words over it, null where they have no room. */
export interface MapGeometry {
  u: number;
  n: number;
  x: (position: number) => number;
  left: (position: number) => number;
  col: number;
  y: number;
  rowHeight: number;
  rows: number;
  words: WordsRow | null;
  /** The right edge of the target words, and their greatest width. */
  targets: { right: number; most: number };
  width: number;
  height: number;
}

export type Measure = (text: string, size: number) => number;

export interface LayOutOptions {
  width: number;
  u: number;
  v: number;
  source: string[];
  gloss?: string[];
  /** The words over the columns where a word has several; null: each column has its own. */
  words?: Word[] | null;
  rows: BarRow[];
  farthest: number;
  measure: Measure;
  vectors?: boolean;
  flow?: boolean;
  feeding?: boolean;
  least?: number;
}

export interface MapOptions {
  width: number;
  height: number;
  u: number;
  source: string[];
  target: string[];
  measure: Measure;
  plain?: boolean;
}

/** The part of the plot at a point. */
export type Spot =
  { part: "column"; column: number } | { part: "map"; row: number; column: number } | { part: "target"; row: number };

/**
 * A number that was clicked: the next word of a rank, or the number of a row of bars at a
 * source word (null: that of the largest weight); `row`: the step of a cell of the heatmap.
 */
export type Clicked = { rank: number } | { key: string; place: number | null; row: number | null };

/**
 * A weight of the current step that was set by hand, as a share of a full bar; null: the word
 * gets all the weight, or the words at `places`, the cells that a drag has touched, share it. `phase`: of the drag.
 */
export interface Painted {
  place: number;
  weight: number | null;
  places?: number[];
  phase: "start" | "move" | "end";
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
export interface Shown {
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
  look: Shown;
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

// The player and its host.

/** What a reader chooses to see of a trace. `look`: the index of a head, null for the mean over all. */
export interface Choices {
  look: number | null;
  heat: "weights" | "alignment";
  eos: boolean;
  step: number;
}

/** A column under the pointer, and the pointer (x, y), in CSS pixels; `top` is where the column's words end. */
export interface PointedColumn {
  x: number;
  y: number;
  left: number;
  right: number;
  top: number;
}

export type Hover = Exclude<Spot, { part: "target" }> & PointedColumn;

/**
 * A head by its layer and head, both from 0; or the mean over all heads, without a layer; or none, for the clearest
 * one.
 */
export interface HeadChoice {
  layer: number | null;
  head: number | "mean" | null;
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
