// One row for each decoding step, as it was recorded.

import { bell, sum } from "../../engine/vectors.js";

/** @import { Changes, Look, Parts, Picture, Row, Shape, Step, Trace } from "./types.d.ts" */

/**
 * The recorded rows of one head or, with null, their mean over a step's heads (see `mean`); [] without attention.
 * @param {Trace} trace
 * @param {number | null} headIndex
 * @returns {Row[]}
 */
export function recordedRows(trace, headIndex) {
  return attendingSteps(trace).map((step) => {
    const looks = chosenLooks(step, headIndex);
    const { center, window } = windowOf(looks[0], step);
    return {
      center,
      span: window ? { lo: window[0], hi: window[1] } : null,
      ...mean(looks),
      ...lanesOf(step, headIndex),
    };
  });
}

/**
 * The weights of all heads in the layer of a head, if there are several.
 * @param {Step} step
 * @param {number | null} headIndex
 */
function lanesOf({ looks }, headIndex) {
  if (headIndex === null) return {};
  const lanes = looks.filter(({ layer }) => layer === looks[headIndex]?.layer);
  return lanes.length > 1 ? { lanes: lanes.map(({ weights }) => weights), lane: lanes.indexOf(looks[headIndex]) } : {};
}

/** p_t and window of a look: those of its step, but in an ensemble. @param {Look} look @param {Step} step */
const windowOf = ({ center = null, window }, step) => (window === undefined ? step : { center, window });

/** @param {Trace} trace */
const attendingSteps = (trace) => trace.steps.filter((step) => step.looks.length);

/**
 * @param {Step} step
 * @param {number | null} headIndex
 */
function chosenLooks(step, headIndex) {
  return headIndex === null ? step.looks : [step.looks[Math.min(headIndex, step.looks.length - 1)]];
}

/**
 * The mean over several heads, without scores: a softmax of averaged scores would not be the averaged weights.
 * @param {Parts[]} looks
 * @returns {Parts}
 */
function mean(looks) {
  if (looks.length === 1) return partsOf(looks[0]);
  const of = (/** @type {keyof Parts} */ name) =>
    looks[0][name].map((_, s) => looks.reduce((total, parts) => total + parts[name][s], 0) / looks.length);
  return { scores: [], alignment: of("alignment"), gaussian: of("gaussian"), weights: of("weights") };
}

/**
 * @param {Parts} parts
 * @returns {Parts}
 */
const partsOf = ({ scores, alignment, gaussian, weights }) => ({ scores, alignment, gaussian, weights });

const CLOSE = 1e-3; // between a recorded Gaussian and the bell curve of its width
const SMALL = 1e-30; // smaller numbers have few digits in the record

/**
 * What a trace's windows and Gaussians look like: whether some positions are out of view or the window has a centre,
 * whether a Gaussian changes any weight, and its width, if it is a bell curve of the same width at every step.
 * @param {Trace} trace
 * @param {number | null} headIndex
 * @returns {Shape}
 */
export function shapeOf(trace, headIndex) {
  const last = trace.source.length - 1;
  let local = false;
  /** @type {{ distance: number, value: number }[]} */
  const values = [];
  for (const step of attendingSteps(trace)) {
    for (const look of chosenLooks(step, headIndex)) {
      const { center, window } = windowOf(look, step);
      local ||= center !== null || Boolean(window && (window[0] > 0 || window[1] < last));
      for (let s = window?.[0] ?? 0; window && s <= window[1]; s++) {
        if (!step.excluded?.includes(s))
          values.push({ distance: center === null ? NaN : s - center, value: look.gaussian[s] });
      }
    }
  }
  return { local, bell: values.some(({ value }) => value !== 1), width: widthOf(values) };
}

/**
 * The width of the bell curve that these values are on; null if they are on none.
 * @param {{ distance: number, value: number }[]} values
 */
function widthOf(values) {
  const steepest = values
    .filter(({ value }) => value < 1 && value > SMALL)
    .sort((one, other) => one.value - other.value)[0];
  if (!steepest) return null;
  const width = Math.abs(steepest.distance) / Math.sqrt(-2 * Math.log(steepest.value));
  return values.every(({ distance, value }) => Math.abs(bell(distance, width) - value) < CLOSE) ? width : null;
}

/**
 * Whether the attention is hard: at every step at most one position has a weight, which is 1, though its alignment
 * weight is smaller. Weights that a reader has set say nothing.
 * @param {Trace} trace
 */
export function isHard({ steps, settings: { edits = [] } }) {
  const set = new Set(edits.filter(({ kind }) => kind === "weights").map(({ step }) => step));
  const looks = steps.flatMap((step, t) => (set.has(t) ? [] : step.looks));
  return (
    looks.every(({ weights }) => weights.every((weight) => weight === 0 || weight === 1)) &&
    looks.some(({ weights, alignment }) => weights.some((weight, s) => weight === 1 && alignment[s] < 1))
  );
}

/**
 * The mass that the Gaussian removed: 1 - sum of the weights, 0 if no position was in view.
 * @param {Row} row
 */
export function removed(row) {
  return row.span ? Math.max(0, 1 - sum(row.weights)) : 0;
}

/**
 * The upper end of a scale from 0 that includes the largest weight of all steps; weights set by hand, or divided by
 * their sum, may be larger than the alignment weights.
 * @param {Row[]} rows
 */
export function scaleOf(rows) {
  let most = 0;
  for (const { alignment, weights } of rows)
    for (const value of [...alignment, ...weights]) most = Math.max(most, value);
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
 * When the parts of a step change on the way to the next one, from 0 to 1, where the order of computation is not known.
 * @type {Changes}
 */
const USUAL = {
  query: [0, 0.25],
  scores: [0.15, 0.45],
  alignment: [0.35, 0.6],
  gaussian: [0.4, 0.65],
  weights: [0.5, 0.75],
  context: [0.7, 1],
};

/**
 * How far a part has changed, from 0 to 1.
 * @param {[from: number, to: number]} turn when it changes
 * @param {number} share of the time between two steps
 */
function progressOf([from, to], share) {
  return 1 - (1 - Math.min(Math.max((share - from) / (to - from), 0), 1)) ** 3;
}

/**
 * The picture between two steps, at a share of the time from 0 to 1: its parts change in the order in which they are
 * computed.
 * @param {Row} from
 * @param {Row} to
 * @param {number} share
 * @param {Changes} [changes]
 * @returns {Picture}
 */
export function between(from, to, share, changes = USUAL) {
  const changed = Object.fromEntries(
    Object.entries({ ...USUAL, ...changes }).map(([part, turn]) => [part, progressOf(turn, share)]),
  );
  const mix = (/** @type {number} */ a, /** @type {number} */ b, /** @type {string} */ part) =>
    a + (b - a) * changed[part];
  const list = (/** @type {keyof Parts} */ name) => to[name].map((value, s) => mix(from[name][s], value, name));
  return {
    center: from.center === null || to.center === null ? to.center : mix(from.center, to.center, "query"),
    span:
      from.span && to.span
        ? { lo: mix(from.span.lo, to.span.lo, "query"), hi: mix(from.span.hi, to.span.hi, "query") }
        : to.span,
    scores: list("scores"),
    alignment: list("alignment"),
    gaussian: list("gaussian"),
    weights: list("weights"),
    ...(to.lanes
      ? {
          lanes: to.lanes.map((weights, lane) =>
            weights.map((weight, s) => mix(from.lanes?.[lane]?.[s] ?? weight, weight, "weights")),
          ),
          lane: to.lane,
        }
      : {}),
    changed,
  };
}
