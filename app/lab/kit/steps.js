// The steps of a translation: which source word each attends to most, and where a page opens.

import { spelled, wordNumbers } from "../../../attn_core/browser/player/core/pieces.js";

/** @import { StepTrace, Tensor, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts" */

/**
 * The first step of `trace` whose largest weight is on the word `needed`; 0 if there is none.
 * @param {TraceJSON} trace with its tokens as they are shown
 * @param {string | undefined} needed
 */
export function firstStep(trace, needed) {
  const step = weightsOf(trace).findIndex((row) => trace.source[largest(row)] === needed);
  return Math.max(step, 0);
}

/**
 * For each step of a trace: the source `word` with the largest weight, and the `step` of `other` with the largest
 * weight on that word, the first of equals; null if the word is the end symbol and `other` does not have it. The entry
 * is null for a step without any weight.
 * @param {TraceJSON} trace as the engine gives it: its tokens tell pieces of words from words
 * @param {TraceJSON} other
 */
export function partners(trace, other) {
  const otherWeights = byWord(other);
  const words = spelled(trace.source);
  return byWord(trace).map((row) => {
    const source = largest(row);
    if (!(row[source] > 0)) return null;
    const isShared = otherWeights.length > 0 && source < otherWeights[0].length;
    return { word: words[source], step: isShared ? largest(otherWeights.map((weights) => weights[source])) : null };
  });
}

/** The vectors of a step that were asked for. @param {StepTrace} step */
export function vectorsOf({ vectors }) {
  return /** @type {Record<string, Tensor[]>} */ (vectors);
}

/** The weights of each step, summed over the pieces of each word. @param {TraceJSON} trace */
function byWord(trace) {
  const numbers = wordNumbers(trace.source);
  return weightsOf(trace).map((row) => {
    /** @type {number[]} */
    const sums = Array(numbers[numbers.length - 1] + 1).fill(0);
    row.forEach((weight, s) => {
      sums[numbers[s]] += weight;
    });
    return sums;
  });
}

/** The weights of each step, their mean over the heads. @param {TraceJSON} trace */
function weightsOf({ steps }) {
  return steps.map(({ looks }) =>
    looks[0].weights.map((_, s) => looks.reduce((total, { weights }) => total + weights[s], 0) / looks.length),
  );
}

/** @param {number[]} row */
const largest = (row) => row.indexOf(Math.max(...row));
