// A plan executes a graph for inputs of fixed sizes: every shape, address and loop is decided once, and running it is a
// list of function calls that create no objects.

import { operation } from "./operations.js";
import { count, isDense, packed } from "./shapes.js";
import { places } from "./views.js";

/** @typedef {import("./types").Buffer} Buffer */
/** @typedef {import("./types").Builder} Builder */
/** @typedef {import("./types").GraphJSON} GraphJSON */
/** @typedef {import("./types").Put} Put */
/** @typedef {import("./types").Tensor} Tensor */
/** @typedef {import("./types").Value} Value */
/** @typedef {import("./types").View} View */

/**
 * Memory of one plan: a buffer is used again as soon as no value needs it any more.
 * @implements {Builder}
 */
export class Arena {
  /**
   * @param {import("./heap.js").Memory} heap
   * @param {number} base the first float of the region that all plans share
   * @param {{ next: () => number }} random
   * @param {import("./budget.js").Budget | null} budget
   */
  constructor(heap, base, random, budget = null) {
    this.heap = heap;
    this.random = random;
    this.budget = budget;
    this.end = base;
    /** @type {(() => void)[]} */
    this.code = [];
    /** @type {Buffer[]} buffers that no value uses */
    this.free = [];
    /** @type {Buffer[]} buffers that the present operation made */
    this.made = [];
  }

  /** A new tensor, whose numbers are not set. @param {number[]} shape @returns {View} */
  make(shape) {
    this.budget?.useElements(count(shape));
    const size = Math.ceil(count(shape) / 4) * 4;
    const index = this.free.findIndex((buffer) => buffer.size >= size && buffer.size <= 2 * size + 64);
    const buffer = index < 0 ? { offset: this.end, size, values: 0 } : this.free.splice(index, 1)[0];
    if (index < 0) this.end += size;
    this.made.push(buffer);
    return { offset: buffer.offset, shape, strides: packed(shape), buffer };
  }

  /** A tensor with one number. @param {number} value */
  cell(value) {
    const out = this.make([]);
    this.code.push(() => {
      this.heap.floats[out.offset] = value;
    });
    return out;
  }

  /** Count a value's use of its buffers. @param {Value} value */
  keep(value) {
    for (const buffer of buffersOf(value)) buffer.values++;
  }

  /** The opposite of `keep`. @param {Value} value */
  drop(value) {
    for (const buffer of buffersOf(value)) if (--buffer.values === 0) this.free.push(buffer);
  }

  /** Free what the present operation made and did not return. */
  settle() {
    for (const buffer of this.made) if (!buffer.values) this.free.push(buffer);
    this.made = [];
  }
}

/** @param {Value} value @returns {Buffer[]} */
function buffersOf(value) {
  if (Array.isArray(value)) return value.flatMap(buffersOf);
  return value !== null && typeof value === "object" && value.buffer ? [value.buffer] : [];
}

/**
 * The place of the value whose memory an output shows.
 * @param {GraphJSON} graph @param {Map<number, Value>} values @param {string} output
 */
function computedAs(graph, values, output) {
  let node = Number(output.slice(1));
  for (;;) {
    const [buffer] = buffersOf(values.get(node) ?? null);
    const [, ...args] = graph.nodes[node - graph.inputs.length];
    const from = references(args).find(
      (reference) => reference >= graph.inputs.length && buffersOf(values.get(reference) ?? null).includes(buffer),
    );
    if (!buffer || from === undefined) return node;
    node = from;
  }
}

