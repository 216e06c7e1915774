// The rows of one attention of a measured sentence, one head's or the mean over all heads, and the words that they
// belong to.

import { END, START, UNKNOWN } from "../../../attn_core/browser/engine/tokenizer/specials.js";
import { spelled, wordNumbers } from "../../../attn_core/browser/player/core/pieces.js";

/** @import { KindOfWord, Measured, AttentionRows, AttentionChoice, Weighed } from "./types.d.ts" */

/**
 * The rows of an attention, each with the columns that it may attend to, and the words on both sides.
 * @param {Measured} sentence
 * @param {AttentionChoice} choice
 * @returns {AttentionRows}
 */
export function attentionRows({ weighed, kinds, listed }, { attention, head }) {
  const { source, target } = weighed;
  const all = weighed[attention] ?? weighed.cross;
  const inputs = inputsOf(weighed);
  const rows = Array.from({ length: all.rows }, (_, row) =>
    rowOf(all, row, head).subarray(0, attention === "decoder" ? row + 1 : all.columns),
  );
  if (attention === "decoder") return { rows, from: inputs, to: inputs, kinds: kinds.inputs, listed: listed.inputs };
  return {
    rows,
    from: attention === "encoder" ? source : target,
    to: source,
    kinds: kinds.source,
    listed: listed.source,
  };
}

/** The words that the decoder reads. @param {Weighed} weighed */
export const inputsOf = ({ target }) => ["<s>", ...target.slice(0, -1)];

/**
 * The weights of one row.
 * @param {Weighed["cross"]} rows of all heads
 * @param {number} row
 * @param {number | null} head null: the mean over the heads
 */
export function rowOf({ heads, columns, weights }, row, head) {
  const weightsOf = (/** @type {number} */ h) =>
    weights.subarray((row * heads + h) * columns, (row * heads + h + 1) * columns);
  if (head !== null) return weightsOf(head);
  if (heads === 1) return weightsOf(0);
  const mean = new Float32Array(columns);
  for (let h = 0; h < heads; h++)
    weightsOf(h).forEach((weight, s) => {
      mean[s] += weight / heads;
    });
  return mean;
}

/**
 * The index of the largest weight, the first of equal ones; null for a row without weight.
 * @param {ArrayLike<number>} row
 */
export function largest(row) {
  let best = 0;
  for (let s = 1; s < row.length; s++) if (row[s] > row[best]) best = s;
  return row[best] > 0 ? best : null;
}

/** The word of each token. @param {string[]} tokens */
export function wordsOf(tokens) {
  const words = spelled(tokens);
  return wordNumbers(tokens).map((number) => words[number]);
}

/**
 * The kind of each token: a piece of a word has the kind of its word.
 * @param {string[]} words the word of each token, as it is written
 * @param {string[]} tokens
 * @param {number[]} unknown indices of tokens that are not in the vocabulary
 * @param {Set<string>} functionWords
 * @returns {KindOfWord[]}
 */
export function wordKinds(words, tokens, unknown, functionWords) {
  const unknownIndices = new Set(unknown);
  return words.map((word, i) => {
    if (tokens[i] === START || tokens[i] === END) return "symbol";
    if (unknownIndices.has(i) || tokens[i] === UNKNOWN) return "unknown";
    if (!/[\p{L}\p{N}]/u.test(word)) return "punctuation";
    return functionWords.has(word.toLowerCase()) ? "function" : "content";
  });
}
