// Every number of a translation, taken apart: what it was computed from, down to the embedding of a word. It reads the
// numbers that the exported graphs computed; see frames.js.

import { count, fromFront, indices } from "./shapes.js";
import { best } from "./beam.js";
import { Frames } from "./frames.js";
import { MOVES, PARTS, repeated } from "./moves.js";
import { valueIn } from "../player/core/lookup.js";

/**
 * @import { Edit, Leaf, NumberAsked, NumberRef, Origin, Part, Row, Spelt, Term } from "./types.d.ts"
 * @import { Around } from "./moves.js"
 * `start`: the reference that was followed to `ref`.
 * @typedef {{ start: NumberRef, ref: NumberRef, names: Leaf["names"], given?: string, op?: string, edit?: Edit, args:
 * any[] }} Settled
 */

const VIEW = /^looks\.\d+\.focus\.inside$/; // 1 for a position in view, else 0
const OF_HEADS = /\.scores$/; // outputs that may be parts of a tensor of all heads
const PROJECTED = /^memory\.(keys|values)$/; // encoder states times a matrix
const COMPARED = new Set(["bitwise_and", "ge", "gt", "le", "lt", "ne"]);
const DEEPEST = 6; // operations inside each other in one formula
const SPELT = 3; // those in the name of a number
const LONGEST = 2048; // numbers of a vector that is sent whole
const TOP = 8; // the largest parts of a sum, and the most probable words

/** Operations on single numbers; a formula shows them. */
const ELEMENTWISE = new Set([
  "abs",
  "add",
  "bitwise_and",
  "bitwise_not",
  "clamp",
  "cos",
  "div",
  "eq",
  "exp",
  "floor",
  "ge",
  "gt",
  "le",
  "log",
  "lt",
  "minimum",
  "maximum",
  "mul",
  "ne",
  "neg",
  "pow",
  "relu",
  "sigmoid",
  "sin",
  "sub",
  "sym.add",
  "sym.float",
  "sym.mul",
  "sym.sub",
  "tanh",
  "trunc",
]);
/** Operations on a row whose result is not a formula of a few numbers. */
const WHOLE = new Set(["convolution", "cumsum", "linalg_vector_norm", "sort"]);
const CONSTANT = new Set([
  "arange",
  "constant_pad_nd",
  "empty_permuted",
  "full",
  "full_like",
  "scalar_tensor",
  "sym.size",
]);

/**
 * The operations on rows: the place of the axis among their arguments, and what the page calls them.
 * @type {Record<string, Origin["kind"]>}
 */
const ROWS = { _softmax: "softmax", _log_softmax: "log_softmax", amax: "max", argmax: "place", sum: "sum" };

export class Origins {
  /** @param {Frames} frames */
  constructor(frames) {
    this.frames = frames;
    /**
     * @type {Map<string, Map<string, Leaf["names"]>>} by frame and element: the outputs that hold what other outputs
     * are parts of
     */
    this.held = new Map();
    /** @type {Map<string, Spelt | undefined>} by frame, place and depth */
    this.spellings = new Map();
  }

  /**
   * What a number was computed from.
   * @param {NumberRef} ref
   * @returns {Origin}
   */
  of(ref) {
    const found = this.settled(ref);
    return { number: this.leaf(found), ...this.how(found), ...this.vector(ref) };
  }

