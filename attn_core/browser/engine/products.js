// Matrix products and convolutions. Rows of inner products run in the kernel, everything else in plain loops.

import { apply1, copied, ELEMENTWISE } from "./elementwise.js";
import { broadcast, count, expanded, packed, starts, viewOf } from "./shapes.js";
import { dense, VIEWS } from "./views.js";

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").Builder} Builder */
/** @typedef {import("./types").Operation} Operation */

/** x W^T + b for every row of x. @type {Operation} */
function linear(build, x, weight, bias = null) {
  const from = dense(build, x);
  const [rows, size] = weight.shape;
  const out = build.make([...x.shape.slice(0, -1), rows]);
  const n = count(x.shape.slice(0, -1));
  const w = size === 1 || weight.strides[1] === 1 ? weight : dense(build, weight);
  build.budget?.useProducts(n * rows * size);
  const added = bias === null ? -1 : dense(build, bias).offset;
  const heap = build.heap;
  build.code.push(() => heap.products(out.offset, from.offset, w.offset, added, n, rows, size, size, w.strides[0]));
  return out;
}

/** Products of matrices, or of vectors, for all leading axes. @type {Operation} */
function matmul(build, x, y) {
  let a = x.shape.length === 1 ? viewOf(x, [1, ...x.shape], [0, ...x.strides]) : x;
  let b = y.shape.length === 1 ? viewOf(y, [...y.shape, 1], [...y.strides, 0]) : y;
  const [rows, size] = a.shape.slice(-2);
  const columns = b.shape[b.shape.length - 1];
  const lead = broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const out = build.make([...lead, rows, columns]);
  build.budget?.useProducts(count(out.shape) * size);
  if (size > 1 && a.strides[a.strides.length - 1] !== 1) a = dense(build, a);
  const inner = size === 1 || b.strides[b.strides.length - 2] === 1; // the columns lie one after another
  if (!inner && columns > 1 && b.strides[b.strides.length - 1] !== 1) b = dense(build, b);
  const [fromA, fromB] = [offsets(a, lead), offsets(b, lead)];
  const stepA = a.strides[a.strides.length - 2];
  const heap = build.heap;
  if (inner) {
    const stepB = b.strides[b.strides.length - 1];
    build.code.push(() => {
      for (let m = 0; m < fromA.length; m++) {
        heap.products(out.offset + m * rows * columns, fromA[m], fromB[m], -1, rows, columns, size, stepA, stepB);
      }
    });
  } else {
    const stepB = b.strides[b.strides.length - 2];
    build.code.push(() => {
      const F = heap.floats;
      for (let m = 0; m < fromA.length; m++) {
        for (let i = 0; i < rows; i++) {
          mix(F, out.offset + (m * rows + i) * columns, fromA[m] + i * stepA, fromB[m], size, columns, stepB);
        }
      }
    });
  }
  const shape = [...lead, ...(x.shape.length === 1 ? [] : [rows]), ...(y.shape.length === 1 ? [] : [columns])];
  return viewOf(out, shape, packed(shape));
}

/** Where the matrix of each leading index begins. @param {View} x @param {number[]} lead */
function offsets(x, lead) {
  const { strides } = expanded(x, [...lead, ...x.shape.slice(-2)]);
  return starts(x.offset, [...lead, 1], strides);
}

/**
 * A row of a product as the sum of the second matrix's rows, as a context is of the encoder's states.
 * @param {Float32Array} F @param {number} o @param {number} a @param {number} b
 * @param {number} size @param {number} columns @param {number} step
 */
function mix(F, o, a, b, size, columns, step) {
  F.fill(0, o, o + columns);
  for (let k = 0; k < size; k++) {
    const factor = F[a + k];
    const row = b + k * step;
    if (factor !== 0) for (let j = 0; j < columns; j++) F[o + j] += factor * F[row + j];
  }
}

/** beta * x + alpha * (a b). @type {Operation} */
function addmm(build, x, a, b, beta = 1, alpha = 1) {
  const product = scaled(build, matmul(build, a, b), alpha);
  return ELEMENTWISE.add(build, scaled(build, x, beta), product);
}

/** @param {Builder} build @param {any} x @param {number} factor */
function scaled(build, x, factor) {
  return factor === 1
    ? x
    : apply1(
        build,
        (F, o, a, n, sa) => {
          for (let i = 0; i < n; i++) F[o + i] = factor * F[a + i * sa];
        },
        x,
      );
}

/** Convolution over one axis; the patches under the kernel are the rows of a product. @type {Operation} */
function convolution(build, x, weight, bias, stride, padding, dilation, transposed, _outputPadding, groups) {
  if (x.shape.length !== 3 || transposed || groups !== 1) throw new Error("only plain convolutions over one axis");
  const [batch, channels, length] = x.shape;
  const [filters, , width] = weight.shape;
  const [step, around, apart] = [stride[0], padding[0], dilation[0]];
  const n = Math.floor((length + 2 * around - apart * (width - 1) - 1) / step) + 1;
  const wide = around ? /** @type {View} */ (VIEWS.constant_pad_nd(build, x, [around, around], 0)) : x;
  const [sb, sc, ss] = wide.strides;
  const patches = copied(build, viewOf(wide, [batch, n, channels, width], [sb, ss * step, sc, ss * apart]));
  const shape = [batch, n, channels * width];
  const flat = viewOf(patches, shape, packed(shape));
  const kernel = dense(build, weight);
  const rows = linear(build, flat, viewOf(kernel, [filters, channels * width], [channels * width, 1]), bias);
  return VIEWS.transpose(build, rows, 1, 2);
}

/** Products, by their names in a graph. @type {Record<string, Operation>} */
export const PRODUCTS = { addmm, bmm: matmul, convolution, dot: matmul, linear, matmul, mm: matmul, mv: matmul };
