// Python's ways with characters: whitespace, lines, letters, NFC and case.
//
// A browser may know a later version of Unicode than the Python that wrote the rules. The characters that were not
// assigned then are left as they are, as Python leaves them.

/** @import { Compiled, Form } from "./types.d.ts" */

/**
 * @param {Pick<Compiled, "pattern" | "text">} compiled
 */
export function createUnicode({ pattern, text: classes }) {
  const space = pattern(`${classes.space}+`, "gu");
  const isSpace = pattern(classes.space);
  const line = pattern(`\r\n|${classes.line_end}`, "gu");
  const visible = pattern(`(?:${classes.visible}|${classes.joiner})+`, "gu");
  const assigned = pattern(`${classes.assigned}+`, "gu");
  const known = pattern(`^${classes.assigned}$`);
  const alphanumeric = pattern(classes.alphanumeric);

  /** @param {string} text */
  const split = (text) => text.split(space).filter((word) => word);

  /** @param {string} text @param {"NFC" | "NFD"} name */
  const normalized = (text, name) => text.replace(assigned, (run) => run.normalize(name));

  /** @param {string} text */
  const lower = (text) => text.replace(assigned, (run) => run.toLowerCase());

  const joiners = createJoiners(pattern, classes);
  const words = pattern(`(?:(?!${classes.space})[^])+`, "gu");

  /** @param {string} text */
  const withoutInvisible = (text) => joiners((text.match(visible) ?? []).join(""));

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
     * A text in NFC, without invisible characters that no word needs.
     * @param {string} text
     */
    readable: (text) => withoutInvisible(normalized(encodable(text), "NFC")),

    lower,

    /**
     * A function that brings text to a form, without invisible characters; a word of nothing else stays as it is.
     * @param {Form} form
     */
    createForm: (form) => (/** @type {string} */ raw) => {
      const text = raw.replace(words, (word) => withoutInvisible(word) || word);
      const cased = form.lower ? lower(text) : text;
      return form.unicode ? normalized(cased, form.unicode) : cased;
    },

    /**
     * A token with its first letter as a capital, if that is one character; null if it has neither letter nor digit.
     * @param {string} token
     */
    capitalized(token) {
      const match = alphanumeric.exec(token);
      if (!match) return null;
      const capital = match[0].toUpperCase();
      const after = match.index + match[0].length;
      return known.test(capital) ? token.slice(0, match.index) + capital + token.slice(after) : token;
    },
  };
}

/**
 * A function that removes the joiners of a text that no word needs, and all but the first of several in a row.
 * @param {Compiled["pattern"]} pattern
 * @param {Compiled["text"]} classes
 */
function createJoiners(pattern, { joiner, joined }) {
  const some = pattern(joiner);
  const runs = pattern(`(${joiner})${joiner}+`, "gu");
  const noise = pattern(`(?<!${joined})${joiner}|[\u200c\u180e](?!${joined})`, "gu");
  return (/** @type {string} */ text) => (some.test(text) ? text.replace(runs, "$1").replace(noise, "") : text);
}

/**
 * A text with lone surrogates, which UTF-8 cannot encode, replaced by U+FFFD.
 * @param {string} text
 */
export const encodable = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");
