// Shapes and strides of tensors. Everything here happens once, when a plan is made.

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").Builder} Builder */

/** The number of elements of a shape. @param {number[]} shape */
export function count(shape) {
  return shape.reduce((n, size) => n * size, 1);
}

/** The strides of a tensor without gaps, the last axis first in memory. @param {number[]} shape */
export function packed(shape) {
  const strides = new Array(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

/** Whether the elements of a view lie one after another. @param {View} view */
export function isDense(view) {
  let step = 1;
  for (let axis = view.shape.length - 1; axis >= 0; axis--) {
    if (view.shape[axis] !== 1 && view.strides[axis] !== step) return false;
    step *= view.shape[axis];
  }
  return true;
}

/**
 * Another view of the same memory.
 * @param {View} view
 * @param {number[]} shape
 * @param {number[]} strides
 * @returns {View}
 */
export function viewOf(view, shape, strides, offset = view.offset) {
  return { offset, shape, strides, buffer: view.buffer };
}

/** An axis counted from the front; -1 is the last. @param {number} axis @param {number} rank */
export function fromFront(axis, rank) {
  return axis < 0 ? axis + rank : axis;
}

/** The indices of all elements of a tensor. @param {number[]} shape @returns {number[][]} */
export const indices = ([size, ...rest]) =>
  size === undefined
    ? [[]]
    : Array.from({ length: size }, (_, i) => indices(rest).map((index) => [i, ...index])).flat();

/** The common shape of tensors whose axes of length 1 are repeated. @param {number[][]} shapes */
export function broadcast(...shapes) {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const sizes = shapes.map((shape) => shape[axis - rank + shape.length] ?? 1);
    return sizes.find((size) => size !== 1) ?? 1;
  });
}

/** A view repeated to `shape`, by strides of 0. @param {View} view @param {number[]} shape @returns {View} */
export function expanded(view, shape) {
  const less = shape.length - view.shape.length;
  const strides = shape.map((_, axis) =>
    axis < less || view.shape[axis - less] === 1 ? 0 : view.strides[axis - less],
  );
  return viewOf(view, shape, strides);
}

/**
 * The loops over a packed result and views of its shape: axes of length 1 are left out, and neighbouring axes joined
 * where all views allow it. `strides[v]` are those of view v; the last loop is the innermost.
 * @param {number[]} shape
 * @param {View[]} views
 */
export function loops(shape, views) {
  /** @type {number[]} */
  const sizes = [];
  const strides = views.map(() => /** @type {number[]} */ ([]));
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] === 1) continue;
    const outer = sizes.length - 1;
    if (outer >= 0 && views.every((view, v) => view.strides[axis] === strides[v][outer] * sizes[outer])) {
      sizes[outer] *= shape[axis];
    } else {
      sizes.push(shape[axis]);
      views.forEach((view, v) => strides[v].push(view.strides[axis]));
    }
  }
  if (!sizes.length) {
    sizes.push(1);
    strides.forEach((list) => list.push(0));
  }
  return { sizes: sizes.reverse(), strides: strides.map((list) => list.reverse()) };
}

/**
 * The offsets of a view at which the innermost loop starts, in the order of the outer loops.
 * @param {number} offset
 * @param {number[]} sizes
 * @param {number[]} strides
 */
export function starts(offset, sizes, strides) {
  const axes = sizes.length - 1;
  const offsets = new Int32Array(count(sizes.slice(0, axes)));
  if (offsets.length) offsets[0] = offset;
  let known = 1; // from the last of the outer loops on
  for (let axis = axes - 1; axis >= 0; axis--) {
    for (let i = known; i < known * sizes[axis] && offsets.length; i++) offsets[i] = offsets[i - known] + strides[axis];
    known *= sizes[axis];
  }
  return offsets;
}
