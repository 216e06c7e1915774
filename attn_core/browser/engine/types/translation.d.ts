// A translation: the states of its decoding, its trace, its beam search, and the answer to a request.

import type { Unfit } from "./request.d.ts";
import type { Tensor } from "./plan.d.ts";

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
