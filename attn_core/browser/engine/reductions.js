// Operations over whole axes: sums, softmax, sorting.

import { tensor } from "./elementwise.js";
import { count, fromFront, viewOf } from "./shapes.js";
import { dense, permuted } from "./views.js";

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").Builder} Builder */
/** @typedef {import("./types").Heap} Heap */
/** @typedef {import("./types").Operation} Operation */

/**
 * The numbers of `x` with some axes last and without gaps, so that each row of `n` is reduced to one number.
 * @param {Builder} build
 * @param {View} x
 * @param {number | number[] | null} [axes] all of them by default
 */
function rows(build, x, axes) {
  const rank = x.shape.length;
  const list = axes === undefined || axes === null ? [...x.shape.keys()] : [axes].flat();
  const reduced = new Set((list.length ? list : [...x.shape.keys()]).map((axis) => fromFront(axis, rank)));
  const kept = [...x.shape.keys()].filter((axis) => !reduced.has(axis));
  const together = dense(build, permuted(x, [...kept, ...reduced]));
  const n = [...reduced].reduce((size, axis) => size * x.shape[axis], 1);
  build.budget?.useElements(count(x.shape));
  return {
    from: together.offset,
    n,
    shape: kept.map((axis) => x.shape[axis]),
    withOnes: x.shape.map((size, axis) => (reduced.has(axis) ? 1 : size)),
  };
}

/** @param {(F: Float32Array, from: number, n: number) => number} reduce @returns {Operation} */
function reduction(reduce) {
  return (build, x, axes, keep = false) => {
    const { from, n, shape, withOnes } = rows(build, x, axes);
    const out = build.make(keep ? withOnes : shape);
    const heap = build.heap;
    const all = count(shape);
    build.code.push(() => {
      for (let row = 0; row < all; row++) heap.floats[out.offset + row] = reduce(heap.floats, from + row * n, n);
    });
    return out;
  };
}

/** @param {Float32Array} F @param {number} from @param {number} n */
function total(F, from, n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += F[from + i];
  return sum;
}

/** The index of the first largest number. @param {Float32Array} F @param {number} from @param {number} n */
export function argmax(F, from, n) {
  let best = 0;
  for (let i = 1; i < n; i++) if (F[from + i] > F[from + best] || Number.isNaN(F[from + i])) best = i;
  return best;
}

/** @param {Float32Array} F @param {number} from @param {number} n */
function argmin(F, from, n) {
  let best = 0;
  for (let i = 1; i < n; i++) if (F[from + i] < F[from + best]) best = i;
  return best;
}

/** @param {Float32Array} F @param {number} from @param {number} n */
function largest(F, from, n) {
  let best = -Infinity;
  for (let i = 0; i < n; i++) if (F[from + i] > best) best = F[from + i];
  return best;
}

/** The largest or smallest number along an axis, and its index. @param {typeof argmax} choose @returns {Operation} */
function extreme(choose) {
  return (build, x, axis, keep = false) => {
    if (axis === undefined) return reduction((F, from, n) => F[from + choose(F, from, n)])(build, x);
    const index = /** @type {View} */ (reduction(choose)(build, x, axis, keep));
    return [reduction((F, from, n) => F[from + choose(F, from, n)])(build, x, axis, keep), index];
  };
}

/**
 * An operation on every row along one axis, whose result has the shape of its argument.
 * @param {(F: Float32Array, o: number, from: number, n: number, heap: Heap) => void} change
 * @returns {Operation}
 */
function alongAxis(change) {
  return (build, x, axis) => {
    const rank = x.shape.length;
    const along = fromFront(axis, rank);
    const order = [...x.shape.keys()].filter((dimension) => dimension !== along).concat(rank ? [along] : []);
    const together = dense(build, permuted(x, order));
    const out = build.make(together.shape);
    const n = rank ? x.shape[along] : 1;
    const rows = n ? count(x.shape) / n : 0;
    const heap = build.heap;
    build.code.push(() => {
      for (let row = 0; row < rows; row++)
        change(heap.floats, out.offset + row * n, together.offset + row * n, n, heap);
    });
    return permuted(
      out,
      order.map((_, axis) => order.indexOf(axis)),
    );
  };
}

/** @param {Float32Array} F @param {number} o @param {number} from @param {number} n */
function softmax(F, o, from, n) {
  const best = largest(F, from, n);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += F[o + i] = Math.exp(F[from + i] - best);
  for (let i = 0; i < n; i++) F[o + i] /= sum;
}

/**
 * The longest of all rows is that of the next word's log probabilities.
 * @param {Float32Array} F @param {number} o @param {number} from @param {number} n @param {Heap} heap
 */
function logSoftmax(F, o, from, n, heap) {
  const best = largest(F, from, n);
  const logSum = Math.log(heap.exponentials(from, n, best));
  for (let i = 0; i < n; i++) F[o + i] = F[from + i] - best - logSum;
}