/** A graph for inputs of fixed sizes. */
export class Plan {
  /**
   * @param {GraphJSON} graph
   * @param {Arena} arena
   * @param {Record<string, Tensor | number>} inputs
   * @param {(name: string) => View} weight
   * @param {Map<number, Value>} known values of nodes that depend on no input
   * @param {Set<string>} live see `liveInputs`
   * @param {string} model
   */
  constructor(graph, arena, inputs, weight, known, live, model) {
    this.graph = graph;
    this.heap = arena.heap;
    this.live = live;
    /** @type {number[]} the numbers among the inputs that are not live, and the lengths of the tensors' axes */
    this.sizes = graph.inputs.flatMap((name) => {
      const input = inputs[name];
      return typeof input !== "number" ? input.shape : live.has(name) ? [] : [input];
    });
    const values = new Map(known);
    const { last, used } = usesOf(graph);
    /** @type {Map<number, number>} for each node the number of calls after which its numbers are there */
    const ends = new Map();
    /** @type {(View | null)[]} */
    this.inputs = graph.inputs.map((name, node) => {
      const input = inputs[name];
      const isNumber = typeof input === "number";
      const value = isNumber ? (live.has(name) ? arena.make([]) : input) : arena.make(input.shape);
      if (isNumber && typeof value === "object") value.live = { input: name, plus: 0 };
      values.set(node, value);
      arena.keep(value);
      return typeof value === "number" ? null : value;
    });
    arena.made = [];
    graph.nodes.forEach(([name, ...args], i) => {
      const node = graph.inputs.length + i;
      if (!last.has(node) || values.has(node)) return;
      const value = computed(
        arena,
        name,
        model,
        args.map((arg) => decoded(arg, values, weight)),
      );
      values.set(node, value);
      arena.keep(value);
      arena.settle();
      ends.set(node, arena.code.length);
      for (const reference of used[i]) {
        if (last.get(reference) === node && !known.has(reference)) arena.drop(values.get(reference) ?? null);
      }
    });
    /** @type {Record<string, View>} */
    this.outputs = {};
    for (const [name, reference] of Object.entries(graph.outputs)) {
      this.outputs[name] = /** @type {View} */ (decoded(reference, values, weight));
    }
    this.heap.grow(arena.end);
    this.code = arena.code;
    /**
     * The number of calls after which an output is computed. An output that is a view of another tensor, as that of one
     * of several heads, is computed with that tensor, before what else is computed from it.
     * @type {(name: string) => number}
     */
    this.computed = (name) => ends.get(computedAs(graph, values, graph.outputs[name])) ?? 0;
    /** @type {Map<string, Float32Array>} outputs that lie on the heap one number after another */
    this.parts = new Map();
  }

  /** Whether this plan fits the inputs. @param {Record<string, Tensor | number>} inputs */
  fits(inputs) {
    let position = 0;
    for (const name of this.graph.inputs) {
      const input = inputs[name];
      if (typeof input === "number") {
        if (!this.live.has(name) && this.sizes[position++] !== input) return false;
      } else for (const size of input.shape) if (this.sizes[position++] !== size) return false;
    }
    return true;
  }

  /**
   * @param {Record<string, Tensor | number>} inputs
   * @param {Pick<Put, "output" | "numbers">[]} put numbers that replace those of an output as soon as it is computed
   */
  run(inputs, put = []) {
    const F = this.heap.floats;
    const names = this.graph.inputs;
    for (let i = 0; i < names.length; i++) {
      const to = this.inputs[i];
      const input = inputs[names[i]];
      if (to === null) continue;
      if (typeof input === "number") F[to.offset] = input;
      else F.set(input.data, to.offset);
    }
    const code = this.code;
    let position = 0;
    const runTo = (/** @type {number} */ end) => {
      while (position < end) code[position++]();
    };
    for (const { output, numbers } of [...put].sort(
      (one, other) => this.computed(one.output) - this.computed(other.output),
    )) {
      runTo(this.computed(output));
      places(this.outputs[output]).forEach((offset, i) => {
        F[offset] = numbers ? numbers[i] : 0;
      });
    }
    runTo(code.length);
  }

  /**
   * The numbers of an output; where they lie one after another, of the heap itself, so they are valid until the next
   * run.
   * @param {string} name
   */
  output(name) {
    const floats = this.heap.floats;
    const known = this.parts.get(name);
    if (known?.buffer === floats.buffer) return known;
    const view = this.outputs[name];
    if (isDense(view)) {
      const part = floats.subarray(view.offset, view.offset + count(view.shape));
      this.parts.set(name, part);
      return part;
    }
    return gathered(floats, view);
  }
}

/**
 * The numbers of a view whose rows do not lie one after another, such as those of heads.
 * @param {Float32Array} floats @param {View} view
 */
function gathered(floats, { offset, shape, strides }) {
  const numbers = new Float32Array(count(shape));
  const last = shape.length - 1;
  let next = 0;
  const walk = (/** @type {number} */ axis, /** @type {number} */ offset) => {
    const [n, stride] = [shape[axis], strides[axis]];
    if (axis < last) for (let i = 0; i < n; i++) walk(axis + 1, offset + i * stride);
    else for (let i = 0; i < n; i++) numbers[next++] = floats[offset + i * stride];
  };
  walk(0, offset); // a view without axes is dense
  return numbers;
}

