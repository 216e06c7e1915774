// The entities that Moses writes for some characters.

import { valueIn } from "./lookup.js";

/** @type {Record<string, string>} */
const ESCAPED = { amp: "&", "#124": "|", lt: "<", gt: ">", apos: "'", quot: '"', "#91": "[", "#93": "]" };

/** A token without Moses' escapes. @param {string} token */
export const unescaped = (token) =>
  token.replace(/&(#?\w+);/g, (whole, /** @type {string} */ name) => valueIn(ESCAPED, name) ?? whole);
