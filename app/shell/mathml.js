// Equations that Python has made in MathML, as elements of the page.

import { valueIn } from "../../attn_core/web/player/core/lookup.js";
import { fixed } from "../../attn_core/web/player/core/numbers.js";

/** @import { EquationJSON } from "../../attn_core/web/engine/types.d.ts" */

const MATHML = "http://www.w3.org/1998/Math/MathML";
// A model's folder may come from anywhere, so nothing else of its markup reaches the page.
const TAGS = new Set(["math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msub", "msup", "msubsup", "mover", "munder", "munderover", "mfrac", "msqrt", "mstyle"]);
const ATTRIBUTES = new Set(["accent", "displaystyle", "fence", "form", "scriptlevel", "stretchy", "width"]);

/**
 * An equation with the values of its live settings in place of the exported ones. Throws an Error for markup that is no MathML.
 * @param {EquationJSON} equation
 */
export function equationElement({ markup, values }) {
  const { documentElement } = new DOMParser().parseFromString(markup, "application/xml");
  return copied(documentElement, values);
}

/** @param {Element} given @param {Record<string, number>} values @returns {Element} */
function copied(given, values) {
  if (!TAGS.has(given.localName)) throw new Error(`an equation of the model has an element <${given.localName}>`);
  const made = document.createElementNS(MATHML, given.localName);
  for (const { name, value } of given.attributes) if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  const live = valueIn(values, given.getAttribute("data-live"));
  if (live !== undefined) made.textContent = live < Infinity ? String(Number(fixed(live, 2))) : "∞";
  else made.append(...[...given.childNodes].map((node) => (node instanceof Element ? copied(node, values) : document.createTextNode(node.textContent ?? ""))));
  return made;
}
