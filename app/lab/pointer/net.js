// The pointer network of attn_core/synthetic/pointer/net.py on plain arrays, fast enough to run at every pointer move, and
// the correct answers of attn_core/synthetic/pointer/problems.py. Pure functions, tested against both.

import { softmaxInside } from "../../../attn_core/web/player/core/arithmetic.js";

/** @import { Carry, Choice, Input, Net, Numbers, Packed, Task, Weights } from "./types.d.ts" */

export const STOP = 0; // the position of the end; the inputs are positions 1 to n

/**
 * A network's weights by name, {rows, columns, data}, from their shapes and their float16 numbers in base64.
 * @param {Packed} packed
 * @returns {Net}
 */
export function unpack({ shapes, half }) {
  const bytes = Uint8Array.from(atob(half), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  /** @type {Net} */
  const found = {};
  let at = 0;
  for (const [name, [rows, columns = 1]] of Object.entries(shapes)) {
    const data = Float64Array.from({ length: rows * columns }, () => float16(view.getUint16((at++) * 2, true)));
    found[name] = { rows, columns, data };
  }
  return found;
}

/**
 * The number with the given 16 bits (IEEE 754).
 * @param {number} bits
 */
export function float16(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? (fraction ? NaN : Infinity) : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >> 15 ? -size : size;
}

/**
 * The network's greedy choices for `inputs`: [{scores, weights, place}].
 * `constraint` as in attn_core.synthetic.pointer.CONSTRAINTS.
 * @param {Net} net
 * @param {Input[]} inputs
 * @param {string} [constraint]
 * @returns {Choice[]}
 */
export function choose(net, inputs, constraint = "none") {
  const { rows: n } = net.stop;
  /** @type {Carry} */
  let state = { h: new Float64Array(n), c: new Float64Array(n) };
  const memory = [net.stop.data];
  for (const input of inputs) memory.push((state = stepped(net, "encoder", input, state)).h);
  const keys = memory.map((vector) => product(net["attention.score.U_a.weight"], vector));
  const used = memory.map(() => false);
  const steps = [];
  /** @type {Numbers} */
  let read = net.start.data;
  while (steps.length < memory.length) {
    state = stepped(net, "decoder", read, state);
    const query = product(net["attention.score.W_a.weight"], state.h);
    const scores = keys.map((key) => scored(net["attention.score.v_a"].data, query, key));
    const weights = softmaxOver(scores, allowed(used, constraint));
    const place = weights.indexOf(Math.max(...weights));
    steps.push({ scores, weights, place });
    if (place === STOP) break;
    used[place] = true;
    read = inputs[place - 1];
  }
  return steps;
}

/**
 * Equation 3: v . tanh(W_1 e_j + W_2 d_i).
 * @param {Numbers} v
 * @param {Numbers} query
 * @param {Numbers} key
 */
function scored(v, query, key) {
  let total = 0;
  for (let i = 0; i < v.length; i++) total += v[i] * Math.tanh(query[i] + key[i]);
  return total;
}

/**
 * @param {boolean[]} used
 * @param {string} constraint
 */
function allowed(used, constraint) {
  if (constraint === "none") return used.map(() => true);
  const all = used.every((was, place) => place === STOP || was);
  return used.map((was, place) => (place === STOP ? constraint === "distinct" || all : !was));
}

/**
 * @param {number[]} scores
 * @param {boolean[]} may
 */
function softmaxOver(scores, may) {
  const kept = scores.filter((_, s) => may[s]);
  const weights = softmaxInside(kept, { lo: 0, hi: kept.length - 1 });
  let next = 0;
  return scores.map((_, s) => (may[s] ? weights[next++] : 0));
}

/**
 * One step of an LSTM; torch's order of gates is i, f, g, o.
 * @param {Net} net
 * @param {string} part
 * @param {Numbers} input
 * @param {Carry} carry
 * @returns {Carry}
 */
function stepped(net, part, input, { h, c }) {
  const gates = product(net[`${part}.weight_ih_l0`], input);
  const from = product(net[`${part}.weight_hh_l0`], h);
  const [b, d] = [net[`${part}.bias_ih_l0`].data, net[`${part}.bias_hh_l0`].data];
  const n = h.length;
  const next = { h: new Float64Array(n), c: new Float64Array(n) };
  const gate = (/** @type {number} */ k) => gates[k] + from[k] + b[k] + d[k];
  for (let i = 0; i < n; i++) {
    next.c[i] = sigmoid(gate(n + i)) * c[i] + sigmoid(gate(i)) * Math.tanh(gate(2 * n + i));
    next.h[i] = sigmoid(gate(3 * n + i)) * Math.tanh(next.c[i]);
  }
  return next;
}

/** @param {number} x */
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/**
 * @param {Weights} weights
 * @param {Numbers} x
 */
function product({ rows, columns, data }, x) {
  const found = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let total = 0;
    for (let j = 0; j < columns; j++) total += data[i * columns + j] * x[j];
    found[i] = total;
  }
  return found;
}

/**
 * The indices of the inputs that were chosen before the end.
 * @param {{ place: number }[]} steps
 */
export const pointedAt = (steps) => steps.map(({ place }) => place).filter((place) => place !== STOP).map((place) => place - 1);

/**
 * Indices of the corners of the convex hull, counter-clockwise from the first corner in the input.
 * @param {Input[]} points
 */
export function hullOf(points) {
  const order = points.map((_, i) => i).sort((i, j) => points[i][0] - points[j][0] || points[i][1] - points[j][1]);
  const chain = (/** @type {number[]} */ walk) => {
    /** @type {number[]} */
    const kept = [];
    for (const i of walk) {
      while (kept.length > 1 && turn(points[kept[kept.length - 2]], points[kept[kept.length - 1]], points[i]) <= 0) kept.pop();
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
export const sortedOf = (numbers) => numbers.map((_, i) => i).sort((i, j) => numbers[i][0] - numbers[j][0] || i - j);

/**
 * Whether two closed walks are equal up to start and direction.
 * @param {number[]} gold
 * @param {number[]} said
 */
export function samePolygon(gold, said) {
  if (gold.length !== said.length || new Set(said).size !== said.length) return false;
  const first = said.indexOf(gold[0]);
  if (first < 0) return false;
  const turned = [...said.slice(first), ...said.slice(0, first)];
  const back = [turned[0], ...turned.slice(1).reverse()];
  return [turned, back].some((walk) => walk.every((place, i) => place === gold[i]));
}

/** @type {Record<string, Task>} */
export const TASKS = {
  hull: { answer: hullOf, right: samePolygon },
  sort: { answer: sortedOf, right: (gold, said) => gold.length === said.length && gold.every((place, i) => place === said[i]) },
};
