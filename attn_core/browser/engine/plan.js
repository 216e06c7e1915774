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
    const at = this.free.findIndex((one) => one.size >= size && one.size <= 2 * size + 64);
    const buffer = at < 0 ? { offset: this.end, size, values: 0 } : this.free.splice(at, 1)[0];
    if (at < 0) this.end += size;
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
    for (const one of buffersOf(value)) one.values++;
  }

  /** The opposite of `keep`. @param {Value} value */
  drop(value) {
    for (const one of buffersOf(value)) if (--one.values === 0) this.free.push(one);
  }

  /** Free what the present operation made and did not return. */
  settle() {
    for (const one of this.made) if (!one.values) this.free.push(one);
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
  let place = Number(output.slice(1));
  for (;;) {
    const [buffer] = buffersOf(values.get(place) ?? null);
    const [, ...given] = graph.nodes[place - graph.inputs.length];
    const from = references(given).find(
      (one) => one >= graph.inputs.length && buffersOf(values.get(one) ?? null).includes(buffer),
    );
    if (!buffer || from === undefined) return place;
    place = from;
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
      const given = inputs[name];
      return typeof given !== "number" ? given.shape : live.has(name) ? [] : [given];
    });
    const values = new Map(known);
    const { last, used } = usesOf(graph);
    /** @type {Map<number, number>} for each node the number of calls after which its numbers are there */
    const ends = new Map();
    /** @type {(View | null)[]} */
    this.inputs = graph.inputs.map((name, place) => {
      const given = inputs[name];
      const isNumber = typeof given === "number";
      const value = isNumber ? (live.has(name) ? arena.make([]) : given) : arena.make(given.shape);
      if (isNumber && typeof value === "object") value.live = { input: name, plus: 0 };
      values.set(place, value);
      arena.keep(value);
      return typeof value === "number" ? null : value;
    });
    arena.made = [];
    graph.nodes.forEach(([name, ...given], i) => {
      const place = graph.inputs.length + i;
      if (!last.has(place) || values.has(place)) return;
      const value = computed(
        arena,
        name,
        model,
        given.map((one) => decoded(one, values, weight)),
      );
      values.set(place, value);
      arena.keep(value);
      arena.settle();
      ends.set(place, arena.code.length);
      for (const one of used[i]) {
        if (last.get(one) === place && !known.has(one)) arena.drop(values.get(one) ?? null);
      }
    });
    /** @type {Record<string, View>} */
    this.outputs = {};
    for (const [name, one] of Object.entries(graph.outputs)) {
      this.outputs[name] = /** @type {View} */ (decoded(one, values, weight));
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
    let at = 0;
    for (const name of this.graph.inputs) {
      const given = inputs[name];
      if (typeof given === "number") {
        if (!this.live.has(name) && this.sizes[at++] !== given) return false;
      } else for (const size of given.shape) if (this.sizes[at++] !== size) return false;
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
      const given = inputs[names[i]];
      if (to === null) continue;
      if (typeof given === "number") F[to.offset] = given;
      else F.set(given.data, to.offset);
    }
    const code = this.code;
    let at = 0;
    const runTo = (/** @type {number} */ end) => {
      while (at < end) code[at++]();
    };
    for (const { output, numbers } of [...put].sort(
      (one, other) => this.computed(one.output) - this.computed(other.output),
    )) {
      runTo(this.computed(output));
      places(this.outputs[output]).forEach((place, i) => {
        F[place] = numbers ? numbers[i] : 0;
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
  const found = new Float32Array(count(shape));
  const last = shape.length - 1;
  let next = 0;
  const walk = (/** @type {number} */ axis, /** @type {number} */ place) => {
    const [n, stride] = [shape[axis], strides[axis]];
    if (axis < last) for (let i = 0; i < n; i++) walk(axis + 1, place + i * stride);
    else for (let i = 0; i < n; i++) found[next++] = floats[place + i * stride];
  };
  walk(0, offset); // a view without axes is dense
  return found;
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
    const [name, ...given] = graph.nodes[i];
    const own = graph.inputs.length + i;
    const through = name.startsWith("sym.") && shaping.has(own);
    for (const used of references(given)) {
      const before = graph.nodes[used - graph.inputs.length]?.[0];
      const unknown = name === "arange" && before !== undefined && before !== "sym.add"; // its length has to be known
      if (!LIVE.has(name) || through || unknown) shaping.add(used);
    }
  }
  return new Set(graph.inputs.filter((name, place) => typeof inputs[name] === "number" && !shaping.has(place)));
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
  const used = graph.nodes.map(([, ...given], i) => new Set([...references(given), first + i]));
  /** @type {Map<number, number>} */
  const last = new Map();
  for (const one of references(Object.values(graph.outputs))) last.set(one, Infinity);
  for (let i = graph.nodes.length - 1; i >= 0; i--) {
    if (!last.has(first + i)) continue;
    for (const one of used[i]) if (!last.has(one)) last.set(one, first + i);
  }
  const found = { last, used };
  USES.set(graph, found);
  return found;
}

/**
 * Append an operation to the plan; its result.
 * @param {Arena} arena
 * @param {string} name
 * @param {string} model
 * @param {any[]} given
 */
function computed(arena, name, model, given) {
  const { budget } = arena;
  if (budget) budget.operation = name;
  const value = operation(name, model)(arena, ...given);
  budget?.check(value);
  return value;
}

/** The values that arguments refer to. @param {any[]} given @returns {number[]} */
function references(given) {
  return given.flatMap((one) => {
    if (Array.isArray(one)) return references(one);
    return typeof one === "string" && one[0] === "%" ? [Number(one.slice(1))] : [];
  });
}

/**
 * An argument of a node.
 * @param {any} given
 * @param {Map<number, Value>} values
 * @param {(name: string) => View} weight
 * @returns {any}
 */
function decoded(given, values, weight) {
  if (Array.isArray(given)) return given.map((one) => decoded(one, values, weight));
  if (typeof given !== "string") return given;
  if (given[0] === "%") return values.get(Number(given.slice(1)));
  if (given[0] === "$") return weight(given.slice(1));
  if (given === "inf" || given === "-inf") return given === "inf" ? Infinity : -Infinity;
  return given;
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
  graph.nodes.forEach(([name, ...given], i) => {
    const place = graph.inputs.length + i;
    const used = references(given);
    if (name === "exponential" || !used.every((one) => known.has(one))) return;
    const value = computed(
      arena,
      name,
      model,
      given.map((one) => decoded(one, known, weight)),
    );
    known.set(place, value);
    arena.keep(value);
    arena.settle();
  });
  arena.heap.grow(arena.end);
  for (const step of arena.code) step();
  return known;
}
