// Finds the number that an element was moved from. It follows inputs and operations that only move numbers, up to a
// weight, an input of the model, an edit, or an operation that computes.

import { count, fromFront, indices } from "./shapes.js";
import { Frames } from "./frames.js";
import { MOVES, PARTS, repeated } from "./moves.js";

/**
 * @import { Edit, Leaf, NumberRef, Row } from "./types.d.ts"
 * @import { Around } from "./moves.js"
 *
 * An element of a value of a frame.
 * @typedef {Extract<NumberRef, { frame: string }>} Element
 *
 * @typedef {object} Resolved
 * @property {NumberRef} start the reference that was followed
 * @property {NumberRef} ref where it led
 * @property {Leaf["names"]} names of the outputs on the way
 * @property {string} [input] of the model, if the number is one
 * @property {Edit} [edit] that set the number
 * @property {string} [op] the operation that computed it
 * @property {any[]} args of the operation
 */

const VIEW = /^looks\.\d+\.focus\.inside$/; // 1 for a position in view, else 0
const OF_HEADS = /\.scores$/; // outputs that may be parts of a tensor of all heads
const COMPARISONS = new Set(["bitwise_and", "ge", "gt", "le", "lt", "ne"]);
const LONGEST = 2048; // numbers of a tensor whose elements get names

export class Resolver {
  /** @param {Frames} frames */
  constructor(frames) {
    this.frames = frames;
    /** @type {Map<string, Map<string, Leaf["names"]>>} by frame and element: the outputs moved from it */
    this.outputNames = new Map();
  }

  /**
   * The number that an element was moved from. One without a name has those of the outputs that are moved from it.
   * @param {NumberRef} start
   * @returns {Resolved}
   */
  resolve(start) {
    const resolved = this.followMoves(start);
    if (resolved.names.length || "weight" in resolved.ref) return resolved;
    return { ...resolved, names: this.outputsOf(resolved.ref.frame).get(keyOf(resolved.ref)) ?? [] };
  }

  /** The outputs of a frame by the elements that they were moved from. @param {string} frame */
  outputsOf(frame) {
    const known = this.outputNames.get(frame);
    if (known) return known;
    /** @type {Map<string, Leaf["names"]>} */
    const names = new Map();
    this.outputNames.set(frame, names);
    for (const name of Object.keys(this.frames.frame(frame).graph.outputs).filter((output) => OF_HEADS.test(output))) {
      const first = this.frames.output(frame, name, []);
      const { shape } = "node" in first ? this.frames.frame(frame).value(first.node) : { shape: undefined };
      if (!shape || count(shape) > LONGEST) continue;
      for (const index of indices(shape)) {
        const { ref } = this.followMoves({ ...first, index });
        if ("weight" in ref || ref.frame !== frame) continue;
        names.set(keyOf(ref), [...(names.get(keyOf(ref)) ?? []), { name, frame, index }]);
      }
    }
    return names;
  }

  /** @param {NumberRef} start @returns {Resolved} */
  followMoves(start) {
    let ref = start;
    /** @type {Leaf["names"]} */
    const names = [];
    for (;;) {
      if ("weight" in ref) return { start, ref, names, args: [] };
      const frame = this.frames.frame(ref.frame);
      const { graph, inputs } = frame;
      for (const name of frame.names.get(ref.node) ?? []) names.push({ name, frame: ref.frame, index: ref.index });
      if (ref.node < graph.inputs.length) {
        const name = graph.inputs[ref.node];
        const input = inputs[name];
        const from = typeof input === "number" ? input : input.from(ref.index);
        if (typeof from === "number") return { start, ref, names, input: name, args: [] };
        ref = from;
        continue;
      }
      const view = frame.value(ref.node);
      const edit = typeof view === "object" && frame.edit(view, ref.index);
      if (edit) return { start, ref, names, edit, args: [] };
      const [op, ...args] = graph.nodes[ref.node - graph.inputs.length];
      const origin = this.movedFrom(ref, op, args);
      if (!origin) return { start, ref, names, op, args };
      ref = origin;
    }
  }

  /**
   * The element that a node moved to `element`; null if it computes.
   * @param {Element} element
   * @param {string} op
   * @param {any[]} args
   */
  movedFrom(element, op, args) {
    const { frame, index } = element;
    if (op === "item") return this.partFrom(element, args);
    if (op === "mul") return this.unmaskedFrom(element, args);
    if (!MOVES[op]) return null;
    const sizes = args.map((arg) => this.size(frame, arg));
    const from = MOVES[op](index, sizes, this.around(element));
    return from && this.argument(frame, from.arg, from.index);
  }

  /**
   * The element of a tensor that was split; null if the list of tensors was computed otherwise.
   * @param {Element} element
   * @param {any[]} args the list, and the place of the part in it
   */
  partFrom({ frame, index }, [list, part]) {
    const [op, ...args] = this.node(frame, list);
    if (!PARTS[op]) return null;
    const [axis, start] = PARTS[op](part, args);
    const along = fromFront(axis, index.length);
    return this.argument(frame, args[0], index.with(along, index[along] + start));
  }

