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
  budget: import("./budget.js").Budget | null;
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

/** One graph of browser.json; see attn_core/export/graphs.py. */
export interface GraphJSON {
  inputs: string[];
  nodes: any[][];
  outputs: Record<string, any>;
  limits?: Record<string, number>;
  when?: Record<string, number>;
}

/** A setting of a window that may be changed in a trained model; see attn_core/export/document.py. */
export interface LiveSetting {
  name: string;
  symbol: string;
  meaning: string;
  whole: boolean;
  least: number | null;
  most: number | null;
  default: number | null;
  nullable: boolean;
  multiple: [name: string, factor: number] | null;
  /** Of its slider; none: its meaning. */
  label?: string;
  /** Of the button that sets it to null. */
  unset?: { label: string; title: string };
}

/** What a page must know of a window; its texts are those of attn_core/export/facts.py, in the reader's language. */
export interface WindowFacts {
  centered: boolean;
  learned: boolean;
  live: LiveSetting[];
  /** What the window does in a model that was trained with it, in one sentence. */
  about?: string;
}

/** The graphs of a step in one window and attention type. */
export interface StepJSON {
  window: string | null;
  type: string;
  /** The live settings of the window as trained; null stands for their defaults. */
  live: Record<string, number | null>;
  settings: Record<string, any>;
  graphs: GraphJSON[];
  cases: Record<string, string>[];
  quantities: Record<string, QuantityJSON>;
}

/** A quantity of a step; see attn_core/export/document.py. Symbols and lines are places in ModelJSON.equations. */
export interface QuantityJSON {
  tensors: string[];
  later?: string[];
  forms: ({ symbol: number; lines: number[]; first?: number[] } | null)[];
}

/**
 * What a page must know of a quantity; `element`: what one number of it is called, if not by its name; `axis`: the
 * group of its equations; `inputs`: what it is computed from.
 */
export interface QuantityFacts {
  name: string;
  element?: string;
  axis: string;
  roles: string[];
  inputs?: string[];
}

/** An equation in MathML, and the values of the live settings that it shows. */
export interface EquationJSON {
  markup: string;
  values: Record<string, number>;
}

/** A step as a graph; `instead`: the other state, which could be tried as the query. */
export interface DiagramJSON {
  order: string;
  nodes: { id: string; symbol: string; name: string; equation: string; shape: (number | string)[]; given: boolean }[];
  edges: [from: string, to: string][];
  query: string;
  instead: string;
}

export interface EncoderJSON {
  graphs?: GraphJSON[];
  embed?: GraphJSON[];
  layers?: GraphJSON[][][];
  reverse?: boolean;
  finish?: GraphJSON[];
}

/** browser.json; see attn_core/export/document.py. */
export interface ModelJSON {
  format: number;
  name: string;
  kind: string;
  settings: Record<string, any>;
  special: { bos: number; eos: number; pad?: number; unk?: number; source_eos?: boolean; longest?: number };
  /** Of a translator. */
  heads: Record<"looks" | "own" | "encoder", [layer: number, head: number][]>;
  /** The diagrams of a translator's step; see attn_core/export/diagrams.py. */
  diagrams: DiagramJSON[];
  /** Of a pointer network: numbers in each input, and how many inputs there may be. */
  inputs?: { size: number; least: number; most: number | null };
  /** MathML. */
  equations: string[];
  /** By the ids of quantities. */
  quantities: Record<string, QuantityFacts>;
  /** By the names of the windows in `steps`. */
  windows: Record<string, WindowFacts>;
  /** The names of attention types in menus, and what to know of the equations; see attn_core/export/facts.py. */
  types?: Record<string, string>;
  notes?: string[];
  copies: Record<string, string>;
  encoder: EncoderJSON;
  steps: StepJSON[];
}

/** A number, or lists of equally many numbers inside each other. */
export type Numbers = number | Numbers[];

/** A score function by itself; see attn_core/export/scores.py. */
export interface ScoreJSON extends ModelJSON {
  parameters: Record<string, Numbers>;
}

/**
 * What a reader sets by hand, in the head of a layer, both from 0; both null: in all heads.
 *
 * weights   the attention weights of a step, which multiply the encoder states
 * context   the context vector of a step, which takes that of step `from` of the translation without edits
 * off       a head at all steps: its context vector is 0
 * word      the word of a step
 */
export type Edit =
  | { kind: "weights"; step: number; layer: number | null; head: number | null; weights: number[] }
  | { kind: "context"; step: number; layer: number | null; head: number | null; from: number }
  | { kind: "off"; layer: number; head: number }
  | { kind: "word"; step: number; word: string };

/** An edit that the model, the sentence or its translation cannot have, and what of it does not fit. */
export interface Unfit {
  edit: Edit;
  why: "head" | "length" | "step" | "word";
}

/** Numbers in place of those of a step's output; null: zeros. */
export interface Put {
  output: string;
  numbers: Float32Array | null;
  edit: Edit;
}

/** What is set by hand: at all steps, at a step, and a step's word. */
export interface Change {
  always: Put[];
  at(t: number): Put[];
  word(t: number): number | undefined;
}

