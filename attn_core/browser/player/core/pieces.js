// Tokens for display: no marker before a word, a dot before a piece inside a word, and Moses' escapes replaced.

import { END, SPECIALS } from "../../engine/tokenizer/specials.js";
import { unescaped } from "../../engine/escapes.js";
import { remembered } from "./remembered.js";

/** @import { Step, Trace, Word } from "./types.d.ts" */

export const WORD_START = "▁"; // marks the first piece of a word in a subword vocabulary
const WHOLE = [...SPECIALS, WORD_START];

const SENTENCE_END = /[.!?。！？]$/;

/**
 * The trace with its tokens in the form for display.
 * @template {Pick<Trace, "source" | "target"> & { steps: Pick<Step, "token" | "top">[] }} T
 * @param {T} trace
 * @returns {T}
 */
export function readable(trace) {
  const tokens = [...trace.source, ...trace.steps.map(({ token }) => token)];
  const shown = tokens.some((token) => token.startsWith(WORD_START)) ? piece : unescaped;
  return {
    ...trace,
    source: trace.source.map(shown),
    target: trace.target.map(shown),
    steps: trace.steps.map((step) => ({
      ...step,
      token: shown(step.token),
      top: step.top.map(([token, p]) => /** @type {[string, number]} */ ([shown(token), p])),
    })),
  };
}

/**
 * The index of each token's word; in a vocabulary of whole words, each token is a word.
 * @param {string[]} tokens
 */
export function wordNumbers(tokens) {
  const pieces = tokens.some((token) => token.startsWith(WORD_START));
  let word = -1;
  return tokens.map((token) => {
    if (!pieces || word < 0 || WHOLE.includes(token) || token.startsWith(WORD_START)) word += 1;
    return word;
  });
}

/**
 * The words of `tokens` for display, with pieces joined; the indices are those of `wordNumbers`.
 * @param {string[]} tokens
 */
export function spelled(tokens) {
  /** @type {string[]} */
  const words = [];
  wordNumbers(tokens).forEach((number, i) => {
    words[number] = (words[number] ?? "") + tokens[i];
  });
  return words.map(words.some((word) => word.startsWith(WORD_START)) ? piece : unescaped);
}

/**
 * The words of `tokens`: the text of each for display, its first token, and the number of its tokens.
 * @param {string[]} tokens as in the vocabulary
 * @returns {Word[]}
 */
export function joinedWords(tokens) {
  const numbers = wordNumbers(tokens);
  return spelled(tokens).map((text, word) => ({
    text,
    first: numbers.indexOf(word),
    count: numbers.lastIndexOf(word) - numbers.indexOf(word) + 1,
  }));
}

/** @param {string} token */
function piece(token) {
  if (WHOLE.includes(token)) return token;
  const text = unescaped(token);
  return text.startsWith(WORD_START) ? text.slice(1) : `·${text}`;
}

/**
 * The words of a source, without its end, joined with spaces.
 * @param {string[]} source
 */
const sentenceOf = (source) => source.filter((word) => word !== END).join(" ");

/**
 * A source as a reader would type it: whole words, without its end and without Moses' escapes.
 * @param {string[]} source
 */
export const typedOf = (source) => sentenceOf(spelled(source));

/**
 * The gloss of each token of a source; undefined if no sentence of it is known. `glosses` is by a sentence's tokens,
 * joined with spaces. Sentences are compared by their letters, so the tokens of a source may also be pieces, as in a
 * model's vocabulary or as displayed: the gloss of a word is at its first token. The sentences of a longer source are
 * looked up one by one; the tokens of unknown ones have empty glosses.
 * @param {string[]} source
 * @param {Record<string, string[]>} glosses
 * @returns {string[] | undefined}
 */
export function glossOf(source, glosses) {
  const letters = source.map((token) => (token === END ? "" : unescaped(token).replace(/^▁|^·(?=.)/u, "")));
  const table = byLetters(glosses);
  const whole = glossesAt(letters, table);
  if (whole) return whole;
  /** @type {string[][]} */
  const sentences = [[]];
  for (const [i, token] of letters.entries()) {
    sentences[sentences.length - 1].push(token);
    if (SENTENCE_END.test(token) && letters.slice(i + 1).some(Boolean)) sentences.push([]);
  }
  const found = sentences.map((sentence) => glossesAt(sentence, table));
  return found.some(Boolean) ? found.flatMap((gloss, i) => gloss ?? sentences[i].map(() => "")) : undefined;
}

/**
 * @typedef {Map<string, Map<number, string>>} ByLetters for each sentence without spaces: the gloss of the word that
 * begins at a letter
 */

const byLetters = remembered(
  (/** @type {Record<string, string[]>} */ glosses) =>
    /** @type {ByLetters} */ (
      new Map(
        Object.entries(glosses).map(([sentence, meanings]) => {
          const words = sentence.split(" ").map(unescaped);
          return [words.join(""), new Map(placesOf(words).map((place, i) => [place, meanings[i]]))];
        }),
      )
    ),
);

/**
 * The glosses of tokens that spell a known sentence.
 * @param {string[]} letters of each token
 * @param {ByLetters} table
 */
function glossesAt(letters, table) {
  const glosses = table.get(letters.join(""));
  return glosses && placesOf(letters).map((place, i) => (letters[i] && glosses.get(place)) || "");
}

/** The place of each token's first letter in the sentence without spaces. @param {string[]} letters */
function placesOf(letters) {
  let place = 0;
  return letters.map((token) => (place += token.length) - token.length);
}
