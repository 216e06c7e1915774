// One step's recorded scores with an adjustable window: the weights that each treatment of the Gaussian gives.
// Pure functions, tested against torch.

import { sum } from "../../../attn_core/browser/engine/vectors.js";
import { gaussian, softmaxInside, weigh, windowOf } from "../kit/windowing.js";

/** @import { Tensor } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { Span } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { AdjustedAttention, AdjustedWindow } from "./types.d.ts" */

/**
 * The attention in an adjusted window.
 * @param {number[]} scores
 * @param {AdjustedWindow} adjusted
 * @param {string[]} modes the treatments of the Gaussian, see `weigh`
 * @param {number[][]} gram the inner products of the encoder states, so that |c|^2 = w G w
 * @returns {AdjustedAttention}
 */
export function attentionIn(scores, { center, halfWidth, sigma, rule }, modes, gram) {
  const span = windowOf(center, halfWidth, scores.length, rule);
  const bells = gaussian(center, sigma, scores.length, span);
  const treatments = modes.map((mode) => {
    const { weights } = weigh(scores, span, bells, mode);
    return { mode, weights, massKept: sum(weights), length: contextLength(weights, gram) };
  });
  return { span, gaussian: bells, alignment: softmaxInside(scores, span), treatments };
}

/**
 * The inner products of the encoder states, which determine the length of any context vector.
 * @param {Tensor} states
 */
export function gramOf({ data, shape }) {
  const [n, size] = shape.slice(-2);
  const rows = Array.from({ length: n }, (_, s) => data.subarray(s * size, (s + 1) * size));
  return rows.map((row) => rows.map((other) => row.reduce((total, x, k) => total + x * other[k], 0)));
}

/**
 * |sum_s w_s h_s|, from the inner products of the encoder states.
 * @param {number[]} weights
 * @param {number[][]} gram
 */
function contextLength(weights, gram) {
  let square = 0;
  weights.forEach((w, i) =>
    weights.forEach((v, j) => {
      square += w * v * gram[i][j];
    }),
  );
  return Math.sqrt(Math.max(square, 0));
}

/**
 * All positions of the window, also beyond the ends of the sentence: {from, to}, inclusive.
 * @param {Pick<AdjustedWindow, "center" | "halfWidth" | "rule">} adjusted
 * @param {number} length
 */
export function slots({ center, halfWidth, rule }, length) {
  if (rule === "real") return { from: Math.ceil(center - halfWidth), to: Math.floor(center + halfWidth) };
  const middle = halfWidth === 0 ? Math.min(Math.max(Math.floor(center), 0), length - 1) : Math.floor(center);
  return { from: middle - halfWidth, to: middle + halfWidth };
}

/**
 * The words that only one of the two rules for the centre includes: {floor: [...], real: [...]}.
 * @param {Pick<AdjustedWindow, "center" | "halfWidth">} adjusted
 * @param {number} length
 */
export function disputed({ center, halfWidth }, length) {
  const [floor, real] = ["floor", "real"].map((rule) => positionsIn(windowOf(center, halfWidth, length, rule)));
  return { floor: floor.filter((s) => !real.includes(s)), real: real.filter((s) => !floor.includes(s)) };
}

/** @param {Span | null} span */
function positionsIn(span) {
  return span ? Array.from({ length: span.hi - span.lo + 1 }, (_, i) => span.lo + i) : [];
}