/** @param {Float32Array} F @param {number} o @param {number} from @param {number} n */
function cumsum(F, o, from, n) {
  let sum = 0;
  for (let i = 0; i < n; i++) F[o + i] = sum += F[from + i];
}

/**
 * The sorted numbers along an axis and their indices; equal numbers keep their order.
 * @param {Builder} build @param {View} x @param {number} axis @param {boolean} descending
 */
function sorted(build, x, axis, descending) {
  const index = /** @type {View} */ (
    alongAxis((F, o, from, n) => {
      const order = Array.from({ length: n }, (_, i) => i);
      order.sort((i, j) => (descending ? F[from + j] - F[from + i] : F[from + i] - F[from + j]) || i - j);
      for (let i = 0; i < n; i++) F[o + i] = order[i];
    })(build, x, axis)
  );
  const values = alongAxis((F, o, from, n) => {
    const numbers = F.slice(from, from + n).sort();
    if (descending) numbers.reverse();
    F.set(numbers, o);
  })(build, x, axis);
  return [values, index];
}

/** @type {Operation} */
function topk(build, x, k, axis = -1) {
  const along = fromFront(axis, x.shape.length);
  return sorted(build, x, axis, true).map((sortedView) => {
    const numbers = /** @type {View} */ (sortedView);
    return viewOf(numbers, numbers.shape.with(along, k), numbers.strides);
  });
}

/** LayerNorm over the last axes (Ba 2016). @type {Operation} */
function layerNorm(build, x, shape, weight = null, bias = null, epsilon = 1e-5) {
  const together = dense(build, x);
  const out = build.make(x.shape);
  const n = count(shape);
  const rows = count(x.shape) / n;
  const scale = weight === null ? null : dense(build, weight);
  const shift = bias === null ? null : dense(build, bias);
  const heap = build.heap;
  build.code.push(() => {
    const F = heap.floats;
    for (let row = 0; row < rows; row++) {
      const [from, o] = [together.offset + row * n, out.offset + row * n];
      const mean = total(F, from, n) / n;
      let square = 0;
      for (let i = 0; i < n; i++) square += (F[from + i] - mean) ** 2;
      const factor = 1 / Math.sqrt(square / n + epsilon);
      for (let i = 0; i < n; i++) {
        const normed = (F[from + i] - mean) * factor * (scale ? F[scale.offset + i] : 1);
        F[o + i] = normed + (shift ? F[shift.offset + i] : 0);
      }
    }
  });
  return out;
}

/** The variance with `correction` fewer degrees of freedom. @type {Operation} */
function variance(build, x, axes = null, correction = 1, keep = false) {
  return reduction((F, from, n) => {
    const mean = total(F, from, n) / n;
    let square = 0;
    for (let i = 0; i < n; i++) square += (F[from + i] - mean) ** 2;
    return square / Math.max(0, n - (correction ?? 1));
  })(build, x, axes, keep);
}

/** The p-norm of whole axes. @type {Operation} */
function norm(build, x, p = 2, axes = null, keep = false) {
  return reduction((F, from, n) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.abs(F[from + i]) ** p;
    return sum ** (1 / p);
  })(build, tensor(build, x), axes, keep);
}

/** @param {(F: Float32Array, from: number, n: number) => boolean} holds @returns {Operation} */
function test(holds) {
  return reduction((F, from, n) => Number(holds(F, from, n)));
}

/** Reductions, by their names in a graph. @type {Record<string, Operation>} */
export const REDUCTIONS = {
  _log_softmax: alongAxis(logSoftmax),
  _softmax: alongAxis(softmax),
  all: test((F, from, n) => F.subarray(from, from + n).every(Boolean)),
  amax: reduction(largest),
  amin: reduction((F, from, n) => F[from + argmin(F, from, n)]),
  any: test((F, from, n) => F.subarray(from, from + n).some(Boolean)),
  argmax: reduction(argmax),
  argmin: reduction(argmin),
  cumsum: alongAxis(cumsum),
  layer_norm: layerNorm,
  linalg_vector_norm: norm,
  logsumexp: reduction((F, from, n) => {
    const best = largest(F, from, n);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.exp(F[from + i] - best);
    return n && best > -Infinity ? best + Math.log(sum) : -Infinity;
  }),
  max: extreme(argmax),
  mean: reduction((F, from, n) => total(F, from, n) / n),
  min: extreme(argmin),
  native_layer_norm: (build, x, shape, weight, bias, epsilon) => [layerNorm(build, x, shape, weight, bias, epsilon)],
  prod: reduction((F, from, n) => F.subarray(from, from + n).reduce((product, value) => product * value, 1)),
  sort: (build, x, ...rest) => {
    const [axis, descending] = typeof rest[0] === "number" ? rest : rest.slice(1); // sort, or sort.stable
    return sorted(build, x, axis ?? -1, descending ?? false);
  },
  sum: reduction(total),
  topk,
  var: variance,
};
