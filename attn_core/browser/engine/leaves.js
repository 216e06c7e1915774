// Numbers as a page writes them: by a name or as a short formula of named ones, alone, in a row, or in a formula.

import { ELEMENTWISE } from "./elementwise.js";
import { Resolver } from "./resolver.js";

/**
 * @import { Leaf, NumberRef, Part, Row, Spelt, Term } from "./types.d.ts"
 * @import { Resolved } from "./resolver.js"
 */

const PROJECTED = /^memory\.(keys|values)$/; // encoder states times a matrix
const DEEPEST_TERM = 6; // operations inside each other in one formula
const DEEPEST_NAME = 3; // those in the name of a number

const SYMBOLIC = ["sym.add", "sym.float", "sym.mul", "sym.sub"]; // on sizes
const UNWRITTEN = ["exponential", "gelu"]; // no formulas: random, and with an argument that is no number

/** Operations on single numbers; a formula shows them. */
export const WRITTEN = new Set([...Object.keys(ELEMENTWISE), ...SYMBOLIC].filter((op) => !UNWRITTEN.includes(op)));

export class Leaves {
  /** @param {Resolver} resolver */
  constructor(resolver) {
    this.resolver = resolver;
    this.frames = resolver.frames;
    /** @type {Map<string, Spelt | undefined>} by frame, node and depth */
    this.spellings = new Map();
  }

  /** A number by itself. @param {NumberRef} ref @returns {Leaf} */
  number(ref) {
    return this.leaf(this.resolver.resolve(ref));
  }

  /** @param {Resolved} resolved @param {number} [depth] of the name that it is part of @returns {Leaf} */
  leaf(resolved, depth = 0) {
    const { start, ref, names, input, op, edit, args } = resolved;
    const spelt = hasName(resolved) ? undefined : this.spelling(resolved, depth);
    const weight = args.find((arg) => typeof arg === "string" && arg[0] === "$");
    return {
      ref: "weight" in ref ? ref : start,
      value: this.frames.value(ref),
      names,
      shape: this.resolver.shapeAt(ref),
      ...(input ? { given: input } : {}),
      ...(op ? { op } : {}),
      ...(edit ? { edit } : {}),
      ...(weight ? { weight: weight.slice(1) } : {}),
      ...(spelt ? { spelt } : {}),
    };
  }

  /**
   * A number without a name as the operations on those that have one, which all numbers of a tensor share.
   * @param {Resolved} resolved
   * @param {number} depth
   * @returns {Spelt | undefined}
   */
  spelling(resolved, depth) {
    const key = "weight" in resolved.ref ? "" : `${resolved.ref.frame}:${resolved.ref.node}:${depth}`;
    if (!this.spellings.has(key)) this.spellings.set(key, this.spell(resolved, depth));
    return this.spellings.get(key);
  }

  /** @param {Resolved} resolved @param {number} depth @returns {Spelt | undefined} */
  spell({ ref, op = "", args }, depth) {
    if ("weight" in ref || depth >= DEEPEST_NAME) return undefined;
    const { frame, index } = ref;
    if (op === "linear") {
      const [x, weight] = args;
      const row = { ref: this.resolver.argument(frame, x, index.with(-1, 0)), axis: index.length - 1 };
      return { op, weight: weight.slice(1), terms: [{ ends: this.ends(row, depth + 1) }] };
    }
    if (op === "matmul")
      return { op, terms: this.resolver.factors(ref, args).map((row) => ({ ends: this.ends(row, depth + 1) })) };
    if (op === "linalg_vector_norm")
      return { op, terms: [{ ends: this.ends(this.resolver.reducedRow(ref, op, args)) }] };
    if (!WRITTEN.has(op)) return undefined;
    const terms = this.resolver.operands(ref, args).map((operand) => this.spelledOperand(operand, depth + 1));
    // A guard against 0
    if (op === "clamp" && terms.length === 2 && Math.abs(Number(terms[1].value)) <= 1e-6) return terms[0];
    return isIdentity(op, terms) ? terms[0] : { op, terms };
  }

  /** @param {number | NumberRef} operand @param {number} depth @returns {Spelt} */
  spelledOperand(operand, depth) {
    if (typeof operand === "number") return { value: operand };
    const resolved = this.resolver.resolve(operand);
    if (hasName(resolved)) return { ends: [this.leaf(resolved)] };
    return this.spelling(resolved, depth) ?? { ends: [this.leaf(resolved, DEEPEST_NAME)] };
  }

  /**
   * A number as a formula of those it was computed from.
   * @param {Resolved} resolved
   * @param {number} [depth] how many operations it is inside
   * @returns {Term}
   */
  term(resolved, depth = 0) {
    const { ref, op = "", args } = resolved; // without an operation if it was set by hand
    const stops = depth > 0 && (resolved.names.length || depth > DEEPEST_TERM);
    if ("weight" in ref || !WRITTEN.has(op) || stops) return { leaf: this.leaf(resolved) };
    const terms = this.resolver
      .operands(ref, args)
      .map((operand) =>
        typeof operand === "number" ? { value: operand } : this.term(this.resolver.resolve(operand), depth + 1),
      );
    return isIdentity(op, terms) ? terms[0] : { op, terms, value: this.frames.value(ref) };
  }

  /**
   * The numbers along an axis.
   * @param {NumberRef} ref its first element
   * @param {number} axis
   * @returns {Row}
   */
  row(ref, axis) {
    const shape = this.resolver.shapeAt(ref);
    const values = Array.from({ length: shape[axis] }, (_, i) => this.frames.value(elementOf({ ref, axis }, i)));
    return { ref, axis, values, rows: shape[0], ends: this.ends({ ref, axis }) };
  }

  /**
   * The first and the last number along an axis.
   * @param {Pick<Row, "ref" | "axis">} row
   * @param {number} [depth] of the name that they are part of
   */
  ends(row, depth = 0) {
    const last = this.resolver.shapeAt(row.ref)[row.axis] - 1;
    return [0, last].map((i) => this.leaf(this.resolver.resolve(elementOf(row, i)), depth));
  }

  /** One number of each row. @param {number} place @param {Row[]} rows @returns {Part} */
  part(place, ...rows) {
    return { place, leaves: rows.map((row) => this.number(elementOf(row, place))) };
  }
}

/**
 * Whether an operation returns its first operand, such as a scale of 1.
 * @param {string} op
 * @param {{ value?: number }[]} terms
 */
const isIdentity = (op, terms) => (op === "mul" && terms[1].value === 1) || op === "sym.float";

/** @param {Pick<Row, "ref" | "axis">} row @param {number} place @returns {NumberRef} */
const elementOf = ({ ref, axis }, place) => ({ ...ref, index: ref.index.with(axis, place) });

/** Whether a number has a name of its own, or none for a reader to ask for. @param {Resolved} resolved */
const hasName = ({ ref, names, input, edit }) =>
  Boolean(input || edit || "weight" in ref || names.some(({ name }) => !PROJECTED.test(name)));
