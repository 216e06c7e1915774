// Every number of a translation, taken apart: what it was computed from, down to the embedding of a word. It reads the
// numbers that the exported graphs computed; see frames.js.

import { fromFront } from "./shapes.js";
import { best } from "./beam.js";
import { Frames } from "./frames.js";
import { Leaves, WRITTEN } from "./leaves.js";
import { Resolver } from "./resolver.js";
import { valueIn } from "./lookup.js";

/**
 * @import { NumberAsked, NumberRef, Origin, Row } from "./types.d.ts"
 * @import { Element, Resolved } from "./resolver.js"
 *
 * @typedef {Omit<Origin, "number">} Computed how a number was computed
 * @typedef {(origins: Origins, element: Element, args: any[], op: string, resolved: Resolved) => Computed} Describe
 */

const LONGEST = 2048; // numbers of a vector that is sent whole
const TOP = 8; // the largest parts of a sum, and the most probable words

/** What the page calls operations on rows. @type {Record<string, Origin["kind"]>} */
const REDUCTIONS = { _softmax: "softmax", _log_softmax: "log_softmax", amax: "max", argmax: "place", sum: "sum" };
/** Operations on a row whose result is not a formula of a few numbers. */
const WHOLE = ["cumsum", "linalg_vector_norm", "sort"];
const CONSTANT = ["arange", "constant_pad_nd", "empty_permuted", "full", "full_like", "scalar_tensor", "sym.size"];

export class Origins {
  /** @param {Frames} frames */
  constructor(frames) {
    this.frames = frames;
    this.resolver = new Resolver(frames);
    this.leaves = new Leaves(this.resolver);
  }

  /**
   * What a number was computed from. Throws an Error for a quantity that the step does not have.
   * @param {NumberAsked} asked
   * @returns {Origin}
   */
  of(asked) {
    const ref = this.reference(asked);
    const resolved = this.resolver.resolve(ref);
    return { number: this.leaves.leaf(resolved), ...this.computed(resolved), ...this.vector(ref) };
  }

  /** The reference to a number that a page asks for. @param {NumberAsked} asked @returns {NumberRef} */
  reference(asked) {
    if ("rank" in asked) return this.ranked(asked.step, asked.output ?? "log_probs", asked.rank);
    if ("frame" in asked && "output" in asked) {
      const rank = this.frames.shape(asked.frame, asked.output).length;
      const leading = new Array(rank - asked.index.length).fill(0);
      return this.frames.output(asked.frame, asked.output, [...leading, ...asked.index]);
    }
    if (!("step" in asked)) return asked;
    if ("quantity" in asked) return this.quantity(asked.step, asked.quantity, asked.place);
    return this.output(asked.step, asked.output, asked.place);
  }

  /**
   * The element of a rank along the last axis of an output of a step; 0: the largest one.
   * @param {number} t
   * @param {string} name
   * @param {number} rank
   */
  ranked(t, name, rank) {
    const { values } = this.leaves.row(this.output(t, name, 0), this.frames.shape(`step.${t}`, name).length - 1);
    return this.output(t, name, best(values, rank + 1)[rank]);
  }

  /**
   * An element of a quantity of explain.step_graph; throws an Error where the step has none.
   * @param {number} t
   * @param {string} id
   * @param {number} place
   * @returns {NumberRef}
   */
  quantity(t, id, place) {
    const { tensors, later = [] } = valueIn(this.frames.stepJson.quantities, id) ?? { tensors: [] };
    const [name] = [...tensors, ...later];
    const step = tensors.length ? t : t + 1;
    if (!name || step >= this.frames.target.length) throw new Error(`step ${t} has no ${id}`);
    const frame = `step.${step}`;
    const { graph, value } = this.frames.frame(frame);
    if (Object.hasOwn(graph.outputs, name)) return this.output(step, name, place);
    const node = graph.inputs.indexOf(name);
    return { frame, node, index: lastAxisIndex(value(node).shape, place) };
  }

  /**
   * An element of an output of a step, by its place along the last axis.
   * @param {number} t
   * @param {string} name
   * @param {number} place
   */
  output(t, name, place) {
    const frame = `step.${t}`;
    return this.frames.output(frame, name, lastAxisIndex(this.frames.shape(frame, name), place));
  }

  /**
   * The vector that a number belongs to, unless it is alone or one of very many.
   * @param {NumberRef} ref
   * @returns {Pick<Origin, "vector">}
   */
  vector(ref) {
    const axis = ref.index.length - 1;
    if ("weight" in ref || axis < 0) return {};
    const n = this.resolver.shapeAt(ref)[axis];
    return n > 1 && n <= LONGEST ? { vector: this.leaves.row({ ...ref, index: ref.index.with(axis, 0) }, axis) } : {};
  }

