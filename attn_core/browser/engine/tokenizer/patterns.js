// Patterns of the Moses rules as regular expressions. Their character classes are lists of code points: a browser's \s
// is not Python's, and its \p{L} depends on its version of Unicode.

/** @import { Pattern, Substitution } from "./types.d.ts" */

/**
 * Functions that compile patterns, each once.
 * @param {number[][]} classes
 */
export function createPatterns(classes) {
  /** @type {Map<string, RegExp>} */
  const compiled = new Map();
  /** @type {string[]} */
  const sets = [];

  /**
   * @param {Pattern} text
   * @param {string} [flags]
   */
  function pattern(text, flags = "u") {
    const key = `${flags} ${text}`;
    let expression = compiled.get(key);
    if (!expression) {
      const written = text.replace(/\\p\{(\d+)\}/g, (_, /** @type {string} */ n) => (sets[+n] ??= setOf(classes[+n])));
      expression = new RegExp(written, flags);
      compiled.set(key, expression);
    }
    return expression;
  }

  /**
   * A function that makes substitutions, in their order, everywhere in a text.
   * @param {Substitution[]} substitutions
   */
  function substitute(substitutions) {
    const pairs = substitutions.map(([text, replacement]) => /** @type {const} */ ([pattern(text, "gu"), replacement]));
    return (/** @type {string} */ text) =>
      pairs.reduce((line, [expression, replacement]) => line.replace(expression, replacement), text);
  }

  return { pattern, substitute };
}

/** @param {number[]} runs code points outside and inside by turns */
function setOf(runs) {
  let code = 0;
  let set = "";
  runs.forEach((run, index) => {
    if (index % 2) set += `\\u{${code.toString(16)}}-\\u{${(code + run - 1).toString(16)}}`;
    code += run;
  });
  return `[${set}]`;
}