  /** The reference to what a page asks for. @param {NumberAsked} asked @returns {NumberRef} */
  found(asked) {
    if ("rank" in asked) return this.ranked(asked.step, asked.output ?? "log_probs", asked.rank);
    if ("frame" in asked && "output" in asked) {
      const rank = this.frames.shape(asked.frame, asked.output).length;
      return this.frames.output(asked.frame, asked.output, [
        ...new Array(rank - asked.index.length).fill(0),
        ...asked.index,
      ]);
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
    const { values } = this.row(this.output(t, name, 0), this.frames.shape(`step.${t}`, name).length - 1);
    return this.output(t, name, best(values, rank + 1)[rank]);
  }

  /**
   * An element of a quantity of explain.step_graph; throws an Error where the step has none.
   * @param {number} t @param {string} id @param {number} place @returns {NumberRef}
   */
  quantity(t, id, place) {
    const { tensors, later = [] } = valueIn(this.frames.way.quantities, id) ?? { tensors: [] };
    const [name] = [...tensors, ...later];
    const step = tensors.length ? t : t + 1;
    if (!name || step >= this.frames.target.length) throw new Error(`step ${t} has no ${id}`);
    const { graph } = this.frames.frame(`step.${step}`);
    if (Object.hasOwn(graph.outputs, name)) return this.output(step, name, place);
    const node = graph.inputs.indexOf(name);
    const { shape } = this.frames.frame(`step.${step}`).value(node);
    return {
      frame: `step.${step}`,
      node,
      index: shape.map((/** @type {number} */ _, /** @type {number} */ axis) =>
        axis === shape.length - 1 ? place : 0,
      ),
    };
  }

  /**
   * An element of an output of a step, by its place along the last axis.
   * @param {number} t
   * @param {string} name
   * @param {number} place
   */
  output(t, name, place) {
    const shape = this.frames.shape(`step.${t}`, name);
    return this.frames.output(
      `step.${t}`,
      name,
      shape.map((_, axis) => (axis === shape.length - 1 ? place : 0)),
    );
  }

  /**
   * The vector that a number belongs to, unless it is alone or one of very many.
   * @param {NumberRef} ref
   * @returns {Pick<Origin, "vector">}
   */
  vector(ref) {
    const axis = ref.index.length - 1;
    if ("weight" in ref || axis < 0) return {};
    const n = this.frames.frame(ref.frame).value(ref.node).shape[axis];
    return n > 1 && n <= LONGEST ? { vector: this.row({ ...ref, index: ref.index.with(axis, 0) }, axis) } : {};
  }

  /**
   * Follow what only moves numbers; a number without a name has those of the outputs that are moved from it.
   * @param {NumberRef} start
   * @returns {Settled}
   */
  settled(start) {
    const found = this.followed(start);
    if (found.names.length || "weight" in found.ref) return found;
    return { ...found, names: this.heldIn(found.ref.frame).get(keyOf(found.ref)) ?? [] };
  }

  /** The outputs of a frame by the elements that they were moved from. @param {string} frame */
  heldIn(frame) {
    const known = this.held.get(frame);
    if (known) return known;
    /** @type {Map<string, Leaf["names"]>} */
    const held = new Map();
    this.held.set(frame, held);
    for (const name of Object.keys(this.frames.frame(frame).graph.outputs).filter((output) => OF_HEADS.test(output))) {
      const first = this.frames.output(frame, name, []);
      const { shape } = "node" in first ? this.frames.frame(frame).value(first.node) : { shape: undefined };
      if (!shape || count(shape) > LONGEST) continue;
      for (const index of indices(shape)) {
        const { ref } = this.followed({ ...first, index });
        if ("weight" in ref || ref.frame !== frame) continue;
        held.set(keyOf(ref), [...(held.get(keyOf(ref)) ?? []), { name, frame, index }]);
      }
    }
    return held;
  }

  /** @param {NumberRef} start @returns {Settled} */
  followed(start) {
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
        if (typeof from === "number") return { start, ref, names, given: name, args: [] };
        ref = from;
        continue;
      }
      const view = frame.value(ref.node);
      const edit = typeof view === "object" && frame.edit(view, ref.index);
      if (edit) return { start, ref, names, edit, args: [] };
      const [op, ...args] = graph.nodes[ref.node - graph.inputs.length];
      const next = this.moved(ref, op, args);
      if (!next) return { start, ref, names, op, args };
      ref = next;
    }
  }

  /**
   * The element that a node moved here; null if it computes.
   * @param {Extract<NumberRef, { frame: string }>} ref
   * @param {string} op
   * @param {any[]} args
   */
  moved({ frame, node, index }, op, args) {
    const around = this.around(frame, node);
    if (op === "item") {
      const [list, i] = args;
      const { graph } = this.frames.frame(frame);
      const [split, ...given] = graph.nodes[Number(list.slice(1)) - graph.inputs.length];
      if (!PARTS[split]) return null;
      const [axis, start] = PARTS[split](i, given);
      const along = fromFront(axis, index.length);
      return this.argument(frame, given[0], index.with(along, index[along] + start));
    }
    if (op === "mul") return this.inView(frame, args, index);
    if (!MOVES[op]) return null;
    const from = MOVES[op](
      index,
      args.map((arg) => this.size(frame, arg)),
      around,
    );
    return from && this.argument(frame, from.arg, from.index);
  }

  /**
   * The other factor of a number that a mask multiplies by 1; null otherwise.
   * @param {string} frame @param {any[]} args @param {number[]} index
   */
  inView(frame, args, index) {
    if (!args.every((arg) => typeof arg === "string")) return null;
    const factors = args.map((arg) => this.argument(frame, arg, repeated(index, this.shape(frame, arg))));
    const place = factors.findIndex((ref) => this.frames.value(ref) === 1 && isMask(this.settled(ref)));
    return place < 0 ? null : factors[1 - place];
  }

  /** @param {string} frame @param {number} node @returns {Around} */
  around(frame, node) {
    const { value } = this.frames.frame(frame);
    return {
      out: value(node).shape,
      shape: (arg) => this.shape(frame, arg),
      value: (arg, index) => this.frames.value(/** @type {NumberRef} */ (this.argument(frame, arg, index))),
    };
  }

  /** An argument; the number itself for a size that the graph computed. @param {string} frame @param {any} arg */
  size(frame, arg) {
    const found =
      typeof arg === "string" && arg[0] === "%" ? this.frames.frame(frame).value(Number(arg.slice(1))) : arg;
    return typeof found === "number" ? found : arg;
  }

  /** An element of an argument. @param {string} frame @param {any} arg @param {number[]} index @returns {NumberRef} */
  argument(frame, arg, index) {
    return arg[0] === "$" ? { weight: arg.slice(1), index } : { frame, node: Number(arg.slice(1)), index };
  }

  /** @param {string} frame @param {any} arg @returns {number[]} */
  shape(frame, arg) {
    if (arg[0] === "$") return this.frames.model.weight(arg.slice(1)).shape;
    return this.frames.frame(frame).value(Number(arg.slice(1))).shape ?? [];
  }

  /** @param {Settled} found @param {number} [depth] of the name that it is part of @returns {Leaf} */
  leaf(found, depth = 0) {
    const { start, ref, names, given, op, edit, args } = found;
    const spelt = hasName(found) ? undefined : this.spelling(found, depth);
    const shape =
      "weight" in ref
        ? this.frames.model.weight(ref.weight).shape
        : (this.frames.frame(ref.frame).value(ref.node).shape ?? []);
    const weight = args.find((arg) => typeof arg === "string" && arg[0] === "$");
    return {
      ref: "weight" in ref ? ref : start,
      value: this.frames.value(ref),
      names,
      shape,
      ...(given ? { given } : {}),
      ...(op ? { op } : {}),
      ...(edit ? { edit } : {}),
      ...(weight ? { weight: weight.slice(1) } : {}),
      ...(spelt ? { spelt } : {}),
    };
  }

  /**
   * A number without a name as the operations on those that have one, which all numbers of a tensor share.
   * @param {Settled} found
   * @param {number} depth
   * @returns {Spelt | undefined}
   */
  spelling(found, depth) {
    const key = "weight" in found.ref ? "" : `${found.ref.frame}:${found.ref.node}:${depth}`;
    if (!this.spellings.has(key)) this.spellings.set(key, this.spelt(found, depth));
    return this.spellings.get(key);
  }

  /** @param {Settled} found @param {number} depth @returns {Spelt | undefined} */
  spelt({ ref, op = "", args }, depth) {
    if ("weight" in ref || depth >= SPELT) return undefined;
    const { frame, index } = ref;
    if (op === "linear") {
      const [x, weight] = args;
      const row = { ref: this.argument(frame, x, index.with(-1, 0)), axis: index.length - 1 };
      return { op, weight: weight.slice(1), terms: [{ ends: this.ends(row, depth + 1) }] };
    }
    if (op === "matmul")
      return { op, terms: this.factors(frame, args, index).map((row) => ({ ends: this.ends(row, depth + 1) })) };
    if (op === "linalg_vector_norm") return { op, terms: [{ ends: this.whole(ref, op, args).row?.ends }] };
    if (!ELEMENTWISE.has(op)) return undefined;
    const terms = args
      .filter((arg) => arg !== null)
      .map((arg) => {
        if (typeof arg !== "string" || (arg[0] !== "%" && arg[0] !== "$")) return { value: Number(arg) };
        const operand = this.settled(this.argument(frame, arg, repeated(index, this.shape(frame, arg))));
        if (hasName(operand)) return { ends: [this.leaf(operand)] };
        return this.spelling(operand, depth + 1) ?? { ends: [this.leaf(operand, SPELT)] };
      });
    if ((op === "mul" && terms[1].value === 1) || op === "sym.float") return terms[0]; // as by a scale of 1
    // A guard against 0
    if (op === "clamp" && terms.length === 2 && Math.abs(Number(terms[1].value)) <= 1e-6) return terms[0];
    return { op, terms };
  }

  /**
   * The first and the last number along an axis.
   * @param {Pick<Row, "ref" | "axis">} row
   * @param {number} [depth] of the name that they are part of
   */
  ends(row, depth = 0) {
    const last = this.sizes(row.ref)[row.axis] - 1;
    return [0, last].map((i) => this.leaf(this.settled(elementOf(row, i)), depth));
  }

  /** The shape of the tensor of an element. @param {NumberRef} ref @returns {number[]} */
  sizes(ref) {
    return "weight" in ref
      ? this.frames.model.weight(ref.weight).shape
      : this.frames.frame(ref.frame).value(ref.node).shape;
  }

  /** @param {Settled} found @returns {Omit<Origin, "number">} */
  how(found) {
    const { ref, given, op = "", edit, args } = found;
    if (edit) return { kind: "edited" };
    if ("weight" in ref)
      return ref.index.length ? { kind: "weight", row: this.row(ref, ref.index.length - 1) } : { kind: "weight" };
    if (given) return { kind: "given" };
    const { frame, index } = ref;
    if (ELEMENTWISE.has(op)) return { kind: "formula", term: this.term(found, 0) };
    if (op === "linear") {
      const [x, weight, bias] = args;
      const unit = index[index.length - 1];
      const left = this.row(this.argument(frame, weight, [unit, 0]), 1);
      const right = this.row(this.argument(frame, x, index.with(-1, 0)), index.length - 1);
      return {
        ...this.products(left, right),
        ...(bias ? { bias: this.number(this.argument(frame, bias, [unit])) } : {}),
      };
    }
    if (op === "matmul") {
      const [left, right] = this.factors(frame, args, index).map(({ ref: first, axis }) => this.row(first, axis));
      return this.products(left, right);
    }
    if (Object.hasOwn(ROWS, op)) {
      const [x, axes] = args;
      const rank = this.shape(frame, x).length;
      const axis = fromFront([axes].flat()[0], rank);
      const inside = index.length === rank ? index : index.toSpliced(axis, 0, 0);
      const row = this.row(this.argument(frame, x, inside.with(axis, 0)), axis);
      return { kind: ROWS[op], row, place: inside[axis], largest: best(row.values, TOP).map((i) => this.part(i, row)) };
    }
    if (op === "layer_norm") {
      const [x, , weight, bias, eps] = args;
      const unit = index[index.length - 1];
      const scale = [weight, bias].map((one) => this.number(this.argument(frame, one, [unit])));
      return {
        kind: "norm",
        row: this.row(this.argument(frame, x, index.with(-1, 0)), index.length - 1),
        place: unit,
        scale,
        eps,
      };
    }
    if (op === "embedding") {
      const [weight, words] = args;
      const word = this.frames.value(this.argument(frame, words, index.slice(0, -1)));
      return {
        kind: "embedding",
        row: this.row(this.argument(frame, weight, [word, 0]), 1),
        place: index[index.length - 1],
        word,
      };
    }
    if (op === "scatter") {
      const [, axis, places] = args;
      const chosen = this.settled(this.argument(frame, places, index.with(fromFront(axis, index.length), 0)));
      return { kind: "choice", row: this.how(chosen).row, place: index[fromFront(axis, index.length)] };
    }
    if (WHOLE.has(op) || op === "item") return this.whole(ref, op, args);
    if (op === "exponential") return { kind: "drawn" };
    if (CONSTANT.has(op)) return { kind: "constant" };
    return { kind: "other" };
  }

  /**
   * A number that an operation computes from a whole row at once.
   * @param {Extract<NumberRef, { frame: string }>} ref @param {string} op @param {any[]} args @returns {Omit<Origin,
   * "number">}
   */
  whole({ frame, index }, op, args) {
    if (op === "item") {
      const { graph } = this.frames.frame(frame);
      const [name, ...given] = graph.nodes[Number(args[0].slice(1)) - graph.inputs.length];
      return this.whole({ frame, node: 0, index }, name, given);
    }
    if (op === "convolution") return { kind: "whole", via: op };
    const rank = this.shape(frame, args[0]).length;
    const given = op === "linalg_vector_norm" ? [args[2]].flat()[0] : args[1];
    const axis = rank === index.length && typeof given === "number" ? fromFront(given, rank) : rank - 1;
    const first = rank === index.length ? index.with(axis, 0) : new Array(rank).fill(0);
    return { kind: "whole", via: op, row: this.row(this.argument(frame, args[0], first), axis) };
  }

  /**
   * The rows whose product is an element of a product of matrices, of which either may be a vector.
   * @param {string} frame
   * @param {any[]} args
   * @param {number[]} index
   */
  factors(frame, [x, y], index) {
    const [a, b] = [this.shape(frame, x), this.shape(frame, y)];
    const column = b.length > 1 ? [index[index.length - 1]] : [];
    const rest = b.length > 1 ? index.slice(0, -1) : index;
    const lead = a.length > 1 ? rest.slice(0, -1) : rest;
    const left = [...repeated(lead, a.slice(0, -2)), ...(a.length > 1 ? [rest[rest.length - 1]] : []), 0];
    const right = [...repeated(lead, b.slice(0, -2)), 0, ...column];
    return [
      { ref: this.argument(frame, x, left), axis: a.length - 1 },
      { ref: this.argument(frame, y, right), axis: Math.max(b.length - 2, 0) },
    ];
  }

  /**
   * A sum of products, with the largest ones.
   * @param {Row} left
   * @param {Row} right
   * @returns {Omit<Origin, "number">}
   */
  products(left, right) {
    const sizes = left.values.map((value, i) => Math.abs(value * right.values[i]));
    return { kind: "products", left, right, largest: best(sizes, TOP).map((i) => this.part(i, left, right)) };
  }

  /** One number of each row. @param {number} place @param {Row[]} rows @returns {Part} */
  part(place, ...rows) {
    return { place, leaves: rows.map((row) => this.number(elementOf(row, place))) };
  }

  /** A number by itself. @param {NumberRef} ref @returns {Leaf} */
  number(ref) {
    return this.leaf(this.settled(ref));
  }

  /**
   * The numbers along an axis.
   * @param {NumberRef} ref its first element @param {number} axis @returns {Row}
   */
  row(ref, axis) {
    const shape = this.sizes(ref);
    const values = Array.from({ length: shape[axis] }, (_, i) =>
      this.frames.value({ ...ref, index: ref.index.with(axis, i) }),
    );
    return { ref, axis, values, rows: shape[0], ends: this.ends({ ref, axis }) };
  }

  /**
   * A number as a formula of those it was computed from.
   * @param {Settled} found
   * @param {number} depth
   * @returns {Term}
   */
  term(found, depth) {
    const { ref, op = "", args } = found; // without an operation if it was set by hand
    const stops = depth > 0 && (found.names.length || depth > DEEPEST);
    if ("weight" in ref || !ELEMENTWISE.has(op) || stops) return { leaf: this.leaf(found) };
    const terms = args
      .filter((arg) => arg !== null)
      .map((arg) => {
        if (typeof arg !== "string" || (arg[0] !== "%" && arg[0] !== "$")) return { value: Number(arg) };
        return this.term(
          this.settled(this.argument(ref.frame, arg, repeated(ref.index, this.shape(ref.frame, arg)))),
          depth + 1,
        );
      });
    if ((op === "mul" && terms[1].value === 1) || op === "sym.float") return terms[0]; // as by a scale of 1
    return { op, terms, value: this.frames.value(ref) };
  }
}

/** Whether a number says if a position is in view. @param {Settled} found */
const isMask = ({ names, given, op = "" }) =>
  given === "mask" || COMPARED.has(op) || names.some(({ name }) => VIEW.test(name));

/** @param {Pick<Row, "ref" | "axis">} row @param {number} place @returns {NumberRef} */
function elementOf({ ref, axis }, place) {
  return { ...ref, index: ref.index.with(axis, place) };
}

/** Whether a number has a name of its own, or none for a reader to ask for. @param {Settled} found */
const hasName = ({ ref, names, given, edit }) =>
  Boolean(given || edit || "weight" in ref || names.some(({ name }) => !PROJECTED.test(name)));

/** The element of a number, for a map. @param {Extract<NumberRef, { frame: string }>} ref */
const keyOf = ({ node, index }) => `${node}:${index}`;
