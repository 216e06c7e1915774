// What parameters are called, and numbers that have no name of their own: as the operation on those that have one.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { significant } from "../../../attn_core/browser/player/core/numbers.js";
import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { around } from "./formula.js";

/**
 * @import { ComponentChildren } from "../../../attn_core/browser/vendor/preact.js"
 * @import { Leaf, Spelt } from "../../../attn_core/browser/engine/types.d.ts"
 */

/** @type {Record<string, string>} */
const SIGNS = { add: " + ", sub: " − ", mul: " · ", div: " / ", pow: " ^ " };

/** @type {() => Record<string, string>} parameters whose name in the code is not their symbol */
const parameters = () => ({
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
    const known = valueIn(parameters(), parts.slice(-length).join("."));
    if (known) return known;
  }
  const last = parts.at(-1) ?? "";
  const [, kind, ways] = last.match(/^(weight|bias)_(ih|hh)_l\d+/) ?? [];
  if (kind) return `${kind === "weight" ? "W" : "b"}_${ways}`;
  const [before = ""] = parts.slice(-2);
  if (/^\d+$/.test(before)) return last === "weight" ? "W_2" : "b_2"; // the second of a feed-forward layer
  return last === "weight" ? before : last === "bias" ? t("bias of {name}", { name: before }) : last;
}

/**
 * A number without a name: "tanh(W_a × previous state + U_a × encoder state)"; where it stops, "…".
 * @param {Spelt} spelt
 * @param {(leaf: Leaf) => string} nameOf
 * @returns {string}
 */
export function spelling({ op = "", weight, terms = [], ends, value }, nameOf) {
  if (ends) {
    const names = [...new Set(ends.map(nameOf))];
    return names.length > 1 ? `[${names.join("; ")}]` : names[0];
  }
  if (!terms.length) return value === undefined ? "…" : significant(value);
  const parts = terms.map((term) => spelling(term, nameOf));
  if (op === "linear") return `${shortName(weight ?? "")} × ${bracketed(parts[0])}`;
  if (op === "matmul") return parts.map(bracketed).join(" · ");
  const sign = valueIn(SIGNS, op);
  if (sign) return (op === "add" ? parts : parts.map(bracketed)).join(sign);
  const [before, after] = around(op);
  return `${before}${parts.join(", ")}${after}`;
}

/** A sum in brackets, as part of a product. @param {string} text */
const bracketed = (text) => (/ [+−/] /.test(text) && !/^\w*\(.*\)$|^\[.*\]$/.test(text) ? `(${text})` : text);

/**
 * A name with its subscripts: v_a as v with a low a.
 * @param {string} name
 * @returns {ComponentChildren[]}
 */
export const typeset = (name) =>
  name.split(/\b([A-Za-z]_[A-Za-z0-9]+)\b/).map((part, i) => {
    if (i % 2 === 0) return part;
    const [letter, low] = part.split("_");
    return html`<span class="no-symbol">${letter}<sub>${low}</sub></span>`;
  });