/** Operations that take a number of any value without changing the shape of their result. */
const LIVE = new Set([
  "add",
  "arange",
  "div",
  "eq",
  "ge",
  "gt",
  "le",
  "lt",
  "mul",
  "ne",
  "sub",
  "sym.add",
  "sym.float",
  "sym.mul",
  "sym.sub",
]);

/**
 * The inputs of a graph that are numbers on which no shape depends, such as D. A plan keeps them on the heap, so that
 * it need not be made again when they change.
 * @param {GraphJSON} graph
 * @param {Record<string, Tensor | number>} inputs
 */
export function liveInputs(graph, inputs) {
  const shaping = new Set(references(Object.values(graph.outputs)));
  for (let i = graph.nodes.length - 1; i >= 0; i--) {
    const [name, ...args] = graph.nodes[i];
    const node = graph.inputs.length + i;
    const through = name.startsWith("sym.") && shaping.has(node);
    for (const used of references(args)) {
      const before = graph.nodes[used - graph.inputs.length]?.[0];
      const unknown = name === "arange" && before !== undefined && before !== "sym.add"; // its length has to be known
      if (!LIVE.has(name) || through || unknown) shaping.add(used);
    }
  }
  return new Set(graph.inputs.filter((name, node) => typeof inputs[name] === "number" && !shaping.has(node)));
}

/** @typedef {{ last: Map<number, number>, used: Set<number>[] }} Uses */
/** @type {WeakMap<GraphJSON, Uses>} the same for all plans of a graph, of which a Transformer has one for each step */
const USES = new WeakMap();

/**
 * For each value that is used, the last node that uses it, and for each node the values it uses, its own included.
 * Outputs are used to the end.
 * @param {GraphJSON} graph
 * @returns {Uses}
 */
function usesOf(graph) {
  const known = USES.get(graph);
  if (known) return known;
  const first = graph.inputs.length;
  const used = graph.nodes.map(([, ...args], i) => new Set([...references(args), first + i]));
  /** @type {Map<number, number>} */
  const last = new Map();
  for (const reference of references(Object.values(graph.outputs))) last.set(reference, Infinity);
  for (let i = graph.nodes.length - 1; i >= 0; i--) {
    if (!last.has(first + i)) continue;
    for (const reference of used[i]) if (!last.has(reference)) last.set(reference, first + i);
  }
  const uses = { last, used };
  USES.set(graph, uses);
  return uses;
}

/**
 * Append an operation to the plan; its result.
 * @param {Arena} arena
 * @param {string} name
 * @param {string} model
 * @param {any[]} args
 */
function computed(arena, name, model, args) {
  const { budget } = arena;
  if (budget) budget.operation = name;
  const value = operation(name, model)(arena, ...args);
  budget?.check(value);
  return value;
}

/** The values that arguments refer to. @param {any[]} args @returns {number[]} */
function references(args) {
  return args.flatMap((arg) => {
    if (Array.isArray(arg)) return references(arg);
    return typeof arg === "string" && arg[0] === "%" ? [Number(arg.slice(1))] : [];
  });
}

/**
 * An argument of a node.
 * @param {any} arg
 * @param {Map<number, Value>} values
 * @param {(name: string) => View} weight
 * @returns {any}
 */
function decoded(arg, values, weight) {
  if (Array.isArray(arg)) return arg.map((element) => decoded(element, values, weight));
  if (typeof arg !== "string") return arg;
  if (arg[0] === "%") return values.get(Number(arg.slice(1)));
  if (arg[0] === "$") return weight(arg.slice(1));
  if (arg === "inf" || arg === "-inf") return arg === "inf" ? Infinity : -Infinity;
  return arg;
}

/**
 * The values of the nodes that depend on no input, which are computed once.
 * @param {GraphJSON} graph
 * @param {Arena} arena
 * @param {(name: string) => View} weight
 * @param {string} model
 */
export function constants(graph, arena, weight, model) {
  /** @type {Map<number, Value>} */
  const known = new Map();
  graph.nodes.forEach(([name, ...args], i) => {
    const node = graph.inputs.length + i;
    const used = references(args);
    if (name === "exponential" || !used.every((reference) => known.has(reference))) return;
    const value = computed(
      arena,
      name,
      model,
      args.map((arg) => decoded(arg, known, weight)),
    );
    known.set(node, value);
    arena.keep(value);
    arena.settle();
  });
  arena.heap.grow(arena.end);
  for (const step of arena.code) step();
  return known;
}
