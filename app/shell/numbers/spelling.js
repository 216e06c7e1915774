// The names of parameters, and of numbers without a name: the operation on numbers that have one.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { significant } from "../../../attn_core/browser/player/core/numbers.js";
import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { delimitersOf } from "./formula.js";

/**
 * @import { ComponentChildren } from "../../../attn_core/browser/vendor/preact.js"
 * @import { Leaf, Spelt } from "../../../attn_core/browser/engine/types.d.ts"
 */

/** @type {Record<string, string>} */
const SIGNS = { add: " + ", sub: " − ", mul: " · ", div: " / ", pow: " ^ " };

/** @type {() => Record<string, string>} of parameters whose name in the code is not their symbol */
const parameterNames = () => ({
  "output.weight": t("output layer"),
  "output.bias": t("bias of the output layer"),
  "norm.weight": t("scale of the layer norm"),
  "norm.bias": t("shift of the layer norm"),
  "embed.weight": t("embedding matrix"),
  "feed.0.weight": "W_1",
  "feed.0.bias": "b_1",
});

/**
 * A parameter's symbol, as in the papers or in PyTorch's documentation: the last part of its name in the code.
 * @param {string} name
 */
export function shortName(name) {
  const parts = name.split(".");
  for (const length of [2, 3]) {
    const known = valueIn(parameterNames(), parts.slice(-length).join("."));
    if (known) return known;
  }
  const last = parts.at(-1) ?? "";
  const [, kind, path] = last.match(/^(weight|bias)_(ih|hh)_l\d+/) ?? []; // of a recurrent layer in PyTorch
  if (kind) return `${kind === "weight" ? "W" : "b"}_${path}`;
  const [module = ""] = parts.slice(-2);
  if (/^\d+$/.test(module)) return last === "weight" ? "W_2" : "b_2"; // the second of a feed-forward layer
  return last === "weight" ? module : last === "bias" ? t("bias of {name}", { name: module }) : last;
}

/**
 * A number without a name, spelt out: "tanh(W_a × previous state + U_a × encoder state)". What is deeper is "…".
 * @param {Spelt} spelt
 * @param {(leaf: Leaf) => string} nameOf
 * @returns {string}
 */
export function spellOut({ op = "", weight, terms = [], ends, value }, nameOf) {
  if (ends) {
    const names = [...new Set(ends.map(nameOf))];
    return names.length > 1 ? `[${names.join("; ")}]` : names[0];
  }
  if (!terms.length) return value === undefined ? "…" : significant(value);
  const parts = terms.map((term) => spellOut(term, nameOf));
  if (op === "linear") return `${shortName(weight ?? "")} × ${bracketed(parts[0])}`;
  if (op === "matmul") return parts.map(bracketed).join(" · ");
  const sign = valueIn(SIGNS, op);
  if (sign) return (op === "add" ? parts : parts.map(bracketed)).join(sign);
  const [before, after] = delimitersOf(op);
  return `${before}${parts.join(", ")}${after}`;
}

/** A sum in brackets, as part of a product. @param {string} text */
const bracketed = (text) => (/ [+−/] /.test(text) && !/^\w*\(.*\)$|^\[.*\]$/.test(text) ? `(${text})` : text);

/**
 * A name with its subscripts, such as v_a with a lowered a.
 * @param {string} name
 * @returns {ComponentChildren[]}
 */
export const typeset = (name) =>
  name.split(/\b([A-Za-z]_[A-Za-z0-9]+)\b/).map((part, i) => {
    if (i % 2 === 0) return part;
    const [letter, low] = part.split("_");
    return html`<span class="no-symbol">${letter}<sub>${low}</sub></span>`;
  });
