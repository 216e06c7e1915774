// Operations on elements. The loops that run most are written out: a function shared by several operations would be
// called for every element instead of compiled into the loop.

import { broadcast, count, expanded, loops, starts } from "./shapes.js";

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").Builder} Builder */
/** @typedef {import("./types").Operation} Operation */
/** @typedef {(F: Float32Array, o: number, a: number, n: number, sa: number) => void} Loop1 */
/** @typedef {(F: Float32Array, o: number, a: number, n: number, sa: number, b: number, sb: number) => void} Loop2 */

/** @type {Record<string, Loop1>} */
const WRITTEN_1 = {
  copy(F, o, a, n, sa) {
    for (let i = 0; i < n; i++) F[o + i] = F[a + i * sa];
  },
  exp(F, o, a, n, sa) {
    for (let i = 0; i < n; i++) F[o + i] = Math.exp(F[a + i * sa]);
  },
  sigmoid(F, o, a, n, sa) {
    for (let i = 0; i < n; i++) F[o + i] = 1 / (1 + Math.exp(-F[a + i * sa]));
  },
  tanh(F, o, a, n, sa) {
    for (let i = 0; i < n; i++) F[o + i] = Math.tanh(F[a + i * sa]);
  },
  relu(F, o, a, n, sa) {
    for (let i = 0; i < n; i++) F[o + i] = Math.max(0, F[a + i * sa]);
  },
};

/** @type {Record<string, (x: number) => number>} */
const FUNCTIONS_1 = {
  abs: Math.abs,
  bitwise_not: (x) => 1 - x, // of true and false, which are 1 and 0
  bool: (x) => Number(x !== 0),
  ceil: Math.ceil,
  cos: Math.cos,
  erf,
  expm1: Math.expm1,
  floor: Math.floor,
  isinf: (x) => Number(Math.abs(x) === Infinity),
  isnan: (x) => Number(Number.isNaN(x)),
  log: Math.log,
  log1p: Math.log1p,
  log2: Math.log2,
  logical_not: (x) => Number(x === 0),
  neg: (x) => -x,
  reciprocal: (x) => 1 / x,
  round: halfToEven,
  rsqrt: (x) => 1 / Math.sqrt(x),
  sign: Math.sign,
  sin: Math.sin,
  sqrt: Math.sqrt,
  trunc: Math.trunc,
};

/** @type {Record<string, Loop2>} */
const WRITTEN_2 = {
  add(F, o, a, n, sa, b, sb) {
    for (let i = 0; i < n; i++) F[o + i] = F[a + i * sa] + F[b + i * sb];
  },
  sub(F, o, a, n, sa, b, sb) {
    for (let i = 0; i < n; i++) F[o + i] = F[a + i * sa] - F[b + i * sb];
  },
  mul(F, o, a, n, sa, b, sb) {
    for (let i = 0; i < n; i++) F[o + i] = F[a + i * sa] * F[b + i * sb];
  },
  div(F, o, a, n, sa, b, sb) {
    for (let i = 0; i < n; i++) F[o + i] = F[a + i * sa] / F[b + i * sb];
  },
};

/** @type {Record<string, (x: number, y: number) => number>} */
const FUNCTIONS_2 = {
  atan2: Math.atan2,
  bitwise_and: (x, y) => x * y,
  bitwise_or: (x, y) => Math.max(x, y),
  bitwise_xor: (x, y) => Number(x !== y),
  eq: (x, y) => Number(x === y),
  fmod: (x, y) => x % y,
  ge: (x, y) => Number(x >= y),
  gt: (x, y) => Number(x > y),
  le: (x, y) => Number(x <= y),
  logical_and: (x, y) => Number(x !== 0 && y !== 0),
  logical_or: (x, y) => Number(x !== 0 || y !== 0),
  logical_xor: (x, y) => Number((x !== 0) !== (y !== 0)),
  lt: (x, y) => Number(x < y),
  maximum: Math.max,
  minimum: Math.min,
  ne: (x, y) => Number(x !== y),
  pow: Math.pow,
  remainder: (x, y) => x - y * Math.floor(x / y),
};

