// What a model's vocabularies reveal about a sentence: which words are known, and whether it is in the target language.
// The same as attn_core.data.language.read, whose comments say why.

import { unescaped } from "../player/core/pieces.js";
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
  const pieces = source.kind === "bpe" || target.kind === "bpe";
  const [here, there] = [source.ids(words), target.ids(words)];
  const gain = pieces ? 0 : here.reduce((total, id, i) => total + cost(id, source) - cost(there[i], target), 0);
  return { known: part(false), unknown: part(true), swapped: gain > Math.max(SURE * words.length, LEAST) };
}

/** @param {number} id @param {Tokenizer} tokenizer */
function cost(id, { size }) {
  return Math.log(id === UNK ? 2 * size : id);
}
