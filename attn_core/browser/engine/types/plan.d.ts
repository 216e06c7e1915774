// What the operations of a planned graph take and return.

/** A tensor at plan time: where its numbers lie on the heap, in floats. Its buffer is null for weights. */
export interface View {
  offset: number;
  shape: number[];
  strides: number[];
  buffer: Buffer | null;
  /** For a number that may differ between runs: an input of the graph, and what is added to it. */
  live?: { input: string; plus: number };
}

/** A part of the plan's memory; `values` of the graph's values still use it. */
export interface Buffer {
  offset: number;
  size: number;
  values: number;
}

/** What an operation takes and returns: tensors, sizes, and lists of them. */
export type Value = View | number | boolean | null | string | Value[];

/** An operation appends its work to the builder's code and returns its result, whose shape is known at once. */
export type Operation = (build: Builder, ...args: any[]) => Value;

/** What operations need of plan.js's builder. */
export interface Builder {
  heap: Heap;
  code: (() => void)[];
  random: { next: () => number };
  make(shape: number[]): View;
  cell(value: number): View;
  /** What the graph may still compute; null without a bound. */
  budget: import("../budget.js").Budget | null;
}

/** Numbers of the weights and of the running plan, and the inner products over them. */
export interface Heap {
  floats: Float32Array;
  /** out[i, r] = x[i] . w[r] + bias[r]; offsets and steps in floats, bias -1 for none; see kernel.c. */
  products(
    out: number,
    x: number,
    w: number,
    bias: number,
    n: number,
    rows: number,
    size: number,
    stepX: number,
    stepW: number,
  ): void;
  /** The sum of exp(x[i] - most) over n numbers, of which `most` is the largest. */
  exponentials(x: number, n: number, most: number): number;
}

/** A tensor outside the heap. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}
