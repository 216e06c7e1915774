// By hand, for the labs: from scores to weights by a window, a softmax inside it, a Gaussian and their product (Luong
// 2015, section 3.2, eq. 7 and 10). Pure functions, tested against torch. Positions count from 0 in written order; a
// span {lo, hi} is inclusive, null = empty.

import { bell, softmax, sum } from "../../../attn_core/browser/engine/vectors.js";

/** @import { Span } from "../../../attn_core/browser/player/core/types.d.ts" */

const TINY = 1.1754943508222875e-38; // the smallest normal float32, by which torch divides if no mass is left

/**
 * Source positions in the window around `center`, clipped to the sentence.
 * rule "floor": floor(p_t) - D .. floor(p_t) + D, the authors' code; "real": |s - p_t| <= D.
 * `stays`: with D = 0, a saturated p_t = S is moved to the last word; otherwise no word would be in view.
 * @param {number} center
 * @param {number} halfWidth
 * @param {number} length
 * @param {string} [rule]
 * @param {boolean} [stays]
 * @returns {Span | null}
 */
export function windowOf(center, halfWidth, length, rule = "floor", stays = true) {
  let lo, hi;
  if (rule === "real") {
    lo = Math.ceil(center - halfWidth);
    hi = Math.floor(center + halfWidth);
  } else {
    let middle = Math.floor(center);
    if (halfWidth === 0 && stays) middle = Math.min(Math.max(middle, 0), length - 1);
    lo = middle - halfWidth;
    hi = middle + halfWidth;
  }
  lo = Math.max(lo, 0);
  hi = Math.min(hi, length - 1);
  return lo <= hi ? { lo, hi } : null;
}

/**
 * exp(-(s - p_t)^2 / 2 sigma^2) in the span, 0 outside; ones inside when sigma is null or 0 (D = 0 links it to 0).
 * @param {number | null} center
 * @param {number | null} sigma
 * @param {number} length
 * @param {Span | null} span
 */
export function gaussian(center, sigma, length, span) {
  const values = new Array(length).fill(0);
  if (span) {
    for (let s = span.lo; s <= span.hi; s++) values[s] = sigma && center !== null ? bell(s - center, sigma) : 1;
  }
  return values;
}

/**
 * Softmax of the scores in the span; exactly 0 outside it.
 * @param {number[]} scores
 * @param {Span | null} span
 */
export function softmaxInside(scores, span) {
  const { lo, hi } = span ?? { lo: 0, hi: -1 };
  const inside = softmax(scores.slice(lo, hi + 1));
  return scores.map((_, s) => inside[s - lo] ?? 0);
}

/**
 * Alignment and weights from scores, span and Gaussian.
 * "after_softmax": alignment x Gaussian, not renormalised (the paper); "renorm": divided by its sum;
 * "on_scores": softmax(score x Gaussian), the authors' normLocalAttn, where alignment and weights are equal.
 * @param {number[]} scores
 * @param {Span | null} span
 * @param {number[]} bells
 * @param {string} [mode]
 */
export function weigh(scores, span, bells, mode = "after_softmax") {
  if (mode === "on_scores") {
    const weights = softmaxInside(
      scores.map((score, s) => score * bells[s]),
      span,
    );
    return { alignment: weights, weights };
  }
  const alignment = softmaxInside(scores, span);
  let weights = alignment.map((share, s) => share * bells[s]);
  if (mode === "renorm") {
    const total = Math.max(sum(weights), TINY);
    weights = weights.map((weight) => weight / total);
  }
  return { alignment, weights };
}

/**
 * p_t of local-m: t, or with "clamp" (the authors' code) at most the last word.
 * @param {number} t
 * @param {number} length
 * @param {string} [rule]
 */
export function monotonic(t, length, rule = "clamp") {
  return rule === "text" ? t : Math.min(t, length - 1);
}

/**
 * D for a model that was trained without a window.
 * @param {number} length
 */
export const usualWidth = (length) => Math.min(2, Math.max(length - 1, 0));
