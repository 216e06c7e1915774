// Components for equations whose MathML was written by Python.

import { h } from "../../vendor/preact.js";
import { useMemo } from "../../vendor/hooks.js";
import { valueIn } from "../../engine/lookup.js";
import { fixed } from "../core/numbers.js";

/** @import { VNode } from "../../vendor/preact.js" */
/** @import { EquationJSON } from "../../engine/types.d.ts" */

// A model's folder may come from anywhere, so only these elements and attributes of its markup reach the page.
const TAGS = new Set([
  "math",
  "mrow",
  "mi",
  "mn",
  "mo",
  "mtext",
  "mspace",
  "msub",
  "msup",
  "msubsup",
  "mover",
  "munder",
  "munderover",
  "mfrac",
  "msqrt",
  "mstyle",
]);
const ATTRIBUTES = new Set(["accent", "displaystyle", "fence", "form", "scriptlevel", "stretchy", "width"]);

/**
 * An equation with the current values of its live settings in place of the exported ones. Throws an Error for elements
 * that are not in TAGS.
 * @param {{ equation: EquationJSON }} props
 */
export function Equation({ equation: { markup, values } }) {
  const parsed = useMemo(() => new DOMParser().parseFromString(markup, "application/xml").documentElement, [markup]);
  return nodeOf(parsed, values);
}

/** @param {Element} element @param {Record<string, number>} values @returns {VNode} */
function nodeOf(element, values) {
  if (!TAGS.has(element.localName)) throw new Error(`an equation of the model has an element <${element.localName}>`);
  const attributes = Object.fromEntries(
    [...element.attributes].filter(({ name }) => ATTRIBUTES.has(name)).map(({ name, value }) => [name, value]),
  );
  const live = valueIn(values, element.getAttribute("data-live"));
  if (live !== undefined)
    return h(element.localName, attributes, live < Infinity ? String(Number(fixed(live, 2))) : "∞");
  return h(
    element.localName,
    attributes,
    ...[...element.childNodes].map((child) => (child instanceof Element ? nodeOf(child, values) : child.textContent)),
  );
}
