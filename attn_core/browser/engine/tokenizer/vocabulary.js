// The vocabulary in source.json or target.json, checked as Python's Tokenizer.load checks it.

import { SPECIALS, UNKNOWN } from "./specials.js";
import { readSpellings } from "./truecase.js";

/** @import { TokenizerRecord, Vocabulary } from "./types.d.ts" */

export const UNK = SPECIALS.indexOf(UNKNOWN);

const FORMAT = "attn_core.tokenizer";
const VERSION = 1;
const KINDS = ["word", "bpe"];

/**
 * The vocabulary of a tokenizer's file; `beside` is the JSON of the file that it names for a shared vocabulary.
 *
 * Throws an Error that says what is wrong with a damaged file.
 * @param {TokenizerRecord} record
 * @param {TokenizerRecord | null} beside
 * @returns {Vocabulary}
 */
export function readVocabulary(record, beside) {
  try {
    if (record?.format !== FORMAT) throw new Error(`expected a JSON object with format '${FORMAT}'`);
    const { version, lang, kind } = record;
    if (version !== VERSION) throw new Error(`expected version ${VERSION}, not ${version}`);
    if (typeof lang !== "string" || !KINDS.includes(kind)) {
      throw new Error(`expected a language code and a kind of ${KINDS.join(", ")}, not '${lang}' and '${kind}'`);
    }
    if (typeof (record.sentences ?? false) !== "boolean")
      throw new Error(`sentences must be true or false, not ${record.sentences}`);
    checkForm(record.form);
    const inner = typeof record.tokenizer === "string" ? beside?.tokenizer : record.tokenizer;
    const model = typeof inner === "object" ? inner?.model : undefined;
    const ids = readIds(model?.vocab);
    return {
      ids,
      merges: kind === "bpe" ? readMerges(model?.merges, ids) : [],
      spellings: readSpellings(record.truecase),
    };
  } catch (error) {
    throw new Error(`not a tokenizer file, or a damaged one (${/** @type {Error} */ (error).message})`);
  }
}

/** @param {unknown} form */
function checkForm(form) {
  const { lower, unicode } = isObject(form) ? /** @type {Record<string, unknown>} */ (form) : {};
  if (typeof lower !== "boolean" || !["NFC", "NFD", null].includes(/** @type {string | null} */ (unicode))) {
    throw new Error(
      `expected a form with lower (true or false) and unicode (NFC, NFD or null), not ${JSON.stringify(form)}`,
    );
  }
}

/**
 * @param {unknown} vocabulary
 * @returns {Map<string, number>}
 */
function readIds(vocabulary) {
  if (!isObject(vocabulary)) throw new Error("the vocabulary is missing or invalid");
  const ids = new Map(Object.entries(vocabulary));
  const sorted = [...ids.values()].sort((first, other) => Number(first) - Number(other));
  if (!sorted.every((id, i) => id === i) || !SPECIALS.every((token, i) => ids.get(token) === i)) {
    throw new Error(`expected ids 0, 1, 2 ... starting with ${SPECIALS.join(" ")}`);
  }
  return /** @type {Map<string, number>} */ (ids);
}

/**
 * @param {unknown} merges
 * @param {Map<string, number>} ids
 * @returns {[string, string][]}
 */
function readMerges(merges, ids) {
  if (!Array.isArray(merges)) throw new Error("the merges are missing or invalid");
  for (const pair of merges) {
    if (!Array.isArray(pair) || pair.length !== 2 || ![...pair, pair.join("")].every((piece) => ids.has(piece))) {
      throw new Error(`merge ${JSON.stringify(pair)} is not in the vocabulary`);
    }
  }
  return merges;
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