  /** @param {Resolved} resolved @returns {Computed} */
  computed(resolved) {
    const { ref, input, op = "", edit, args } = resolved;
    if (edit) return { kind: "edited" };
    if ("weight" in ref) {
      const axis = ref.index.length - 1;
      return axis < 0 ? { kind: "weight" } : { kind: "weight", row: this.leaves.row(ref, axis) };
    }
    if (input) return { kind: "given" };
    return Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op](this, ref, args, op, resolved) : { kind: "other" };
  }

  /**
   * The numbers of an argument along an axis.
   * @param {string} frame
   * @param {any} arg
   * @param {number[]} index of the first one
   * @param {number} axis
   */
  row(frame, arg, index, axis) {
    return this.leaves.row(this.resolver.argument(frame, arg, index), axis);
  }

  /** A number of an argument by itself. @param {string} frame @param {any} arg @param {number[]} index */
  number(frame, arg, index) {
    return this.leaves.number(this.resolver.argument(frame, arg, index));
  }

  /**
   * A sum of products, with the largest ones.
   * @param {Row} left
   * @param {Row} right
   * @returns {Computed}
   */
  products(left, right) {
    const sizes = left.values.map((value, i) => Math.abs(value * right.values[i]));
    return { kind: "products", left, right, largest: best(sizes, TOP).map((i) => this.leaves.part(i, left, right)) };
  }
}

/** The index of a place along the last axis, and 0 along the others. @param {number[]} shape @param {number} place */
const lastAxisIndex = (shape, place) => shape.map((_, axis) => (axis === shape.length - 1 ? place : 0));

/** @type {Describe} */
function describeLinear(origins, { frame, index }, [x, weight, bias]) {
  const unit = index[index.length - 1];
  const left = origins.row(frame, weight, [unit, 0], 1);
  const right = origins.row(frame, x, index.with(-1, 0), index.length - 1);
  return { ...origins.products(left, right), ...(bias ? { bias: origins.number(frame, bias, [unit]) } : {}) };
}

/** @type {Describe} */
function describeMatmul(origins, element, args) {
  const [left, right] = origins.resolver.factors(element, args).map(({ ref, axis }) => origins.leaves.row(ref, axis));
  return origins.products(left, right);
}

/** @type {Describe} */
function describeReduction({ leaves, resolver }, { frame, index }, [x, axes], op) {
  const rank = resolver.shape(frame, x).length;
  const axis = fromFront([axes].flat()[0], rank);
  const inside = index.length === rank ? index : index.toSpliced(axis, 0, 0);
  const row = leaves.row(resolver.argument(frame, x, inside.with(axis, 0)), axis);
  const largest = best(row.values, TOP).map((i) => leaves.part(i, row));
  return { kind: REDUCTIONS[op], row, place: inside[axis], largest };
}

/** @type {Describe} */
function describeNorm(origins, { frame, index }, [x, , weight, bias, eps]) {
  const place = index[index.length - 1];
  const row = origins.row(frame, x, index.with(-1, 0), index.length - 1);
  const scale = [weight, bias].map((parameter) => origins.number(frame, parameter, [place]));
  return { kind: "norm", row, place, scale, eps };
}

/** @type {Describe} */
function describeEmbedding(origins, { frame, index }, [weight, words]) {
  const word = origins.frames.value(origins.resolver.argument(frame, words, index.slice(0, -1)));
  return { kind: "embedding", row: origins.row(frame, weight, [word, 0], 1), place: index[index.length - 1], word };
}

/** The 1 at the place of the largest number of a row, or a 0 beside it. @type {Describe} */
function describeChoice(origins, { frame, index }, [, axis, places]) {
  const along = fromFront(axis, index.length);
  const { resolver } = origins;
  const argmax = resolver.resolve(resolver.argument(frame, places, index.with(along, 0)));
  return { kind: "choice", row: origins.computed(argmax).row, place: index[along] };
}

/** A number that an operation computes from a whole row at once. @type {Describe} */
function describeWhole({ leaves, resolver }, element, args, op) {
  const { ref, axis } = resolver.reducedRow(element, op, args);
  return { kind: "whole", via: op, row: leaves.row(ref, axis) };
}

/** A part of what an operation returns, such as the values that it sorted. @type {Describe} */
function describeItem(origins, element, [list], _op, resolved) {
  const [op, ...args] = origins.resolver.node(element.frame, list);
  return describeWhole(origins, element, args, op, resolved);
}

/** @param {Iterable<string>} names @param {Describe} describe */
const each = (names, describe) => Object.fromEntries(Array.from(names, (name) => [name, describe]));

/** How the result of each operation is described. @type {Record<string, Describe>} */
const OPERATIONS = {
  ...each(WRITTEN, ({ leaves }, _element, _args, _op, resolved) => ({ kind: "formula", term: leaves.term(resolved) })),
  ...each(Object.keys(REDUCTIONS), describeReduction),
  ...each(WHOLE, describeWhole),
  ...each(CONSTANT, () => ({ kind: "constant" })),
  convolution: () => ({ kind: "whole", via: "convolution" }),
  embedding: describeEmbedding,
  exponential: () => ({ kind: "drawn" }),
  item: describeItem,
  layer_norm: describeNorm,
  linear: describeLinear,
  matmul: describeMatmul,
  scatter: describeChoice,
};
