// A text of the reader's, one sentence a line. It is read in the page and sent nowhere. What a line is, and what text
// is, is the same as for files of the command line (attn_core/data/lines.py): a line ends with LF or CR LF, and text
// has no NUL.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { MOST_LETTERS } from "../../../attn_core/browser/engine/limits.js";

/** @import { Line, Text } from "./types.d.ts" */

export const MOST_LINES = 1000;
const MOST_BYTES = 2_000_000;
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/; // Python's \s

/**
 * The sentences of a file. Throws an Error with one line that names the file and what was expected.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Text}
 */
export function readText(name, bytes) {
  const named = { name: name.slice(0, 60) };
  if (bytes.length > MOST_BYTES) {
    throw new Error(
      t("{name} is {size} MB; the limit is {most} MB. Choose a smaller file.", {
        ...named,
        size: (bytes.length / 1e6).toFixed(1),
        most: MOST_BYTES / 1e6,
      }),
    );
  }
  const written = decoded(bytes);
  if (written === null)
    throw new Error(t("{name} is not UTF-8 text. Choose a plain text file with one sentence per line.", named));
  const lines = written
    .split("\n")
    .map((text, i) => ({ number: i + 1, text: strip(text) }))
    .filter(({ text }) => text);
  if (!lines.length)
    throw new Error(t("{name} has no text. Choose a plain text file with one sentence per line.", named));
  const used = lines.slice(0, MOST_LINES);
  const fits = (/** @type {Line} */ { text }) => text.length <= MOST_LETTERS;
  return { lines: used.filter(fits), more: lines.length - used.length, long: used.filter((line) => !fits(line)) };
}

/** A line without the whitespace at its ends, such as the CR of CR LF. @param {string} line */
function strip(line) {
  let [start, end] = [0, line.length];
  while (start < end && SPACE.test(line[start])) start++;
  while (start < end && SPACE.test(line[end - 1])) end--;
  return line.slice(start, end);
}

/** The text; null if the bytes are none. @param {Uint8Array} bytes */
function decoded(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
