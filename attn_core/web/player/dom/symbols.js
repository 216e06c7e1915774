// Symbols in plain text, "c_{i-1}", as elements or as words.

import { el } from "./elements.js";

/**
 * "c_{i-1}" as text and subscripts.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export function lowered(text) {
  return text.split(/_\{([^}]*)\}/).map((part, i) => (i % 2 ? el("sub", { text: part }) : part)).filter((part) => part !== "");
}

/**
 * The same for screen readers.
 * @param {string} text
 */
export function plain(text) {
  return text.replace(/_\{([^}]*)\}/g, " $1").trim();
}
