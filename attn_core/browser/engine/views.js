// Operations that only look at memory in another way, and those that copy parts of tensors.

import { copied, tensor } from "./elementwise.js";
import { broadcast, count, expanded, fromFront, isDense, loops, packed, starts, viewOf } from "./shapes.js";

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").Builder} Builder */
/** @typedef {import("./types").Operation} Operation */

const PART = 64; // elements that a view of its own costs, in time and memory

/** A tensor without gaps: the view itself, or a copy. @param {Builder} build @param {View} x @returns {View} */
export function dense(build, x) {
  return isDense(x) ? viewOf(x, x.shape, packed(x.shape)) : copied(build, x);
}

/** @param {View} x @param {number[]} order @returns {View} */
export function permuted(x, order) {
  const axes = order.map((axis) => fromFront(axis, x.shape.length));
  return viewOf(
    x,
    axes.map((axis) => x.shape[axis]),
    axes.map((axis) => x.strides[axis]),
  );
}

/** @type {Operation} */
function view(build, x, shape) {
  const known = shape.reduce((/** @type {number} */ n, /** @type {number} */ size) => (size < 0 ? n : n * size), 1);
  const full = shape.map((/** @type {number} */ size) => (size < 0 ? count(x.shape) / known : size));
  return viewOf(dense(build, x), full, packed(full)); // dense may have copied: keep its offset
}

/** @type {Operation} */
function expand(_build, x, shape) {
  const less = shape.length - x.shape.length;
  const full = shape.map((/** @type {number} */ size, /** @type {number} */ axis) =>
    size < 0 ? x.shape[axis - less] : size,
  );
  return expanded(x, full);
}

/** @type {Operation} */
function slice(_build, x, axis = 0, start = null, end = null, step = 1) {
  const along = fromFront(axis, x.shape.length);
  const n = x.shape[along];
  const clamped = (/** @type {number} */ value) => Math.min(Math.max(value < 0 ? value + n : value, 0), n);
  const [from, to] = [clamped(start ?? 0), clamped(end ?? n)];
  const shape = x.shape.slice();
  const strides = x.strides.slice();
  shape[along] = Math.max(0, Math.ceil((to - from) / step));
  strides[along] *= step;
  return viewOf(x, shape, strides, x.offset + from * x.strides[along]);
}

/** @type {Operation} */
function select(_build, x, axis, index) {
  const along = fromFront(axis, x.shape.length);
  const position = index < 0 ? index + x.shape[along] : index;
  const without = (/** @type {number[]} */ list) => list.filter((_, i) => i !== along);
  return viewOf(x, without(x.shape), without(x.strides), x.offset + position * x.strides[along]);
}

/** @type {Operation} */
function squeeze(_build, x, axes = x.shape.keys()) {
  const rank = x.shape.length;
  const gone = new Set([...(typeof axes === "number" ? [axes] : axes)].map((axis) => fromFront(axis, rank)));
  const kept = [...x.shape.keys()].filter((axis) => !(gone.has(axis) && x.shape[axis] === 1));
  return permuted(x, kept);
}

/** @type {Operation} */
function unsqueeze(_build, x, axis) {
  const along = fromFront(axis, x.shape.length + 1);
  return viewOf(x, x.shape.toSpliced(along, 0, 1), x.strides.toSpliced(along, 0, 0));
}

/** @type {Operation} */
function transpose(_build, x, one, other) {
  const order = [...x.shape.keys()];
  const [a, b] = [fromFront(one, order.length), fromFront(other, order.length)];
  [order[a], order[b]] = [order[b], order[a]];
  return permuted(x, order);
}

/** @type {Operation} */
function splitWithSizes(build, x, sizes, axis = 0) {
  let start = 0;
  return sizes.map((/** @type {number} */ size) => slice(build, x, axis, start, (start += size)));
}

/** @type {Operation} */
function split(build, x, size, axis = 0) {
  const n = x.shape[fromFront(axis, x.shape.length)];
  const pieces = Math.max(1, Math.ceil(n / size));
  build.budget?.useElements(PART * pieces);
  const sizes = Array.from({ length: pieces }, (_, i) => Math.min(size, n - i * size));
  return splitWithSizes(build, x, sizes, axis);
}

/** @type {Operation} */
function unbind(build, x, axis = 0) {
  const n = x.shape[fromFront(axis, x.shape.length)];
  build.budget?.useElements(PART * n);
  return Array.from({ length: n }, (_, i) => /** @type {View} */ (select(build, x, axis, i)));
}

/** @type {Operation} */
function cat(build, tensors, axis = 0) {
  const first =
    tensors.find((/** @type {View} */ tensor) => tensor.shape.length > 1 || tensor.shape[0] > 0) ?? tensors[0];
  const along = fromFront(axis, first.shape.length);
  const used = tensors.filter((/** @type {View} */ tensor) => count(tensor.shape) > 0);
  const shape = first.shape.slice();
  shape[along] = used.reduce((/** @type {number} */ n, /** @type {View} */ tensor) => n + tensor.shape[along], 0);
  if (used.length === 1) return used[0];
  const out = build.make(shape);
  let start = 0;
  for (const tensor of used) {
    copyInto(build, tensor, /** @type {View} */ (slice(build, out, along, start, (start += tensor.shape[along]))));
  }
  return out;
}

