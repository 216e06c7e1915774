// What the numbers of a translation were computed from.

import type { Edit } from "./request.d.ts";

/** One number of a translation: an element of a weight, or of a value of one run of a graph (see frames.js). */
export type NumberRef = { weight: string; index: number[] } | { frame: string; node: number; index: number[] };

/**
 * A number that a page shows: an element of an output or a quantity of a step; by its rank (0: the largest one) in an
 * output of a step, or without one among the next words; an element of an output of another frame by its last indices,
 * or any other.
 */
export type NumberAsked =
  | { step: number; output: string; place: number }
  | { step: number; quantity: string; place: number }
  | { step: number; rank: number; output?: string }
  | { frame: string; output: string; index: number[] }
  | NumberRef;

/**
 * A number by itself. `names`: the outputs of graphs that hold it, the last computed first; `given`: the input that it
 * is; `op`: the operation that computed it, with the name of a `weight` if it has one; `shape`: of the tensor that it
 * is an element of.
 */
export interface Leaf {
  ref: NumberRef;
  value: number;
  shape: number[];
  names: { name: string; frame: string; index: number[] }[];
  given?: string;
  op?: string;
  weight?: string;
  /** Of a number without a name: what it was computed from. */
  spelt?: Spelt;
  /** The edit that set it. */
  edit?: Edit;
}

/**
 * A number without a name as an operation on others: a number or the `ends` of a row of them, a number that the graph
 * has, or an operation on such, with its matrix.
 */
export interface Spelt {
  op?: string;
  weight?: string;
  terms?: Spelt[];
  ends?: Leaf[];
  value?: number;
}

/**
 * The numbers along an axis of a tensor, of which `ref` is the first; its first and last by themselves; the tensor's
 * `rows`.
 */
export interface Row {
  ref: NumberRef;
  axis: number;
  values: number[];
  ends: Leaf[];
  rows: number;
}

/** A number as a formula: an operation on others, a number by itself, or one that the graph has. */
export interface Term {
  op?: string;
  terms?: Term[];
  leaf?: Leaf;
  value?: number;
}

/** The numbers at one place of one or two rows. */
export interface Part {
  place: number;
  leaves: Leaf[];
}

/**
 * What a number was computed from: a formula, the sum of the products of two rows and `bias`, or a row of which it is
 * at a place. `largest`: the largest parts. `word`: of an embedding, or of a place in the vocabulary; `words`: those at
 * the places of `largest` then. `vector`: the one it belongs to.
 */
export interface Origin {
  number: Leaf;
  kind:
    | "formula"
    | "products"
    | "softmax"
    | "log_softmax"
    | "sum"
    | "max"
    | "place"
    | "choice"
    | "norm"
    | "embedding"
    | "weight"
    | "given"
    | "constant"
    | "drawn"
    | "whole"
    | "edited"
    | "other";
  term?: Term;
  left?: Row;
  right?: Row;
  bias?: Leaf;
  row?: Row;
  /** The operation, for a number that is computed from a whole row at once. */
  via?: string;
  place?: number;
  largest?: Part[];
  vector?: Row;
  scale?: Leaf[];
  eps?: number;
  word?: number | string;
  words?: string[];
}
