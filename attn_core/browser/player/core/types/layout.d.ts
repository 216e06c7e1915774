// Where the parts of the picture of a step and of the heatmap are.

import type { Word } from "./trace.d.ts";
import type { Display } from "./picture.d.ts";

/** The kind of attention, which determines the rows of bars. */
export interface Kind {
  bell: boolean;
  mode: string;
  hard?: boolean;
  mean?: number;
  paint?: boolean;
  edited?: Display["edited"];
}

/** A row of bars; `short` is its name in a narrow picture, `aside` is the text under the name. */
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

/** A part of the picture from top to bottom. */
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

/** A column under the pointer, and the pointer (x, y), in CSS pixels; `top` is where the column's words end. */
export interface PointedColumn {
  x: number;
  y: number;
  left: number;
  right: number;
  top: number;
}

export type Hover = Exclude<Spot, { part: "target" }> & PointedColumn;