/** Copy `x` to where `to` looks. @param {Builder} build @param {View} x @param {View} to */
function copyInto(build, x, to) {
  if (!count(x.shape)) return;
  const {
    sizes,
    strides: [ofX, ofTo],
  } = loops(x.shape, [x, to]);
  const [from, into] = [starts(x.offset, sizes, ofX), starts(to.offset, sizes, ofTo)];
  const axis = sizes.length - 1;
  const [n, stepX, stepTo] = [sizes[axis], ofX[axis], ofTo[axis]];
  const heap = build.heap;
  build.code.push(
    stepX === 1 && stepTo === 1
      ? () => {
          const F = heap.floats;
          for (let m = 0; m < from.length; m++) F.copyWithin(into[m], from[m], from[m] + n);
        }
      : () => {
          const F = heap.floats;
          for (let m = 0; m < from.length; m++) {
            for (let i = 0; i < n; i++) F[into[m] + i * stepTo] = F[from[m] + i * stepX];
          }
        },
  );
}

/** The offset of every element of a view. @param {View} x */
export function places(x) {
  return starts(x.offset, [...x.shape, 1], x.strides);
}

/** @param {Builder} build @param {number[]} shape @param {number} value */
function filled(build, shape, value) {
  return expanded(build.cell(value), shape);
}

/** @type {Operation} */
function flip(_build, x, axes) {
  const strides = x.strides.slice();
  let offset = x.offset;
  for (const axis of axes) {
    const along = fromFront(axis, x.shape.length);
    offset += (x.shape[along] - 1) * strides[along];
    strides[along] = -strides[along];
  }
  return viewOf(x, x.shape, strides, offset);
}

/** Zeros, or another value, around a tensor; negative widths cut it. @type {Operation} */
function pad(build, x, widths, value = 0) {
  const shape = x.shape.slice();
  let inner = x;
  /** @type {[number, number][]} */
  const ends = [];
  for (let i = 0; i < widths.length; i += 2) {
    const axis = shape.length - 1 - i / 2;
    const [before, after] = [widths[i], widths[i + 1]];
    inner = /** @type {View} */ (slice(build, inner, axis, Math.max(0, -before), x.shape[axis] - Math.max(0, -after)));
    shape[axis] += before + after;
    ends[axis] = [Math.max(0, before), inner.shape[axis]];
  }
  const out = copied(build, filled(build, shape, value));
  let target = out;
  ends.forEach(([before, n], axis) => {
    target = /** @type {View} */ (slice(build, target, axis, before, before + n));
  });
  copyInto(build, inner, target);
  return out;
}

/** @type {Operation} */
function arange(build, start, end, step = 1) {
  const [from, to] = end === undefined ? [0, start] : [start, end];
  const distance = typeof from === "object" ? to.live.plus - from.live.plus : to - from;
  const n = Math.max(0, Math.ceil(distance / step));
  const first = tensor(build, from);
  const out = build.make([n]);
  const heap = build.heap;
  build.code.push(() => {
    const F = heap.floats;
    for (let i = 0; i < n; i++) F[out.offset + i] = F[first.offset] + i * step;
  });
  return out;
}

/** A tensor that is written in the graph. @type {Operation} */
function constant(build, values) {
  /** @type {number[]} */
  const shape = [];
  for (let level = values; Array.isArray(level); level = level[0]) shape.push(level.length);
  const flat = [values].flat(Infinity).map(Number);
  const out = build.make(shape);
  const heap = build.heap;
  build.code.push(() => heap.floats.set(flat, out.offset));
  return out;
}

/** Views and copies, by their names in a graph. @type {Record<string, Operation>} */
export const VIEWS = {
  _unsafe_view: view,
  arange,
  broadcast_tensors: (_build, tensors) => {
    const shape = broadcast(...tensors.map((/** @type {View} */ tensor) => tensor.shape));
    return tensors.map((/** @type {View} */ tensor) => expanded(tensor, shape));
  },
  cat,
  constant,
  constant_pad_nd: pad,
  empty: (build, shape) => filled(build, shape, 0),
  empty_like: (build, x) => filled(build, x.shape, 0),
  empty_permuted: (build, shape) => filled(build, shape, 0),
  expand,
  flip,
  full: (build, shape, value) => filled(build, shape, value),
  full_like: (build, x, value) => filled(build, x.shape, value),
  item: (_build, list, index) => list[index],
  ones_like: (build, x) => filled(build, x.shape, 1),
  permute: (_build, x, order) => permuted(x, order),
  repeat: (build, x, times) => repeat(build, x, times),
  reshape: view,
  scalar_tensor: (build, value) => tensor(build, value),
  select,
  slice,
  split,
  split_with_sizes: splitWithSizes,
  squeeze,
  stack: (build, tensors, axis = 0) =>
    cat(
      build,
      tensors.map((/** @type {View} */ tensor) => unsqueeze(build, tensor, fromFront(axis, tensor.shape.length + 1))),
      fromFront(axis, tensors[0].shape.length + 1),
    ),
  t: (_build, x) => permuted(x, [...x.shape.keys()].reverse()),
  transpose,
  unbind,
  unsqueeze,
  view,
  zeros_like: (build, x) => filled(build, x.shape, 0),
};

/** @type {Operation} */
function repeat(build, x, times) {
  const lead = Array(times.length - x.shape.length).fill(1);
  const sizes = [...lead, ...x.shape];
  const strides = [...lead.map(() => 0), ...x.strides];
  const shape = sizes.flatMap((size, axis) => [times[axis], size]);
  const whole = copied(
    build,
    viewOf(
      x,
      shape,
      strides.flatMap((stride) => [0, stride]),
    ),
  );
  return view(
    build,
    whole,
    sizes.map((size, axis) => size * times[axis]),
  );
}
