// Messages in the reader's language (attn_core/messages.py). English is the source language and needs no catalogue.
// A message is one string in double quotes, or such strings joined by "+", so that it can be extracted.

import { CATALOGUE, plural } from "./catalogue.js";
import { valueIn } from "../../engine/lookup.js";

/** @typedef {Record<string, string | number>} Values */

/**
 * The translation of `message`, in which `{name}` stands for `values.name`.
 * @param {string} message
 * @param {Values} [values]
 */
export function t(message, values = {}) {
  const translation = valueIn(CATALOGUE, message);
  return filled(typeof translation === "string" ? translation : message, values);
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
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    Object.hasOwn(values, name) ? isolated(String(values[name])) : whole,
  );
}

const FIRST_STRONG_ISOLATE = "\u2068"; // what follows, up to the end of the isolate, has a direction of its own
const END_OF_ISOLATE = "\u2069";
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text from outside for a place in a sentence. One that is written from right to left is isolated, so that it neither
 * runs together with its neighbours nor turns the quotation marks around it. The same as attn_core.messages.isolated.
 * @param {string} text
 */
export function isolated(text) {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  let open = 0;
  const closed = text.replace(/[\u2066-\u2069]/g, (mark) => {
    if (mark !== END_OF_ISOLATE) open += 1;
    else if (open === 0)
      return ""; // it would end the isolate around the text
    else open -= 1;
    return mark;
  });
  return `${FIRST_STRONG_ISOLATE}${closed}${END_OF_ISOLATE.repeat(open + 1)}`;
}

/** The message of what was thrown. @param {unknown} problem an Error, or its message */
export const messageOf = (problem) => (problem instanceof Error ? problem.message : String(problem));
