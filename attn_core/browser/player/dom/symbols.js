// Symbols in plain text, such as "c_{i-1}", as elements.

import { el } from "./elements.js";

/**
 * "c_{i-1}" as text and subscripts.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export function withSubscripts(text) {
  return text
    .split(/_\{([^}]*)\}/)
    .map((part, i) => (i % 2 ? el("sub", { text: part }) : part))
    .filter((part) => part !== "");
}
