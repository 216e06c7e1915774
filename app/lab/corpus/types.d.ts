// The data and the state of the Corpus page; not part of any bundle.

import type { How, LineRead, Rows, Weighed } from "../../../attn_core/browser/engine/types.d.ts";
import type { Link } from "../../../attn_core/browser/player/core/types.d.ts";
import type { LiveData } from "../kit/types.d.ts";

/**
 * A sentence of ours with its translation, their numbers of words, and their gold alignment; sure links are possible
 * too.
 */
export interface Pair {
  text: string;
  reference: string;
  words: [source: number, target: number];
  sure: Link[];
  possible: Link[];
}

export interface CorpusData extends LiveData {
  /** By languages, such as "de-en". */
  pairs: Record<string, Pair[]>;
  /** By language. */
  function_words: Record<string, string[]>;
}

/** A line of the chosen text; `number` counts from 1, as editors do. */
export interface Line {
  number: number;
  text: string;
  pair?: Pair;
}

/**
 * A text that the reader chose, before a model has read it; `more`: lines beyond the limit, `long`: lines with too many
 * letters.
 */
export interface Text {
  lines: Line[];
  more: number;
  long: Line[];
}

/** A line that the model can translate, and what its vocabulary revealed. */
export type Ready = Line & { read: LineRead };

export type KindOfWord = "function" | "content" | "punctuation" | "symbol" | "unknown";

/** A measured sentence. `forced`: under forced decoding of the reference. */
export interface Measured {
  line: Line;
  weighed: Weighed;
  forced: Weighed | null;
  /** The kinds of the source words and of the decoder's inputs. */
  kinds: { source: KindOfWord[]; inputs: KindOfWord[] };
  /** Whether there is a list of function words for each; without one, all words are content words. */
  listed: { source: boolean; inputs: boolean };
}

export type Attention = "cross" | "encoder" | "decoder";

/** A head: its layer and its number, from 0. */
export type Head = [layer: number, head: number];

/** The attention on show: one head, or null for the mean over all of them. */
export interface AttentionChoice {
  attention: Attention;
  head: number | null;
}

/** The rows of one attention of a sentence; a row holds only the columns that it may attend to. */
export interface AttentionRows {
  rows: Float32Array[];
  /** The words of rows and columns, as the engine gives them. */
  from: string[];
  to: string[];
  kinds: KindOfWord[];
  listed: boolean;
}

/** A value in a figure. `amount`: how much of a bar it is; `row` and `column` are null where there is none. */
export interface Item {
  value: number;
  amount: number;
  row: number | null;
  column: number | null;
}

/** Bars: `count` of them, of equal width from `from` on; values beyond the ends fall into the first and last one. */
export interface Bins {
  from: number;
  width: number;
  count: number;
}

/** What is counted of one figure so far. */
export interface Tally {
  bars: number[];
  marks: number[];
  amount: number;
  sum: number;
  squares: number;
  markAmount: number;
  markSum: number;
}

export interface Figure {
  key: string;
  title: string;
  /** What the horizontal axis shows, and the name of what is counted. */
  axis: string;
  /** The same for self-attention, where it is something else. */
  selfAxis?: string;
  of: string;
  bins: Bins;
  /** Whether examples are sorted by their amount, and not by their value. */
  byAmount?: boolean;
  /** What the marks beside the bars are. */
  mark?: string;
  /** The label of a bar on the axis, "" for none, and its name in full. */
  label(bin: number): string;
  name(bin: number): string;
  fits(sentence: Measured, choice: AttentionChoice): boolean;
  items(sentence: Measured, choice: AttentionChoice): Item[];
  marks?(sentence: Measured, choice: AttentionChoice): Item[];
  finding(tally: Tally): string;
}

/** An item with its sentence. */
export interface Example extends Item {
  sentence: Measured;
}

/** A measure of heads: the mean over all rows of `of`, which is null for rows without it. */
export interface HeadMeasure {
  key: string;
  label: string;
  /** The largest value that there can be; null: the largest one found. */
  most: number | null;
  of(row: Float32Array, t: number, rows: AttentionRows): number | null;
}

export type { How, Rows, Weighed };
