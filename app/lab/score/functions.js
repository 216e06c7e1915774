// The score functions of attn_core/attention/scores.py on plain arrays, and the context vectors of each attention type.
// Tested against torch.

import { softmaxInside } from "../kit/windowing.js";

/** @import { Additive, Matrix, ScoreFunction, Vector } from "./types.d.ts" */

/**
 * @param {Vector} a
 * @param {Vector} b
 */
export const inner = (a, b) => a.reduce((total, x, i) => total + x * b[i], 0);
/**
 * @param {Matrix} matrix
 * @param {Vector} x
 */
export const times = (matrix, x) => matrix.map((row) => inner(row, x));

/**
 * The rows of two matrices side by side: W_a of `concat` is [W_a U_a] of `additive`.
 * @param {Matrix} left
 * @param {Matrix} right
 */
export const beside = (left, right) => left.map((row, i) => [...row, ...right[i]]);

/**
 * Name to (query, keys, parameters of that name) to one score for each key.
 * @type {Record<string, ScoreFunction>}
 */
export const SCORE_FUNCTIONS = {
  dot: (query, keys) => keys.map((key) => inner(query, key)),
  scaled_dot: (query, keys) => keys.map((key) => inner(query, key) / Math.sqrt(query.length)),
  general: (query, keys, { W_a }) => keys.map((key) => inner(query, times(W_a, key))),
  additive: (query, keys, parameters) => keys.map((key) => inner(parameters.v_a, squashed(query, key, parameters))),
  concat: (query, keys, { W_a, v_a }) => keys.map((key) => inner(v_a, times(W_a, [...query, ...key]).map(Math.tanh))),
  location: (query, keys, { W_a }) => keys.map((_, s) => inner(W_a[s], query)),
};

/**
 * tanh(W_a query + U_a key), the vector that v_a turns into a score.
 * @param {Vector} query
 * @param {Vector} key
 * @param {Pick<Additive, "W_a" | "U_a">} additive
 */
export function squashed(query, key, { W_a, U_a }) {
  const right = times(U_a, key);
  return times(W_a, query).map((value, i) => Math.tanh(value + right[i]));
}

/**
 * Softmax over all keys.
 * @param {number[]} scores
 */
export const weightsOf = (scores) => softmaxInside(scores, scores.length ? { lo: 0, hi: scores.length - 1 } : null);

/**
 * The weighted mean of the values: the context vector of soft attention.
 * @param {number[]} weights
 * @param {Vector[]} values
 * @returns {Vector}
 */
export function contextOf(weights, values) {
  return values[0].map((_, i) => inner(weights, values.map((value) => value[i])));
}

/**
 * The first position with the largest weight: the choice of hard attention (argmax).
 * @param {number[]} weights
 */
export const bestOf = (weights) => weights.indexOf(Math.max(...weights));

/**
 * The position that `u`, from 0 to 1, falls on when the weights are laid end to end: hard attention (sampled).
 * @param {number[]} weights
 * @param {number} u
 */
export function drawnAt(weights, u) {
  let total = 0;
  for (let s = 0; s < weights.length; s++) if (u < (total += weights[s])) return s;
  return weights.findLastIndex((weight) => weight > 0); // the sum fell short of u by rounding
}
