// The data and the elements of the Heads page's stages; not part of any bundle.

import type { Kept } from "../kit/types.d.ts";

export interface Head {
  layer: number;
  head: number;
}

/** One head's attention, row by row. */
export interface HeadWeights extends Head {
  weights: number[][];
  scores: number[][];
}

/** One of the three attentions of a Transformer. */
export interface AttentionMaps {
  key: string;
  label: string;
  note: string;
  rows: string[];
  columns: string[];
  heads: HeadWeights[];
}

export interface HeadsData {
  size: number;
  scale: number | null;
  attentions: AttentionMaps[];
  address?: Kept;
}

/** What the reader points at and chose; `attention` and `head` are indices, null: the head with the lowest entropy. */
export interface HeadsState {
  attention: number;
  head: number | null;
  row: number | null;
  chosenRow: number;
  column: number | null;
  chosenColumn: number | null;
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
