// What a model's vocabularies reveal about a sentence: which words are known, and whether it is in the target language.
// The same as attn_core.data.language.read, whose comments say why.

import { unescaped } from "./escapes.js";
import { FUNCTION_WORDS } from "./function-words.js";
import { UNK } from "./tokenizer/vocabulary.js";

/** @typedef {import("./tokenizer/types").Tokenizer} Tokenizer */
/** @typedef {import("./types").Reading} Reading */

const SURE = 0.8; // nats per word by which the other language must be more likely
const LEAST = 4; // and nats for the whole sentence

/**
 * @param {string[]} typed the tokenised words of a sentence
 * @param {Tokenizer} source
 * @param {Tokenizer} target
 * @returns {Reading}
 */
export function read(typed, source, target) {
  const words = typed.filter((word) => /[\p{L}\p{N}]/u.test(unescaped(word)));
  const odd = words.map((word) => source.unknown(source.tokens(word, true)).length > 0);
  const part = (/** @type {boolean} */ wanted) => words.filter((_, i) => odd[i] === wanted).map(unescaped);
  return {
    known: part(false),
    unknown: part(true),
    swapped: [source, target].some(({ kind }) => kind === "bpe")
      ? isInOtherLanguage(words.map(unescaped), source.lang, target.lang)
      : isCheaper(words, source, target),
  };
}

/**
 * Whether the ranks of its words make a sentence more likely in the target language.
 * @param {string[]} words
 * @param {Tokenizer} source
 * @param {Tokenizer} target
 */
function isCheaper(words, source, target) {
  const [here, there] = [source.ids(words), target.ids(words)];
  const gain = here.reduce((total, id, i) => total + cost(id, source) - cost(there[i], target), 0);
  return gain > Math.max(SURE * words.length, LEAST);
}

/** @param {number} id @param {Tokenizer} tokenizer */
function cost(id, { size }) {
  return Math.log(id === UNK ? 2 * size : id);
}

/** The function words of each language, without apostrophes. @type {ReadonlyMap<string, Set<string>>} */
const LISTS = new Map(
  Object.entries(FUNCTION_WORDS).map(([language, text]) => [language, new Set(text.replaceAll("'", "").split(" "))]),
);

/**
 * `attn_core.data.function_words.is_in_other_language`.
 * @param {string[]} words
 * @param {string} own
 * @param {string} other
 */
function isInOtherLanguage(words, own, other) {
  const plain = words.map((word) => word.toLowerCase().replaceAll("'", ""));
  const [ours, theirs] = [LISTS.get(own), LISTS.get(other)];
  if (!ours || !theirs) return false;
  const count = (/** @type {Set<string>} */ chosen, /** @type {Set<string>} */ without = new Set()) =>
    plain.filter((word) => chosen.has(word) && !without.has(word)).length;
  const fitting = count(theirs);
  return (
    count(theirs, ours) > 2 * count(ours, theirs) &&
    [...LISTS.values()].every((list) => list === ours || list === theirs || fitting > count(list)) &&
    (fitting > 1 || plain.length > 2)
  );
}
