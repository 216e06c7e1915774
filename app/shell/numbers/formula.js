// A number as a formula with the numbers in place, each of which can be opened.

import { el } from "../../../attn_core/web/player/dom/elements.js";
import { digits } from "./names.js";
import { valueIn } from "../../../attn_core/web/player/core/lookup.js";

/**
 * @import { Leaf, Term } from "../../../attn_core/web/engine/types.d.ts"
 * @typedef {(leaf: Leaf) => HTMLElement} Button
 * @typedef {(Node | string)[]} Shown
 */

/** @type {Record<string, [sign: string, strength: number]>} */
const INFIX = {
  add: [" + ", 1], sub: [" − ", 1], mul: [" · ", 2], le: [" ≤ ", 0], lt: [" < ", 0], ge: [" ≥ ", 0], gt: [" > ", 0], ne: [" ≠ ", 0],
  bitwise_and: [" ∧ ", 0], "sym.add": [" + ", 1], "sym.sub": [" − ", 1], "sym.mul": [" · ", 2],
};
/** @type {Record<string, [before: string, after: string]>} */
const AROUND = {
  exp: ["exp(", ")"], tanh: ["tanh(", ")"], sigmoid: ["sigmoid(", ")"], sin: ["sin(", ")"], cos: ["cos(", ")"], abs: ["|", "|"], floor: ["⌊", "⌋"],
  trunc: ["trunc(", ")"], minimum: ["min(", ")"], maximum: ["max(", ")"], clamp: ["max(", ")"], relu: ["max(0, ", ")"], bitwise_not: ["¬(", ")"],
};
const PREFIX = 3; // the strength of a minus sign before a term

/**
 * @param {Term} term
 * @param {Button} button
 * @param {number} [strength] of the operation around it
 * @returns {Shown}
 */
export function formula({ op = "", terms = [], leaf, value }, button, strength = 0) {
  if (leaf) return [button(leaf)];
  if (!terms.length) return [digits(Number(value))];
  if (op === "pow") return [...formula(terms[0], button, PREFIX + 1), el("sup", {}, ...formula(terms[1], button))];
  if (op === "div") {
    const [above, below] = terms.map((one) => el("span", { class: "no-part" }, ...formula(one, button)));
    return [el("span", { class: "no-fraction", role: "math" }, above, el("span", { class: "no-over", text: "/" }), below)];
  }
  if (op === "neg") return bracketed(["−", ...formula(terms[0], button, PREFIX)], strength > 1);
  const infix = valueIn(INFIX, op);
  if (infix) {
    const [sign, own] = infix;
    const [left, right] = terms;
    return bracketed([...formula(left, button, own), sign, ...formula(right, button, own + 1)], own < strength);
  }
  const [before, after] = valueIn(AROUND, op) ?? [`${op}(`, ")"];
  return [before, ...terms.flatMap((one, i) => [...(i ? [", "] : []), ...formula(one, button)]), after];
}

/** @param {Shown} parts @param {boolean} needed */
const bracketed = (parts, needed) => (needed ? ["(", ...parts, ")"] : parts);