/**
 * The window, its live settings and the attention type of a run; what is left out is as in the trained model. Besides D
 * and sigma, a window of one's own may have live settings of other names (see LiveSetting).
 */
export interface How {
  /** Of a pointer network: which positions may be chosen. */
  constraint?: "none" | "distinct" | "permutation";
  window?: string | null;
  half_width?: number | null;
  sigma?: number | null;
  type?: string;
  /** p_t by step, set by hand. */
  centers?: Record<number, number> | null;
  /** See edits.js. */
  change?: Change | null;
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
  /** What the request asked for: by quantity of explain.step_graph, a tensor for each layer and head. */
  vectors?: Record<string, Tensor[]>;
  /** With them, the context vector of each head. */
  parts?: Float32Array[];
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

/**
 * A hypothesis of a beam search that a step kept or finished: the node of the step before that it extends (null: the
 * start), the sum of its log probabilities, its score if it is finished, whether the best hypothesis begins with it,
 * and the attention weights of its last word (the mean over the heads; empty without attention).
 */
export interface TreeNode {
  parent: number | null;
  token: string;
  log_prob: number;
  total: number;
  score: number | null;
  best: boolean;
  weights: number[];
}

/** A beam search, step by step, the most probable hypothesis first. */
export interface TreeJSON {
  steps: { nodes: TreeNode[] }[];
}

/**
 * How to translate a sentence, with `edits` by hand, which every hypothesis of a beam gets. `beam` 1 is greedy;
 * `normalise` and `alpha` are the length normalisation of a beam's scores and its exponent; `draw` is the number of the
 * sample for sampled attention; `vectors` are the quantities of explain.step_graph that the steps of the trace hold
 * too.
 */
export interface Request extends Omit<How, "change"> {
  text: string;
  edits?: Edit[] | null;
  beam?: number;
  normalise?: "none" | "length" | "wu";
  alpha?: number;
  replace_unk?: boolean;
  draw?: number;
  vectors?: string[];
  /**
   * Words and states stay those of the model as it was trained: the sentence is decoded with the trained window and
   * attention type, and each of its steps is computed again from the state before it, in the window and with the
   * attention type of this request. What follows from these within a step is that of the request: scores, weights,
   * context, next-word distribution. With a beam the words and states are those of the best hypothesis of the trained
   * model.
   */
  keep_states?: boolean;
}

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

/** The files of a model: browser.json, its vocabularies with the Moses rules of their languages, and its weights. */
export interface Files {
  graphs: ModelJSON;
  source: import("./tokenizer/types").TokenizerRecord;
  target: import("./tokenizer/types").TokenizerRecord;
  rules: import("./tokenizer/types").MosesRules;
  weights: Uint8Array;
}

/** The known and unknown words of a sentence; tokens without a letter or digit do not count. */
export interface Reading {
  known: string[];
  unknown: string[];
  /** The sentence fits the target vocabulary better than the source vocabulary. */
  swapped: boolean;
}

/**
 * A translation as running text with its trace, which is null for a text without a word or with too many; a beam's
 * tree. If the request has edits: the translation without them (null if none of them fits), and those that do not fit.
 */
export interface Answer {
  tree?: TreeJSON | null;
  unedited?: TraceJSON | null;
  unfit?: Unfit[];
  trace: TraceJSON | null;
  text: string;
  /** The length of the sentence, its limit, and what they count. */
  words: number;
  most: number;
  unit: "words" | "characters" | "pieces";
  reading: Reading;
}

/** The sentence whose attention weights are wanted; with a `reference`, those of forced decoding. */
export interface WeightsAsked extends How {
  text: string;
  reference?: string;
}

/**
 * The rows of an attention, several heads in each: `weights[(row * heads + head) * columns + column]`, 0 where a
 * decoder does not attend yet.
 */
export interface Rows {
  rows: number;
  heads: number;
  columns: number;
  weights: Float32Array;
}

/**
 * A sentence with its attention weights and the tokens of both sides. In a local window also, by step, p_t and, by step
 * and head, the weight `lost` to the Gaussian and the weight of a softmax over all scores that is `outside` the window.
 */
export interface Weighed {
  source: string[];
  unknown: number[];
  target: string[];
  cross: Rows;
  decoder: Rows | null;
  encoder: Rows | null;
  local?: { centers: Float32Array; lost: Float32Array; outside: Float32Array };
}

/** What a model's vocabulary reveals about a line of text, and whether it can be translated. */
export interface LineRead {
  /** The length of the line, its limit, and what they count. */
  words: number;
  most: number;
  unit: Answer["unit"];
  known: number;
  unknown: number;
  swapped: boolean;
  fits: boolean;
}

/**
 * A message to the worker: the files of its model, a request, a request with a number of its translation, a sentence
 * whose weights are wanted, or lines to read.
 */
export interface Asked {
  id: number;
  files?: Files;
  request?: Request;
  number?: NumberAsked;
  weights?: WeightsAsked;
  lines?: string[];
}
