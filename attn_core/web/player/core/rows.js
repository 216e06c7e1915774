// One row for each decoding step: recorded by the model or, while a slider is dragged, recomputed from its scores.

import { attend, LEARNED, sum, WINDOWS } from "./arithmetic.js";
import { asHow } from "./settings.js";

/** @import { Look, Parts, Row, Settings, Step, Trace } from "./types.d.ts" */

/**
 * The recorded rows of one head or, with null, their mean over a step's heads (see `mean`); [] without attention.
 * @param {Trace} trace
 * @param {number | null} look
 * @returns {Row[]}
 */
export function recorded(trace, look) {
  return looking(trace).map((step) => {
    const looks = chosen(step, look);
    const { center, window } = viewOf(looks[0], step);
    return { center, span: window ? { lo: window[0], hi: window[1] } : null, ...mean(looks) };
  });
}

/**
 * The rows for other settings with the states frozen; null if they cannot be computed without the model.
 * @param {Trace} trace
 * @param {number | null} look
 * @param {Settings} settings
 * @returns {Row[] | null}
 */
export function previewed(trace, look, settings) {
  if (settings.window === null || !WINDOWS.includes(settings.window)) return null; // a trace from a later version
  if (LEARNED.includes(settings.window) && trace.settings.window !== settings.window) return null; // p_t was not recorded
  if ((trace.settings.attention_type ?? "soft") !== "soft") return null; // the weights are 1 at one position
  if ((trace.settings.normalizer ?? "softmax") !== "softmax") return null; // `attend` computes a softmax
  const how = asHow(settings, trace);
  return looking(trace).map((step) => {
    const again = chosen(step, look).map((one) => attend(one.scores, how, step.t, viewOf(one, step).center, settings.centers?.[step.t]));
    return { ...again[0], ...mean(again) }; // all looks of a step have the same window
  });
}

/** p_t and window of a look: those of its step, but in an ensemble. @param {Look} look @param {Step} step */
const viewOf = ({ center = null, window }, step) => (window === undefined ? step : { center, window });

/** @param {Trace} trace */
const looking = (trace) => trace.steps.filter((step) => step.looks.length);

/**
 * @param {Step} step
 * @param {number | null} look
 */
function chosen(step, look) {
  return look === null ? step.looks : [step.looks[Math.min(look, step.looks.length - 1)]];
}

/**
 * The mean over several heads, without scores: a softmax of averaged scores would not be the averaged weights.
 * @param {Parts[]} looks
 * @returns {Parts}
 */
function mean(looks) {
  if (looks.length === 1) return partsOf(looks[0]);
  const of = (/** @type {keyof Parts} */ name) => looks[0][name].map((_, s) => looks.reduce((total, one) => total + one[name][s], 0) / looks.length);
  return { scores: [], alignment: of("alignment"), gaussian: of("gaussian"), weights: of("weights") };
}

/**
 * @param {Parts} parts
 * @returns {Parts}
 */
const partsOf = ({ scores, alignment, gaussian, weights }) => ({ scores, alignment, gaussian, weights });

/**
 * The mass that the Gaussian removed: 1 - sum of the weights, 0 if no position was in view.
 * @param {Row} row
 */
export function removed(row) {
  return row.span ? Math.max(0, 1 - sum(row.weights)) : 0;
}

/**
 * The upper end of a scale from 0 that includes the largest weight of all steps; weights set by hand, or divided by their
 * sum, may be larger than the alignment weights.
 * @param {Row[]} rows
 */
export function scaleOf(rows) {
  let most = 0;
  for (const { alignment, weights } of rows) for (const value of [...alignment, ...weights]) most = Math.max(most, value);
  return [0.1, 0.2, 0.5].find((end) => most <= end) ?? 1;
}

/**
 * The lowest and highest score of all steps, 0 included.
 * @param {Pick<Row, "scores">[]} rows
 */
export function scoreRange(rows) {
  let low = 0;
  let high = 0;
  for (const row of rows) for (const value of row.scores) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return { low, high: high > low ? high : low + 1 };
}

/**
 * Interpolate between two rows; k from 0 to 1.
 * @param {Row} from
 * @param {Row} to
 * @param {number} k
 * @returns {Row}
 */
export function between(from, to, k) {
  const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * k;
  const list = (/** @type {keyof Parts} */ name) => to[name].map((value, s) => mix(from[name][s], value));
  return {
    center: from.center === null || to.center === null ? to.center : mix(from.center, to.center),
    span: from.span && to.span ? { lo: mix(from.span.lo, to.span.lo), hi: mix(from.span.hi, to.span.hi) } : to.span,
    scores: list("scores"),
    alignment: list("alignment"),
    gaussian: list("gaussian"),
    weights: list("weights"),
  };
}
