// All operations of the engine, and arithmetic with sizes.

import { ELEMENTWISE } from "./elementwise.js";
import { INDEXING } from "./indexing.js";
import { PRODUCTS } from "./products.js";
import { REDUCTIONS } from "./reductions.js";
import { VIEWS } from "./views.js";

/** @typedef {import("./types").Operation} Operation */
/** @typedef {import("./types").View} View */

/**
 * Arithmetic with sizes and step numbers, which are known when a plan is made, or live (see plan.js).
 * @param {"add" | "mul" | "sub"} name
 * @param {(a: number, b: number) => number} compute
 * @returns {Operation}
 */
function arithmetic(name, compute) {
  return (build, a, b) => {
    if (typeof a === "number" && typeof b === "number") return compute(a, b);
    const result = /** @type {View} */ (ELEMENTWISE[name](build, a, b));
    if (name === "add" && a.live && typeof b === "number") result.live = { ...a.live, plus: a.live.plus + b };
    return result;
  };
}

/** @type {Record<string, Operation>} */
const SIZES = {
  "sym.add": arithmetic("add", (a, b) => a + b),
  "sym.float": (_build, a) => a,
  "sym.floordiv": (_build, a, b) => Math.floor(a / b),
  "sym.mul": arithmetic("mul", (a, b) => a * b),
  "sym.size": (_build, x, axis) => x.shape[axis < 0 ? axis + x.shape.length : axis],
  "sym.sub": arithmetic("sub", (a, b) => a - b),
};

/** @type {Record<string, Operation>} */
const OPERATIONS = { ...ELEMENTWISE, ...INDEXING, ...PRODUCTS, ...REDUCTIONS, ...SIZES, ...VIEWS };

/**
 * The operation with this name in a graph.
 * @param {string} name
 * @param {string} model the model's name, for the message
 */
export function operation(name, model) {
  if (!Object.hasOwn(OPERATIONS, name))
    throw new Error(`${model} uses the operation ${name}, which is not available here`);
  return OPERATIONS[name];
}

/** The names of all operations. */
export const NAMES = Object.keys(OPERATIONS).sort();
