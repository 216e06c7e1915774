// Text to tokens to ids, and back, as attn_core.data.tokenizer does it.

import { createMoses } from "./moses.js";
import { createPieces } from "./pieces.js";
import { END, PAD, SPECIALS, START } from "./specials.js";
import { encodable } from "./unicode.js";
import { readVocabulary, UNK } from "./vocabulary.js";

/** @import { MosesRules, Tokenizer, TokenizerRecord } from "./types.d.ts" */

const WORD_START = "▁"; // marks the first piece of a word
const REMOVED = [PAD, START, END];

/**
 * The tokenizer of source.json or target.json; `beside` is the JSON of the file that it names for a shared vocabulary.
 *
 * Throws an Error if a file is damaged, or if the rules lack the language.
 * @param {TokenizerRecord} record
 * @param {MosesRules} rules
 * @param {TokenizerRecord | null} [beside]
 * @returns {Tokenizer}
 */
export function createTokenizer(record, rules, beside = null) {
  const vocabulary = readVocabulary(record, beside);
  const { lang, kind, form } = record;
  const { split, line, conform, detokenize, separated } = createMoses(rules, lang, record.sentences, form);
  const byId = [...vocabulary.ids].sort(([, one], [, other]) => one - other).map(([token]) => token);
  const ids = new Map([...vocabulary.ids].filter(([token]) => !SPECIALS.includes(token)));
  const pieces = kind === "bpe" ? createPieces(vocabulary) : null;
  const cased = (/** @type {string} */ word) => vocabulary.spellings.get(word) ?? word;

  /** @param {string[]} tokens */
  function text(tokens) {
    const kept = tokens.filter((token) => !REMOVED.includes(token));
    return kind === "word" ? kept.join(" ") : split(kept.join("").replaceAll(WORD_START, " ")).join(" ");
  }

  return {
    lang,
    kind,
    size: byId.length,

    tokens(raw, tokenized = false) {
      // A typed mark would make a word look like a piece.
      const text = (tokenized ? conform(encodable(raw)) : line(raw)).replaceAll(WORD_START, "_");
      return pieces ? split(text).flatMap((word) => pieces(WORD_START + word)) : split(separated(text));
    },

    ids: (tokens) => tokens.map((token) => ids.get(token) ?? UNK),
    unknown: (tokens) => [...tokens.keys()].filter((i) => !ids.has(tokens[i])),

    token(id) {
      if (!(id in byId)) throw new RangeError(`token id must be from 0 to ${byId.length - 1}, not ${id}`);
      return byId[id];
    },

    text,
    detokenize: (tokens) => detokenize(split(text(tokens)).map(cased)),
  };
}