  /**
   * The other factor of a number that a mask multiplies by 1; null otherwise.
   * @param {Element} element
   * @param {any[]} args
   */
  unmaskedFrom(element, args) {
    if (!args.every(isTensor)) return null;
    const factors = /** @type {NumberRef[]} */ (this.operands(element, args));
    const mask = factors.findIndex((ref) => this.frames.value(ref) === 1 && isMask(this.resolve(ref)));
    return mask < 0 ? null : factors[1 - mask];
  }

  /**
   * What an operation on single numbers is applied to: numbers, or the elements of tensors.
   * @param {Element} element
   * @param {any[]} args
   * @returns {(number | NumberRef)[]}
   */
  operands({ frame, index }, args) {
    return args
      .filter((arg) => arg !== null)
      .map((arg) => (isTensor(arg) ? this.argument(frame, arg, repeated(index, this.shape(frame, arg))) : Number(arg)));
  }

  /**
   * The rows whose product is an element of a product of matrices, of which either may be a vector.
   * @param {Element} element
   * @param {any[]} args
   * @returns {Pick<Row, "ref" | "axis">[]}
   */
  factors({ frame, index }, [x, y]) {
    const [a, b] = [this.shape(frame, x), this.shape(frame, y)];
    const column = b.length > 1 ? [index[index.length - 1]] : [];
    const leftIndex = b.length > 1 ? index.slice(0, -1) : index;
    const batch = a.length > 1 ? leftIndex.slice(0, -1) : leftIndex;
    const row = a.length > 1 ? [leftIndex[leftIndex.length - 1]] : [];
    const left = [...repeated(batch, a.slice(0, -2)), ...row, 0];
    const right = [...repeated(batch, b.slice(0, -2)), 0, ...column];
    return [
      { ref: this.argument(frame, x, left), axis: a.length - 1 },
      { ref: this.argument(frame, y, right), axis: Math.max(b.length - 2, 0) },
    ];
  }

  /**
   * The row of which an operation computes a single number, such as its norm.
   * @param {Element} element
   * @param {string} op
   * @param {any[]} args
   * @returns {Pick<Row, "ref" | "axis">}
   */
  reducedRow({ frame, index }, op, args) {
    const rank = this.shape(frame, args[0]).length;
    const reduced = op === "linalg_vector_norm" ? [args[2]].flat()[0] : args[1];
    const axis = rank === index.length && typeof reduced === "number" ? fromFront(reduced, rank) : rank - 1;
    const first = rank === index.length ? index.with(axis, 0) : new Array(rank).fill(0);
    return { ref: this.argument(frame, args[0], first), axis };
  }

  /**
   * The operation and the arguments of a node.
   * @param {string} frame
   * @param {string} arg that names the node
   * @returns {any[]}
   */
  node(frame, arg) {
    const { graph } = this.frames.frame(frame);
    return graph.nodes[Number(arg.slice(1)) - graph.inputs.length];
  }

  /** @param {Element} element @returns {Around} */
  around({ frame, node }) {
    return {
      out: this.frames.frame(frame).value(node).shape,
      shape: (arg) => this.shape(frame, arg),
      value: (arg, index) => this.frames.value(this.argument(frame, arg, index)),
    };
  }

  /** An argument; the number itself for a size that the graph computed. @param {string} frame @param {any} arg */
  size(frame, arg) {
    const value =
      typeof arg === "string" && arg[0] === "%" ? this.frames.frame(frame).value(Number(arg.slice(1))) : arg;
    return typeof value === "number" ? value : arg;
  }

  /** An element of an argument. @param {string} frame @param {any} arg @param {number[]} index @returns {NumberRef} */
  argument(frame, arg, index) {
    return arg[0] === "$" ? { weight: arg.slice(1), index } : { frame, node: Number(arg.slice(1)), index };
  }

  /** The shape of an argument; that of a number is []. @param {string} frame @param {any} arg */
  shape(frame, arg) {
    return this.shapeAt(this.argument(frame, arg, []));
  }

  /** The shape of the tensor of an element. @param {NumberRef} ref @returns {number[]} */
  shapeAt(ref) {
    if ("weight" in ref) return this.frames.model.weight(ref.weight).shape;
    return this.frames.frame(ref.frame).value(ref.node).shape ?? [];
  }
}

/** Whether an argument of a node is a value of the graph or a weight. @param {unknown} arg */
const isTensor = (arg) => typeof arg === "string" && (arg[0] === "%" || arg[0] === "$");

/** Whether a number says if a position is in view. @param {Resolved} resolved */
const isMask = ({ names, input, op = "" }) =>
  input === "mask" || COMPARISONS.has(op) || names.some(({ name }) => VIEW.test(name));

/** The element of a number, for a map. @param {Element} element */
const keyOf = ({ node, index }) => `${node}:${index}`;
