// A text of the reader's, one sentence a line. It is read in the page and sent nowhere.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { MOST_LETTERS } from "../../../attn_core/web/engine/limits.js";

/** @import { Line, Text } from "./types.d.ts" */

export const MOST_LINES = 1000;
export const MOST_BYTES = 2_000_000;

/**
 * The sentences of a file. Throws an Error with one line that names the file and what was expected.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Text}
 */
export function readText(name, bytes) {
  const named = { name: name.slice(0, 60) };
  if (bytes.length > MOST_BYTES) {
    throw new Error(t("{name} is {size} MB; the limit is {most} MB. Choose a smaller file.", { ...named, size: (bytes.length / 1e6).toFixed(1), most: MOST_BYTES / 1e6 }));
  }
  const written = decoded(bytes);
  if (written === null) throw new Error(t("{name} is not UTF-8 text. Choose a plain text file with one sentence per line.", named));
  const lines = written.split(/\r\n|\r|\n/).map((text, i) => ({ number: i + 1, text: text.trim() })).filter(({ text }) => text);
  if (!lines.length) throw new Error(t("{name} has no text. Choose a plain text file with one sentence per line.", named));
  const used = lines.slice(0, MOST_LINES);
  const fits = (/** @type {Line} */ { text }) => text.length <= MOST_LETTERS;
  return { lines: used.filter(fits), more: lines.length - used.length, long: used.filter((line) => !fits(line)) };
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
