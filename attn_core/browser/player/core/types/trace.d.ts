// The trace, as attn_core.trace writes it, and what is read from it.

import type { Tensor } from "../../../engine/types.d.ts";

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
