// The data and the elements of the Heads page's stages; not part of any bundle.

import type { Kept } from "../kit/types.d.ts";

export interface Head {
  layer: number;
  head: number;
}

/** One head's attention, row by row. */
export interface HeadLook extends Head {
  weights: number[][];
  scores: number[][];
}

/** One of the three attentions of a Transformer. */
export interface HeadKind {
  key: string;
  label: string;
  note: string;
  rows: string[];
  columns: string[];
  looks: HeadLook[];
}

export interface HeadsData {
  size: number;
  scale: number | null;
  kinds: HeadKind[];
  address?: Kept;
}

export interface FixedData {
  sentences: { words: string[]; maps: number[][][] }[];
  looks: Head[];
}

/** A large map: its words, weights and caption; `tall`: words that the upper edge must have room for. */
export interface BigMap {
  rows: string[];
  columns: string[];
  weights: number[][];
  caption: string;
  tall?: string[];
}

/** A cell of a map; null: its edge, or none. */
export type Cell = [row: number | null, column: number | null];

/** The matrix products of one layer's attention. */
export interface Sizes {
  key: string;
  size: number;
  heads: number;
  scaled: boolean;
  queries: number;
  keys: number;
}
