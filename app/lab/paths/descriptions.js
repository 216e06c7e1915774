// The text below a path: the equation and the values of a node, or whether another query is possible.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { exact, fixed, short } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { withSubscripts } from "../../../attn_core/browser/player/dom/symbols.js";
import { lengthOf } from "./contents.js";
import { nodeOf } from "./graph.js";

/** @import { Path, PathNode } from "./types.d.ts" */

const MOST_NUMBERS = 10; // of a vector

/**
 * A node: its equation, its inputs and its values.
 * @param {Path} path
 * @param {PathNode} node
 * @param {number} step
 * @param {boolean} hasValues
 */
export function describeNode(path, node, step, hasValues) {
  const inputs = path.edges.filter(([, to]) => to === node.id).map(([from]) => nodeOf(path, from));
  const symbols = inputs.flatMap(({ symbol }, i) => [...(i ? [", "] : []), el("b", {}, ...withSubscripts(symbol))]);
  const shape = node.shape.length ? [": ", node.shape.join(" × ")] : [];
  return [
    el("p", { class: "pl-equation" }, ...withSubscripts(node.equation)),
    el("p", { class: "pl-name" }, el("b", {}, ...withSubscripts(node.symbol)), `, ${node.name}`, ...shape),
    ...(node.given ? [] : [el("p", { class: "pl-from" }, t("computed from:"), " ", ...symbols)]),
    ...valueLines(path, node, step, hasValues),
  ];
}

/**
 * @param {Path} path
 * @param {PathNode} node
 * @param {number} step
 * @param {boolean} hasValues
 */
function valueLines({ source, steps }, { id }, step, hasValues) {
  const { values, top } = steps[step];
  const value = values[id];
  if (!hasValues) return [numbers(t("No values: the model does not compute this."))];
  if (id === "output")
    return [numbers(top.map(([word, logProb]) => `${word} ${exact(Math.exp(logProb))}`).join("   "))];
  if (value === undefined) return [];
  if (typeof value === "number") return [numbers(exact(value))];
  if (id === "memory") {
    const lengths = source.map((word, s) => `${word} ${value[s].toFixed(2)}`).join("   ");
    return [numbers(`${t("lengths:")} ${lengths}`)];
  }
  if (id === "weights") return [numbers(source.map((word, s) => `${word} ${short(value[s])}`).join("   "))];
  const [least, most] = [Math.min(...value), Math.max(...value)].map((end) => fixed(end, 3));
  const range = t("length {length}, from {least} to {most}", { length: lengthOf(value).toFixed(3), least, most });
  const first = value.slice(0, MOST_NUMBERS).map((number) => fixed(number, 4));
  const more = value.length > MOST_NUMBERS ? ["…"] : [];
  return [el("p", { class: "pl-from", text: range }), numbers([...first, ...more].join("   "))];
}

/** @param {string} text */
const numbers = (text) => el("p", { class: "pl-numbers", text });

/**
 * The cycle that another query makes; or, without one, the order in which the step could be computed.
 * @param {Path} path
 * @param {string[]} cycle
 * @param {string[]} order
 */
export function describeAttempt(path, cycle, order) {
  const symbol = (/** @type {string} */ id) => el("b", {}, ...withSubscripts(nodeOf(path, id).symbol));
  if (!cycle.length) {
    const computed = order.filter((id) => !nodeOf(path, id).given);
    const explanation = t(
      "Attention no longer depends on the new state, as in Bahdanau's order. The model was not trained this " +
        "way, so there are no values.",
    );
    return [
      el("p", { class: "pl-verdict pl-fine", text: t("This order is possible:") }),
      el("p", { class: "pl-equation" }, ...computed.flatMap((id, i) => [...(i ? [", "] : []), symbol(id)])),
      el("p", { class: "pl-from", text: explanation }),
    ];
  }
  const needs = cycle.map((id, i) =>
    el("p", { class: "pl-need" }, symbol(id), ` ${t("needs")} `, symbol(cycle[(i + cycle.length - 1) % cycle.length])),
  );
  const explanation = t(
    "In Luong's order the new state can be the query, because it does not depend on the context vector.",
  );
  return [
    el("p", { class: "pl-verdict", text: t("A cycle: none of these can be computed first.") }),
    ...needs,
    el("p", { class: "pl-from", text: explanation }),
  ];
}
