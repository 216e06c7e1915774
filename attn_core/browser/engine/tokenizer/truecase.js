// The capitals of words, restored in lower-cased output: the table of target.json, as attn_core.data.truecase reads it.

/** @import { TruecaseRecord } from "./types.d.ts" */

const VERSION = 1;
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * The usual spelling of each word with capitals, by the word in lower case; without a table there are none.
 *
 * Throws an Error that says where a table is damaged.
 * @param {TruecaseRecord | string} [record]
 * @returns {Map<string, string>}
 */
export function readSpellings(record) {
  /** @type {Map<string, string>} */
  const spellings = new Map();
  if (record === undefined) return spellings;
  if (typeof record !== "object" || typeof record?.spellings !== "string")
    throw new Error("truecase must have a version and spellings");
  if (record.version !== VERSION) throw new Error(`expected version ${VERSION} of truecase, not ${record.version}`);
  /** @type {string[]} */
  let before = [];
  for (const part of record.spellings.split(" ")) {
    const shared = part ? DIGITS.indexOf(part[0]) : -1;
    const word = before.slice(0, shared).join("") + part.slice(1);
    const lower = word.toLowerCase();
    const isNew = word !== lower && !/\s/.test(word) && !spellings.has(lower);
    if (shared < 0 || shared > before.length || !isNew)
      throw new Error(`truecase is damaged at ${JSON.stringify(part)}`);
    spellings.set(lower, word);
    before = [...word]; // letters are counted, not UTF-16 units
  }
  return spellings;
}
