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
}

/** Numbers of the weights and of the running plan, and the inner products over them. */
export interface Heap {
  floats: Float32Array;
  /** out[i, r] = x[i] . w[r] + bias[r]; offsets and steps in floats, bias -1 for none; see kernel.c. */
  products(out: number, x: number, w: number, bias: number, n: number, rows: number, size: number, stepX: number,
    stepW: number): void;
  /** The sum of exp(x[i] - most) over n numbers, of which `most` is the largest. */
  exponentials(x: number, n: number, most: number): number;
}

/** A tensor outside the heap. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/** One graph of browser.json; see attn_core/web/export/graphs.py. */
export interface GraphJSON {
  inputs: string[];
  nodes: any[][];
  outputs: Record<string, any>;
  limits?: Record<string, number>;
  when?: Record<string, number>;
}

/** The graphs of a step in one window and attention type. */
export interface StepJSON {
  window: string | null;
  type: string;
  half_width: number | null;
  sigma: number | null;
  settings: Record<string, any>;
  graphs: GraphJSON[];
  quantities: Record<string, string[]>;
  later: Record<string, string[]>;
}

export interface EncoderJSON {
  graphs?: GraphJSON[];
  embed?: GraphJSON[];
  layers?: GraphJSON[][][];
  reverse?: boolean;
  finish?: GraphJSON[];
}

/** browser.json; see attn_core/web/export/document.py. */
export interface ModelJSON {
  format: number;
  name: string;
  kind: string;
  settings: Record<string, any>;
  special: { bos: number; eos: number; pad?: number; unk?: number; source_eos?: boolean };
  /** Of a translator. */
  heads: Record<"looks" | "own" | "encoder", [layer: number, head: number][]>;
  /** Of a pointer network: numbers in each input, and how many inputs there may be. */
  inputs?: { size: number; least: number; most: number | null };
  copies: Record<string, string>;
  encoder: EncoderJSON;
  steps: StepJSON[];
}

/** The window, its D and sigma, and the attention type of a run; what is left out is as in the trained model. */
export interface How {
  /** Of a pointer network: which positions may be chosen. */
  constraint?: "none" | "distinct" | "permutation";
  window?: string | null;
  half_width?: number | null;
  sigma?: number | null;
  type?: string;
}

/** An encoded sentence. */
export interface Sentence {
  ids: number[];
  memory: Record<string, Tensor>;
  looks: Record<string, Tensor>;
  /** Encoder states that the memory does not hold. */
  named: Record<string, Tensor>;
  carry: Carry;
}

/** The state that one step passes to the next. */
export interface Carry {
  t: number;
  tensors: Record<string, Tensor>;
  /** Of an ensemble: those of its members. */
  members?: Carry[];
}

/** One attention in a trace; those without a window have no alignment and no Gaussian. */
export interface LookJSON {
  layer: number;
  head: number;
  scores: number[];
  weights: number[];
  alignment?: number[];
  gaussian?: number[];
}

/** One step of a trace. */
export interface StepTrace {
  t: number;
  token: string;
  log_prob: number;
  top: [token: string, logProb: number][];
  center: number | null;
  window: [number, number] | null;
  looks: Required<LookJSON>[];
  excluded?: number[];
  own?: LookJSON[];
}

/** A decoded sentence: the document of schema 2 that attn_core.trace.dump writes, without vectors. */
export interface TraceJSON {
  schema: number;
  model: string;
  settings: Record<string, any>;
  source: string[];
  unknown: number[];
  target: string[];
  steps: StepTrace[];
  encoder?: { layer: number; head: number; scores: number[][]; weights: number[][] }[];
}

/** How to translate a sentence. `beam` 1 is greedy; `draw` is the number of the sample for sampled attention. */
export interface Request extends How {
  text: string;
  beam?: number;
  replace_unk?: boolean;
  draw?: number;
}

/** The files of a model: browser.json, its vocabularies with the Moses rules of their languages, and its weights. */
export interface Files {
  graphs: ModelJSON;
  source: import("./tokenizer/types").TokenizerRecord;
  target: import("./tokenizer/types").TokenizerRecord;
  rules: import("./tokenizer/types").MosesRules;
  weights: Uint8Array;
}

/** A translation as running text with its trace, which is null for a text without a word or with too many. */
export interface Answer {
  trace: TraceJSON | null;
  text: string;
  words: number;
  most: number;
}

/** A message to the worker: the files of its model, or a request. */
export interface Asked {
  id: number;
  files?: Files;
  request?: Request;
}
