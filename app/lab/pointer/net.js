// The choices of a pointer network (attn_core/synthetic/pointer/net.py), and the correct answers of
// attn_core/synthetic/pointer/problems.py. Pure functions, tested against both.

import { encoderStates } from "../../../attn_core/browser/player/core/step-graph.js";

/** @import { Plan } from "../../../attn_core/browser/engine/plan.js" */
/** @import { Constraint, PointerNet } from "../../../attn_core/browser/engine/pointer.js" */
/** @import { Choice, Input, Task } from "./types.d.ts" */

export const STOP = 0; // the position of the end; the inputs are positions 1 to n

/**
 * The network's greedy choices for `inputs`.
 * @param {PointerNet} net
 * @param {Input[]} inputs
 * @param {Constraint} constraint
 * @param {string[]} [vectors] quantities that are recorded too; the encoder states, which stay the same, at the first
 * step only
 * @returns {Choice[]}
 */
export function choose(net, inputs, constraint, vectors = []) {
  /** @type {Choice[]} */
  const steps = [];
  const states = encoderStates(net.json.quantities ?? {});
  const row = (/** @type {Plan} */ plan, /** @type {string} */ name) => Array.from(plan.output(`looks.0.${name}`));
  net.choose(inputs, {
    constraint,
    onStep(plan, place, t, stepper) {
      const names = vectors.filter((id) => t === 0 || id !== states);
      const recorded = Object.fromEntries(names.map((id) => [id, stepper.quantity(plan, id)]));
      const choice = { scores: row(plan, "scores"), weights: row(plan, "weights"), place };
      steps.push(vectors.length ? { ...choice, vectors: recorded } : choice);
    },
  });
  return steps;
}

/**
 * The indices of the inputs that were chosen before the end.
 * @param {{ place: number }[]} steps
 */
export const pointedAt = (steps) =>
  steps
    .map(({ place }) => place)
    .filter((place) => place !== STOP)
    .map((place) => place - 1);

/**
 * Indices of the corners of the convex hull, counter-clockwise from the first corner in the input.
 * @param {Input[]} points
 */
function hullOf(points) {
  const order = points.map((_, i) => i).sort((i, j) => points[i][0] - points[j][0] || points[i][1] - points[j][1]);
  const chain = (/** @type {number[]} */ walk) => {
    /** @type {number[]} */
    const kept = [];
    for (const i of walk) {
      while (kept.length > 1 && turn(points[kept[kept.length - 2]], points[kept[kept.length - 1]], points[i]) <= 0)
        kept.pop();
      kept.push(i);
    }
    return kept.slice(0, -1);
  };
  const corners = [...chain(order), ...chain(order.reverse())];
  const first = corners.indexOf(Math.min(...corners));
  return [...corners.slice(first), ...corners.slice(0, first)];
}

/**
 * @param {Input} a
 * @param {Input} b
 * @param {Input} c
 */
const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/**
 * Indices in increasing order of their numbers; equal numbers keep their order.
 * @param {Input[]} numbers
 */
const sortedOf = (numbers) => numbers.map((_, i) => i).sort((i, j) => numbers[i][0] - numbers[j][0] || i - j);

/**
 * Whether two closed walks are equal up to start and direction.
 * @param {number[]} gold
 * @param {number[]} output
 */
export function samePolygon(gold, output) {
  if (gold.length !== output.length || new Set(output).size !== output.length) return false;
  const first = output.indexOf(gold[0]);
  if (first < 0) return false;
  const forward = [...output.slice(first), ...output.slice(0, first)];
  const backward = [forward[0], ...forward.slice(1).reverse()];
  return [forward, backward].some((walk) => walk.every((index, i) => index === gold[i]));
}

const DISTANCES = [0.02, 0.12]; // of numbers and of points, so that their discs do not overlap
const TRIES = 200; // for an input, before it may be closer

/**
 * `n` random inputs of `sides` numbers from 0 to 1 with three decimals, apart from one another and from `others`.
 * @param {number} n
 * @param {number} sides
 * @param {() => number} dice
 * @param {Input[]} [others]
 * @returns {Input[]}
 */
export function scattered(n, sides, dice, others = []) {
  const inputs = [...others];
  const isApart = (/** @type {Input} */ input) =>
    inputs.every((other) => Math.hypot(...input.map((value, k) => value - other[k])) >= DISTANCES[sides - 1]);
  while (inputs.length < others.length + n) {
    /** @type {Input} */
    let input = [];
    for (let i = 0; i < TRIES; i++) {
      input = Array.from({ length: sides }, () => Math.round(dice() * 1000) / 1000);
      if (isApart(input)) break;
    }
    inputs.push(input);
  }
  return inputs.slice(others.length);
}

/** @type {Record<string, Task>} */
export const TASKS = {
  hull: { answer: hullOf, right: samePolygon },
  sort: {
    answer: sortedOf,
    right: (gold, output) => gold.length === output.length && gold.every((index, i) => index === output[i]),
  },
};

const WRITTEN = /^(?:[01](?:\.\d+)?|\.\d+)(?:-(?:[01](?:\.\d+)?|\.\d+))?$/;

/** Inputs as written in the address: `0.1-0.25_0.9-0.3`. @param {Input[]} inputs */
export const inputsText = (inputs) => inputs.map((input) => input.join("-")).join("_");

/**
 * Inputs from the address: at most `most` of `sides` numbers from 0 to 1, none for an empty text; null if they are not
 * valid.
 * @param {string} text
 * @param {number} sides
 * @param {number} most
 */
export function inputsIn(text, sides, most) {
  const parts = text ? text.split("_") : [];
  const inputs = parts.map((part) => part.split("-").map(Number));
  const isValid =
    parts.length <= most &&
    parts.every((part) => WRITTEN.test(part)) &&
    inputs.every((input) => input.length === sides && input.every((value) => value <= 1));
  return isValid ? inputs : null;
}
