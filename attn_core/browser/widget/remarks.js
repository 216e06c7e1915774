// The remarks of a page on a sentence and its translation.

import { END } from "../engine/tokenizer/specials.js";
import { isolated, messageOf, t, tn } from "../player/core/messages.js";
import { WORD_START, wordNumbers } from "../player/core/pieces.js";

/**
 * @import { Answer } from "../engine/types.d.ts"
 * @import { Offered } from "../hosts/types.d.ts"
 */

const MOST_NAMED = 8;
const LONGEST_NAMED = 40; // characters
const ENDS_WITH_STOP = /\p{L}\.$/u;
export const SENTENCE_END_INSIDE = /[\p{L}\p{N}_]{2}[.!?]\s+[\p{L}\p{N}_]/u;

/** The title of the field of the sentence. */
export const LOWER_CASE_NOTE = t(
  "The models were trained on lower-case text, so your sentence is converted to lower case.",
);

/** Why a text is not translated. @param {Pick<Answer, "words" | "most" | "unit">} answer */
export function refusal({ words, most, unit }) {
  if (words > most) return tooLong(words, most, unit);
  return words ? t("This text contains punctuation but no words.") : t("Type a sentence to translate it.");
}

/** The remark on a translation that failed. @param {unknown} problem an Error, or its message */
export const failure = (problem) => t("The translation failed: {reason}", { reason: messageOf(problem) });

/** @param {number} n @param {number} most @param {Answer["unit"]} unit */
function tooLong(n, most, unit) {
  if (unit === "characters")
    return tn(
      "This sentence has {n} character; the limit is {most}.",
      "This sentence has {n} characters; the limit is {most}.",
      n,
      { most },
    );
  if (unit === "pieces")
    return tn(
      "This sentence has {n} word piece; the limit is {most}.",
      "This sentence has {n} word pieces; the limit is {most}.",
      n,
      { most },
    );
  return tn(
    "This sentence has {n} word; the limit is {most}.",
    "This sentence has {n} words; the limit is {most}.",
    n,
    { most },
  );
}

/**
 * The remarks on a translation: on a wrong language, unknown words, several sentences, a missing end and word pieces.
 * @param {string} text
 * @param {Answer} answer
 * @param {Pick<Offered, "languages" | "joined">} model
 */
export function remarks(
  text,
  { trace, reading: { known, unknown, swapped } },
  { languages: [source, target], joined },
) {
  const lines = [];
  const words = known.length + unknown.length;
  if (swapped)
    lines.push(
      t("This looks like {target}. The model translates {source} into {target}, so expect nonsense.", {
        source,
        target,
      }),
    );
  else if (unknown.length > known.length) {
    lines.push(
      tn(
        "{unknown} of {n} word is not in the model's vocabulary ({words}) and is read as <unk>. Expect a poor " +
          "translation.",
        "{unknown} of {n} words are not in the model's vocabulary ({words}) and are read as <unk>. Expect a poor " +
          "translation.",
        words,
        { unknown: unknown.length, words: quoted(unknown) },
      ),
    );
  } else if (unknown.length)
    lines.push(t("Not in this model's vocabulary and read as <unk>: {words}", { words: quoted(unknown) }));
  const n = trace?.target.length ?? 0;
  if (trace && trace.target[n - 1] !== END) {
    lines.push(
      trace.target.some((token) => token.startsWith(WORD_START))
        ? tn(
            "The translation was cut off after {n} word piece, the limit for this source sentence.",
            "The translation was cut off after {n} word pieces, the limit for this source sentence.",
            n,
          )
        : tn(
            "The translation was cut off after {n} word, the limit for this source sentence.",
            "The translation was cut off after {n} words, the limit for this source sentence.",
            n,
          ),
    );
  } else if (SENTENCE_END_INSIDE.test(text.trim()) && !joined) {
    lines.push(
      t("This looks like several sentences. The model was trained on single ones: expect a worse translation."),
    );
    if (trace?.source.some((token) => ENDS_WITH_STOP.test(token)))
      lines.push(t("A full stop inside the text is read as part of the word before it."));
  }
  if (trace && [trace.source, trace.target].some((tokens) => new Set(wordNumbers(tokens)).size < tokens.length)) {
    lines.push(t("A dot marks a word piece that continues a word."));
  }
  return lines.join(" ");
}

/** At most MOST_NAMED different words, in quotation marks. @param {string[]} words */
function quoted(words) {
  const unique = [...new Set(words)];
  const first = unique
    .slice(0, MOST_NAMED)
    .map((word) => `“${isolated(clipped([...word]))}”`)
    .join(", ");
  const more = unique.length - MOST_NAMED;
  return more > 0 ? t("{words} and {n} more", { words: first, n: more }) : first;
}

/** A word of at most LONGEST_NAMED characters. @param {string[]} characters */
const clipped = (characters) =>
  (characters.length > LONGEST_NAMED ? [...characters.slice(0, LONGEST_NAMED - 1), "…"] : characters).join("");
