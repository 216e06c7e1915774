// Python's ways with characters: whitespace, lines, letters, NFC and case.
//
// A browser may know a later version of Unicode than the Python that wrote the rules. The characters that were not
// assigned then are left as they are, as Python leaves them.

/** @import { Compiled } from "./types.d.ts" */

/**
 * @param {Pick<Compiled, "pattern" | "text">} compiled
 */
export function createUnicode({ pattern, text: classes }) {
  const space = pattern(`${classes.space}+`, "gu");
  const isSpace = pattern(classes.space);
  const line = pattern(`\r\n|${classes.line_end}`, "gu");
  const visible = pattern(`${classes.visible}+`, "gu");
  const assigned = pattern(`${classes.assigned}+`, "gu");
  const known = pattern(`^${classes.assigned}$`);
  const alphanumeric = pattern(classes.alphanumeric);

  /** @param {string} text */
  const split = (text) => text.split(space).filter((word) => word);

  return {
    split,

    /** @param {string} text */
    strip(text) {
      let start = 0;
      let end = text.length;
      while (start < end && isSpace.test(text[start])) start++;
      while (start < end && isSpace.test(text[end - 1])) end--;
      return text.slice(start, end);
    },

    /**
     * A text with a space for each line break.
     * @param {string} text
     */
    oneLine: (text) => text.replace(line, " "),

    /**
     * A text in NFC, without invisible characters.
     * @param {string} text
     */
    readable: (text) =>
      (encodable(text).replace(assigned, (run) => run.normalize("NFC")).match(visible) ?? []).join(""),

    /** @param {string} text */
    lower: (text) => text.replace(assigned, (run) => run.toLowerCase()),

    /**
     * A token with its first letter as a capital, if that is one character; null if it has neither letter nor digit.
     * @param {string} token
     */
    capitalized(token) {
      const found = alphanumeric.exec(token);
      if (!found) return null;
      const capital = found[0].toUpperCase();
      const after = found.index + found[0].length;
      return known.test(capital) ? token.slice(0, found.index) + capital + token.slice(after) : token;
    },
  };
}

/**
 * A text with lone surrogates, which UTF-8 cannot encode, replaced by U+FFFD.
 * @param {string} text
 */
export const encodable = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");
