// A number as a formula with the numbers in place, each of which can be opened.

import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { significant } from "../../../attn_core/browser/player/core/numbers.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";

/**
 * @import { ComponentChildren } from "../../../attn_core/browser/vendor/preact.js"
 * @import { Leaf, Term } from "../../../attn_core/browser/engine/types.d.ts"
 * @typedef {(leaf: Leaf) => ComponentChildren} Button
 */

/** @type {Record<string, [sign: string, strength: number]>} */
const INFIX = {
  add: [" + ", 1],
  sub: [" − ", 1],
  mul: [" · ", 2],
  le: [" ≤ ", 0],
  lt: [" < ", 0],
  ge: [" ≥ ", 0],
  gt: [" > ", 0],
  ne: [" ≠ ", 0],
  bitwise_and: [" ∧ ", 0],
  "sym.add": [" + ", 1],
  "sym.sub": [" − ", 1],
  "sym.mul": [" · ", 2],
};
/**
 * How a function is written that is not written by its name, as in "tanh(x)".
 * @type {Record<string, [before: string, after: string]>}
 */
const AROUND = {
  abs: ["|", "|"],
  bitwise_not: ["¬(", ")"],
  clamp: ["max(", ")"],
  floor: ["⌊", "⌋"],
  linalg_vector_norm: ["‖", "‖"],
  maximum: ["max(", ")"],
  minimum: ["min(", ")"],
  neg: ["−(", ")"],
  relu: ["max(0, ", ")"],
  sqrt: ["√(", ")"],
};
const PREFIX = 3; // the strength of a minus sign before a term

/**
 * @param {Term} term
 * @param {Button} button
 * @param {number} [strength] of the operation around it
 * @returns {ComponentChildren[]}
 */
export function formula({ op = "", terms = [], leaf, value }, button, strength = 0) {
  if (leaf) return [button(leaf)];
  if (!terms.length) return [significant(Number(value))];
  if (op === "pow") return [...formula(terms[0], button, PREFIX + 1), html`<sup>${formula(terms[1], button)}</sup>`];
  if (op === "div") {
    const [above, below] = terms.map((term) => html`<span class="no-part">${formula(term, button)}</span>`);
    return [html`<span class="no-fraction" role="math">${above}<span class="no-over">/</span>${below}</span>`];
  }
  if (op === "neg") return bracketed(["−", ...formula(terms[0], button, PREFIX)], strength > 1);
  const infix = valueIn(INFIX, op);
  if (infix) {
    const [sign, weakest] = infix;
    const [left, right] = terms;
    return bracketed(
      [...formula(left, button, weakest), sign, ...formula(right, button, weakest + 1)],
      weakest < strength,
    );
  }
  const [before, after] = around(op);
  return [before, ...terms.flatMap((term, i) => [...(i ? [", "] : []), ...formula(term, button)]), after];
}

/** What is written before and after the arguments of a function. @param {string} op */
export const around = (op) => valueIn(AROUND, op) ?? [`${op}(`, ")"];

/** @param {ComponentChildren[]} parts @param {boolean} needed @returns {ComponentChildren[]} */
const bracketed = (parts, needed) => (needed ? ["(", ...parts, ")"] : parts);