/** @param {(x: number) => number} f @returns {Loop1} */
function loop1(f) {
  return (F, o, a, n, sa) => {
    for (let i = 0; i < n; i++) F[o + i] = f(F[a + i * sa]);
  };
}

/** @param {(x: number, y: number) => number} f @returns {Loop2} */
function loop2(f) {
  return (F, o, a, n, sa, b, sb) => {
    for (let i = 0; i < n; i++) F[o + i] = f(F[a + i * sa], F[b + i * sb]);
  };
}

/** A tensor for an argument that may be a number. @param {Builder} build @param {View | number} value */
export function tensor(build, value) {
  return typeof value === "object" ? value : build.cell(Number(value));
}

/** Append a loop with one argument to the plan. @param {Builder} build @param {Loop1} loop @param {View} x */
export function apply1(build, loop, x, out = build.make(x.shape)) {
  const { sizes, strides } = loops(x.shape, [x]);
  const n = sizes[sizes.length - 1];
  const step = strides[0][sizes.length - 1];
  const heap = build.heap;
  const from = starts(x.offset, sizes, strides[0]);
  const to = out.offset;
  if (!count(x.shape)) return out;
  if (from.length === 1) build.code.push(() => loop(heap.floats, to, x.offset, n, step));
  else {
    build.code.push(() => {
      for (let row = 0; row < from.length; row++) loop(heap.floats, to + row * n, from[row], n, step);
    });
  }
  return out;
}

/** Append a loop with two arguments. @param {Builder} build @param {Loop2} loop @param {View} x @param {View} y */
function apply2(build, loop, x, y) {
  const shape = broadcast(x.shape, y.shape);
  const out = build.make(shape);
  if (!count(shape)) return out;
  const a = expanded(x, shape);
  const b = expanded(y, shape);
  const { sizes, strides } = loops(shape, [a, b]);
  const n = sizes[sizes.length - 1];
  const [sa, sb] = strides.map((list) => list[sizes.length - 1]);
  const [fromA, fromB] = [starts(a.offset, sizes, strides[0]), starts(b.offset, sizes, strides[1])];
  const heap = build.heap;
  const to = out.offset;
  if (fromA.length === 1) build.code.push(() => loop(heap.floats, to, a.offset, n, sa, b.offset, sb));
  else {
    build.code.push(() => {
      for (let row = 0; row < fromA.length; row++) loop(heap.floats, to + row * n, fromA[row], n, sa, fromB[row], sb);
    });
  }
  return out;
}

/** A tensor without gaps: the view itself, or a copy. @param {Builder} build @param {View} x */
export function copied(build, x) {
  return apply1(build, WRITTEN_1.copy, x);
}

/** where(condition, x, y). @type {Operation} */
function where(build, condition, x, y) {
  const operands = [condition, tensor(build, x), tensor(build, y)];
  const shape = broadcast(...operands.map((operand) => operand.shape));
  const out = build.make(shape);
  if (!count(shape)) return out;
  const views = operands.map((operand) => expanded(operand, shape));
  const { sizes, strides } = loops(shape, views);
  const n = sizes[sizes.length - 1];
  const [sc, sa, sb] = strides.map((list) => list[sizes.length - 1]);
  const [fromC, fromA, fromB] = views.map((view, v) => starts(view.offset, sizes, strides[v]));
  const heap = build.heap;
  build.code.push(() => {
    const F = heap.floats;
    let o = out.offset;
    for (let row = 0; row < fromC.length; row++) {
      const [c, a, b] = [fromC[row], fromA[row], fromB[row]];
      for (let i = 0; i < n; i++) F[o++] = F[c + i * sc] ? F[a + i * sa] : F[b + i * sb];
    }
  });
  return out;
}

