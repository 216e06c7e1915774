// From recorded scores to weights: window, softmax inside it, Gaussian, product (Luong 2015, section 3.2, eq. 7 and 10).
// Pure functions, tested against torch. Positions count from 0 in written order; a span {lo, hi} is inclusive, null = empty.

/** @import { How, Row, Span } from "./types.d.ts" */

/** The windows that can be recomputed here. */
export const WINDOWS = ["global", "local-m", "local-p"];
export const LEARNED = ["local-p"]; // the windows whose p_t the model computes, so that it is taken from the record

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
 * The Gaussian at a distance from its centre, 1 at 0.
 * @param {number} distance
 * @param {number} sigma
 */
export function bell(distance, sigma) {
  return Math.exp(-(distance * distance) / (2 * sigma * sigma));
}

/**
 * Softmax of the scores in the span; exactly 0 outside it.
 * @param {number[]} scores
 * @param {Span | null} span
 */
export function softmaxInside(scores, span) {
  const values = new Array(scores.length).fill(0);
  if (!span) return values;
  let highest = -Infinity;
  for (let s = span.lo; s <= span.hi; s++) highest = Math.max(highest, scores[s]);
  let total = 0;
  for (let s = span.lo; s <= span.hi; s++) total += values[s] = Math.exp(scores[s] - highest);
  for (let s = span.lo; s <= span.hi; s++) values[s] /= total;
  return values;
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
    const weights = softmaxInside(scores.map((score, s) => score * bells[s]), span);
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
 * Recompute one look from its scores.
 * `how`: window ("global" | "local-m" | "local-p"), halfWidth, sigma (number or null), rule ("floor" | "real"),
 * mode (see `weigh`), localM ("clamp" | "text"). `t` is the decoding step, `center` the recorded p_t (for local-p).
 * `byHand`: a p_t in place of the window's own. Throws for another window.
 * @param {number[]} scores
 * @param {How} how
 * @param {number} t
 * @param {number | null} center
 * @param {number} [byHand]
 * @returns {Row}
 */
export function attend(scores, how, t, center, byHand) {
  if (how.window === null || !WINDOWS.includes(how.window)) throw new Error(`a window that is not known here: ${how.window}`);
  const length = scores.length;
  const own = LEARNED.includes(how.window) ? center : how.window === "local-m" ? monotonic(t, length, how.localM) : null;
  const where = own === null ? null : byHand ?? own;
  const text = how.window === "local-m" && how.localM === "text";
  const span =
    where === null ? (length ? { lo: 0, hi: length - 1 } : null)
      : windowOf(where, how.halfWidth, length, how.rule, !text);
  const bells = gaussian(where, where === null ? null : how.sigma, length, span);
  return { center: where, span, scores, gaussian: bells, ...weigh(scores, span, bells, how.mode) };
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

/** @param {number[]} values */
export function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
