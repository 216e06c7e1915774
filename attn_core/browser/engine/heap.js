// One memory for weights, constants and the values of plans, and the loops over it that take most of the time: in
// WebAssembly where it is available, otherwise in JavaScript.

import { kernel } from "./kernel.js";

const PAGE = 65536 / 4; // floats

/** @typedef {import("./types").Heap} Heap */

/** @implements {Heap} */
export class Memory {
  /** @param {boolean} simd whether to use WebAssembly */
  constructor(simd = true) {
    this.end = PAGE; // address 0 stands for no bias
    this.wasm = simd && typeof WebAssembly === "object" ? new WebAssembly.Memory({ initial: 2 }) : null;
    this.floats = this.wasm ? new Float32Array(this.wasm.buffer) : new Float32Array(2 * PAGE);
    const compiled = this.wasm ? kernel(this.wasm) : null;
    if (!compiled) this.wasm = null;
    /** @type {Heap["products"]} */
    this.products = compiled
      ? (out, x, w, bias, n, rows, size, stepX, stepW) =>
          compiled.products(out << 2, x << 2, w << 2, bias < 0 ? 0 : bias << 2, n, rows, size, stepX, stepW)
      : (out, x, w, bias, n, rows, size, stepX, stepW) =>
          products(this.floats, out, x, w, bias, n, rows, size, stepX, stepW);
    /** @type {Heap["exponentials"]} */
    this.exponentials = compiled
      ? (x, n, most) => compiled.exponentials(x << 2, n, most)
      : (x, n, most) => exponentials(this.floats, x, n, most);
  }

  /** The address of `size` floats that stay. @param {number} size */
  reserve(size) {
    const start = this.end;
    this.end += Math.ceil(size / 4) * 4;
    this.grow(this.end);
    return start;
  }

  /** Make room for addresses below `end`. @param {number} end */
  grow(end) {
    if (end <= this.floats.length) return;
    const pages = Math.ceil(end / PAGE);
    if (this.wasm) {
      this.wasm.grow(pages - this.wasm.buffer.byteLength / 65536);
      this.floats = new Float32Array(this.wasm.buffer);
    } else {
      const larger = new Float32Array(pages * PAGE);
      larger.set(this.floats);
      this.floats = larger;
    }
  }
}

/** As in kernel.c. @param {Float32Array} F @param {number} x @param {number} n @param {number} most */
function exponentials(F, x, n, most) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.exp(F[x + i] - most);
  return sum;
}

/**
 * As in kernel.c. Four rows at a time read each number of x once.
 * @param {Float32Array} F @param {number} out @param {number} x @param {number} w @param {number} bias
 * @param {number} n @param {number} rows @param {number} size @param {number} stepX @param {number} stepW
 */
function products(F, out, x, w, bias, n, rows, size, stepX, stepW) {
  for (let i = 0; i < n; i++) {
    const vector = x + i * stepX;
    const to = out + i * rows;
    let r = 0;
    for (; r + 3 < rows; r += 4) {
      const row = w + r * stepW;
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let k = 0; k < size; k++) {
        const value = F[vector + k];
        a += F[row + k] * value;
        b += F[row + stepW + k] * value;
        c += F[row + 2 * stepW + k] * value;
        d += F[row + 3 * stepW + k] * value;
      }
      F[to + r] = a;
      F[to + r + 1] = b;
      F[to + r + 2] = c;
      F[to + r + 3] = d;
    }
    for (; r < rows; r++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += F[w + r * stepW + k] * F[vector + k];
      F[to + r] = sum;
    }
    if (bias >= 0) for (r = 0; r < rows; r++) F[to + r] += F[bias + r];
  }
}