/** @type {Operation} */
function clamp(build, x, low = null, high = null) {
  const least = low === null ? -Infinity : low;
  const most = high === null ? Infinity : high;
  if (typeof least === "object" || typeof most === "object") {
    return apply2(build, loop2(Math.min), apply2(build, loop2(Math.max), x, tensor(build, least)), tensor(build, most));
  }
  return apply1(
    build,
    loop1((value) => Math.min(Math.max(value, least), most)),
    x,
  );
}

/** x + alpha * y, and x - alpha * y. @param {"add" | "sub"} name @returns {Operation} */
function plus(name) {
  return (build, x, y, alpha = 1) => {
    const second = tensor(build, y);
    const scaled = alpha === 1 ? second : apply2(build, WRITTEN_2.mul, second, build.cell(alpha));
    return apply2(build, WRITTEN_2[name], tensor(build, x), scaled);
  };
}

/** @type {Operation} */
function div(build, x, y, rounding = null) {
  const quotient = apply2(build, WRITTEN_2.div, tensor(build, x), tensor(build, y));
  if (rounding === null) return quotient;
  return apply1(build, loop1(rounding === "floor" ? Math.floor : Math.trunc), quotient);
}

/** Powers; a whole exponent such as 2 is exact. @type {Operation} */
function pow(build, x, y) {
  if (y === 2) return apply2(build, WRITTEN_2.mul, x, x);
  return apply2(build, loop2(FUNCTIONS_2.pow), tensor(build, x), tensor(build, y));
}

/** gelu(x) = x * (1 + erf(x / sqrt(2))) / 2, or its approximation by tanh. @type {Operation} */
function gelu(build, x, approximate = "none") {
  const exact = approximate === "none";
  const c = Math.sqrt(2 / Math.PI);
  return apply1(
    build,
    loop1((v) => 0.5 * v * (1 + (exact ? erf(v / Math.SQRT2) : Math.tanh(c * (v + 0.044715 * v ** 3))))),
    x,
  );
}

/** The exponential distribution with this rate, from uniform numbers. @type {Operation} */
function exponential(build, x, rate = 1) {
  const random = build.random;
  return apply1(
    build,
    loop1(() => -Math.log(random.next()) / rate),
    x,
  );
}

/** erf(x), to 1.2e-7 of its complement (Numerical Recipes, section 6.2). @param {number} x */
function erf(x) {
  const t = 1 / (1 + 0.5 * Math.abs(x));
  const coefficients = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368,
    -1.26551223,
  ];
  const sum = coefficients.reduce((total, part) => total * t + part, 0);
  const complement = t * Math.exp(-x * x + sum);
  return x >= 0 ? 1 - complement : complement - 1;
}

/** The nearest whole number; halves go to the even one, as in torch. @param {number} x */
function halfToEven(x) {
  const near = Math.round(x);
  return near - x === 0.5 && near % 2 !== 0 ? near - 1 : near;
}

/** @type {Record<string, Operation>} */
const named1 = Object.fromEntries(
  [
    ...Object.entries(WRITTEN_1),
    ...Object.entries(FUNCTIONS_1).map(([name, f]) => /** @type {[string, Loop1]} */ ([name, loop1(f)])),
  ].map(([name, loop]) => [name, /** @type {Operation} */ ((build, x) => apply1(build, loop, x))]),
);

/** @type {Record<string, Operation>} */
const named2 = Object.fromEntries(
  [
    ...Object.entries(WRITTEN_2),
    ...Object.entries(FUNCTIONS_2).map(([name, f]) => /** @type {[string, Loop2]} */ ([name, loop2(f)])),
  ].map(([name, loop]) => [
    name,
    /** @type {Operation} */ ((build, x, y) => apply2(build, loop, tensor(build, x), tensor(build, y))),
  ]),
);

/** Operations on elements, by their names in a graph. @type {Record<string, Operation>} */
export const ELEMENTWISE = {
  ...named1,
  ...named2,
  add: plus("add"),
  clamp,
  clamp_max: (build, x, high) => clamp(build, x, null, high),
  clamp_min: (build, x, low) => clamp(build, x, low),
  div,
  exponential,
  gelu,
  pow,
  sub: plus("sub"),
  where,
};
