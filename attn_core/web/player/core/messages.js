// Messages in the reader's language (attn_core/messages.py). English is the source language and needs no catalogue.
// A message is one string in double quotes, or such strings joined by "+", so that it can be extracted.

import { CATALOGUE, plural } from "./catalogue.js";
import { valueIn } from "./lookup.js";

/** @typedef {Record<string, string | number>} Values */

/**
 * The translation of `message`, in which `{name}` stands for `values.name`.
 * @param {string} message
 * @param {Values} [values]
 */
export function t(message, values = {}) {
  const found = valueIn(CATALOGUE, message);
  return filled(typeof found === "string" ? found : message, values);
}

/**
 * The message for the number `n`; both forms may contain `{n}`.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Values} [values]
 */
export function tn(one, many, n, values = {}) {
  const forms = valueIn(CATALOGUE, one);
  const message = Array.isArray(forms) ? forms[plural(n)] : n === 1 ? one : many;
  return filled(message, { n, ...values });
}

/**
 * @param {string} text
 * @param {Values} values
 */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
