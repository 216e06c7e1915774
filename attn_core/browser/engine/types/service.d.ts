// The files that the engine opens, and the messages to its worker.

import type { Answer } from "./translation.d.ts";
import type { How, Request } from "./request.d.ts";
import type { NumberAsked } from "./origin.d.ts";
import type { ModelJSON } from "./document.d.ts";

/** The files of a model: browser.json, its vocabularies with the Moses rules of their languages, and its weights. */
export interface Files {
  graphs: ModelJSON;
  source: import("../tokenizer/types").TokenizerRecord;
  target: import("../tokenizer/types").TokenizerRecord;
  rules: import("../tokenizer/types").MosesRules;
  weights: Uint8Array;
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
