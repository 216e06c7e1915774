// Where an element comes from, for the operations that only move numbers: which argument it is taken from, and its
// index there.

import { fromFront } from "./shapes.js";

/**
 * What a move may ask about the arguments of its node.
 * @typedef {object} Around
 * @property {(arg: any) => number[]} shape
 * @property {(arg: any, index: number[]) => number} value
 * @property {number[]} out the shape of the result
 *
 * @typedef {{ arg: any, index: number[] }} From
 * A move returns null for an element that is not from an argument.
 * @typedef {(index: number[], args: any[], around: Around) => From | null} Move
 */

/** @param {number[]} index @param {number} axis @param {number} value */
const at = (index, axis, value) => index.with(axis, value);

/** The index of the same element in a tensor of another shape. @param {number[]} index @param {number[]} shape
 * @param {number[]} other */
function reshaped(index, shape, other) {
  let position = index.reduce((sum, i, axis) => sum * shape[axis] + i, 0);
  return other.map((_, axis) => {
    const below = other.slice(axis + 1).reduce((n, size) => n * size, 1);
    const i = Math.floor(position / below);
    position -= i * below;
    return i;
  });
}

/**
 * The index in a tensor that was repeated along its axes of length 1.
 * @param {number[]} index
 * @param {number[]} shape
 */
export function repeated(index, shape) {
  return shape.map((size, axis) => (size === 1 ? 0 : index[index.length - shape.length + axis]));
}

/** @type {Move} */
const reshape = (index, [x], { shape, out }) => ({ arg: x, index: reshaped(index, out, shape(x)) });

/** @type {Record<string, Move>} */
export const MOVES = {
  cat(index, [parts, axis = 0], { shape, out }) {
    const along = fromFront(axis, out.length);
    let i = index[along];
    const arg = parts.find((/** @type {any} */ part) => {
      const [size] = shape(part).slice(along);
      if (shape(part).length !== out.length || i >= size) i -= shape(part).length === out.length ? size : 0;
      else return true;
      return false;
    });
    return { arg, index: at(index, along, i) };
  },
  constant_pad_nd(index, [x, pads], { shape }) {
    const sizes = shape(x);
    // From the last axis on: before, after
    const from = index.map((i, axis) => i - (pads[2 * (sizes.length - 1 - axis)] ?? 0));
    return from.every((i, axis) => i >= 0 && i < sizes[axis]) ? { arg: x, index: from } : null;
  },
  expand: (index, [x], { shape }) => ({ arg: x, index: repeated(index, shape(x)) }),
  gather(index, [x, axis, places], { value, out }) {
    return { arg: x, index: at(index, fromFront(axis, out.length), value(places, index)) };
  },
  permute(index, [x, order]) {
    const from = new Array(index.length);
    order.forEach((/** @type {number} */ axis, /** @type {number} */ i) => {
      from[fromFront(axis, index.length)] = index[i];
    });
    return { arg: x, index: from };
  },
  select(index, [x, axis, place], { shape }) {
    const along = fromFront(axis, shape(x).length);
    return { arg: x, index: index.toSpliced(along, 0, fromFront(place, shape(x)[along])) };
  },
  slice(index, [x, axis = 0, start = 0, , step = 1], { shape, out }) {
    const along = fromFront(axis, out.length);
    const first = Math.max(fromFront(start ?? 0, shape(x)[along]), 0);
    return { arg: x, index: at(index, along, first + step * index[along]) };
  },
  squeeze(index, [x, axes], { shape }) {
    const sizes = shape(x);
    const gone = new Set(
      (axes === undefined ? [...sizes.keys()] : [axes].flat()).map((/** @type {number} */ axis) =>
        fromFront(axis, sizes.length),
      ),
    );
    let next = 0;
    return { arg: x, index: sizes.map((size, axis) => (size === 1 && gone.has(axis) ? 0 : index[next++])) };
  },
  transpose(index, [x, one, other]) {
    const [a, b] = [fromFront(one, index.length), fromFront(other, index.length)];
    return { arg: x, index: index.with(a, index[b]).with(b, index[a]) };
  },
  unsqueeze: (index, [x, axis]) => ({ arg: x, index: index.toSpliced(fromFront(axis, index.length), 1) }),
  view: reshape,
  where(index, [condition, yes, no], { shape, value }) {
    const arg = value(condition, repeated(index, shape(condition))) ? yes : no;
    return { arg, index: repeated(index, shape(arg)) };
  },
};

/**
 * Operations that return several tensors: where part `i` begins in their argument.
 * @type {Record<string, (i: number, args: any[]) => [axis: number, start: number]>}
 */
export const PARTS = {
  split_with_sizes: (i, [, sizes, axis = 0]) => [
    axis,
    sizes.slice(0, i).reduce((/** @type {number} */ n, /** @type {number} */ size) => n + size, 0),
  ],
};
