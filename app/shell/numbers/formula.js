// Formulas of numbers: each number in a formula is a button that opens it.

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
 * What is written before and after the arguments of a function, if that is not its name, as in "tanh(x)".
 * @type {Record<string, [before: string, after: string]>}
 */
const DELIMITERS = {
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
 * The parts of a number's formula.
 * @param {Term} term
 * @param {Button} button
 * @param {number} [strength] of the operation around it: a weaker one gets brackets
 * @returns {ComponentChildren[]}
 */
export function formulaOf({ op = "", terms = [], leaf, value }, button, strength = 0) {
  if (leaf) return [button(leaf)];
  if (!terms.length) return [significant(Number(value))];
  if (op === "pow")
    return [...formulaOf(terms[0], button, PREFIX + 1), html`<sup>${formulaOf(terms[1], button)}</sup>`];
  if (op === "div") {
    const [above, below] = terms.map((term) => html`<span class="no-part">${formulaOf(term, button)}</span>`);
    return [html`<span class="no-fraction" role="math">${above}<span class="no-over">/</span>${below}</span>`];
  }
  if (op === "neg") return bracketed(["−", ...formulaOf(terms[0], button, PREFIX)], strength > 1);
  const infix = valueIn(INFIX, op);
  if (infix) {
    const [sign, ownStrength] = infix;
    const [left, right] = terms;
    return bracketed(
      [...formulaOf(left, button, ownStrength), sign, ...formulaOf(right, button, ownStrength + 1)],
      ownStrength < strength,
    );
  }
  const [before, after] = delimitersOf(op);
  return [before, ...terms.flatMap((term, i) => [...(i ? [", "] : []), ...formulaOf(term, button)]), after];
}

/** What is written before and after the arguments of a function. @param {string} op */
export const delimitersOf = (op) => valueIn(DELIMITERS, op) ?? [`${op}(`, ")"];

/** @param {ComponentChildren[]} parts @param {boolean} needsBrackets @returns {ComponentChildren[]} */
const bracketed = (parts, needsBrackets) => (needsBrackets ? ["(", ...parts, ")"] : parts);
