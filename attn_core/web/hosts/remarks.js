// What a page says about a sentence and its translation, in plain words.

import { isolated, t, tn } from "../player/core/messages.js";
import { WORD_START, wordNumbers } from "../player/core/pieces.js";
import { PAIR, reachable } from "./chips.js";
import { pairOf } from "./sentence.js";

/**
 * @import { Answer, TraceJSON } from "../engine/types.d.ts"
 * @import { Placed } from "./chips.js"
 * @import { Axis, Offered } from "./types.d.ts"
 */

const MOST_NAMED = 8;
// A model is unsure of a translation if the geometric mean of its words' probabilities is below this. Caption models with
// attention are unsure of 0 to 4% of other captions and of 24 to 72% of everyday sentences; everyday-de-en is unsure of 4% of
// everyday sentences. A model from Chinese, which translates poorly, is unsure of a third of its own validation text
// (make study-confidence).
const UNSURE = 0.35;
const LONGEST = 40; // characters of a word that is named
const NONE = { place: -1, reason: "", label: "" };
const STOPPED = /\p{L}\.$/u;
const ENDED_INSIDE = /[\p{L}\p{N}_]{2}[.!?]\s+[\p{L}\p{N}_]/u;

/** Why a text is not translated. @param {Pick<Answer, "words" | "most" | "unit">} answer */
export function refusal({ words, most, unit }) {
  if (words > most) return tooLong(words, most, unit);
  return words ? t("This text contains punctuation but no words.") : t("Type a sentence to translate it.");
}

/** What a page says if a translation fails. @param {unknown} problem */
export function failure(problem) {
  return t("The translation failed: {reason}", { reason: /** @type {Error} */ (problem).message });
}

/** @param {number} n @param {number} most @param {Answer["unit"]} unit */
function tooLong(n, most, unit) {
  if (unit === "characters") return tn("This sentence has {n} character; the limit is {most}.", "This sentence has {n} characters; the limit is {most}.", n, { most });
  if (unit === "pieces") return tn("This sentence has {n} word piece; the limit is {most}.", "This sentence has {n} word pieces; the limit is {most}.", n, { most });
  return tn("This sentence has {n} word; the limit is {most}.", "This sentence has {n} words; the limit is {most}.", n, { most });
}

/**
 * Remarks on a translation: a wrong language, unknown words, several sentences, an end that was cut off, word pieces.
 * @param {string} text
 * @param {Answer} answer
 * @param {Pick<Offered, "languages" | "joined">} model
 */
export function remarks(text, { trace, reading: { known, unknown, swapped } }, { languages: [source, target], joined }) {
  const said = [];
  const words = known.length + unknown.length;
  if (swapped) said.push(t("This looks like {target}. The model translates {source} into {target}, so expect nonsense.", { source, target }));
  else if (unknown.length > known.length) {
    said.push(tn(
      "{unknown} of {n} word is not in the model's vocabulary ({words}) and is read as <unk>. Expect a poor translation.",
      "{unknown} of {n} words are not in the model's vocabulary ({words}) and are read as <unk>. Expect a poor translation.",
      words, { unknown: unknown.length, words: named(unknown) },
    ));
  } else if (unknown.length) said.push(t("Not in this model's vocabulary and read as <unk>: {words}", { words: named(unknown) }));
  const n = trace?.target.length ?? 0;
  if (trace && trace.target[n - 1] !== "</s>") {
    said.push(trace.target.some((token) => token.startsWith(WORD_START))
      ? tn("The translation was cut off after {n} word piece, the limit for this source sentence.", "The translation was cut off after {n} word pieces, the limit for this source sentence.", n)
      : tn("The translation was cut off after {n} word, the limit for this source sentence.", "The translation was cut off after {n} words, the limit for this source sentence.", n));
  } else if (ENDED_INSIDE.test(text.trim()) && !joined) {
    said.push(t("This looks like several sentences. The model was trained on single ones: expect a worse translation."));
    if (trace?.source.some((token) => STOPPED.test(token))) said.push(t("A full stop inside the text is read as part of the word before it."));
  }
  if (trace && [trace.source, trace.target].some((tokens) => new Set(wordNumbers(tokens)).size < tokens.length)) {
    said.push(t("A dot marks a word piece that continues a word."));
  }
  return said.join(" ");
}

/**
 * A model that may read a text better than the current one: its index (-1: there is none) and its button's label; with the
 * reason, unless `remarks` gives it. For text in the target language or in Chinese it is a model that reads that language,
 * otherwise the one for everyday sentences.
 * @param {string} text
 * @param {Pick<Answer, "reading" | "trace">} answer
 * @param {Offered[]} models
 * @param {number} current
 * @param {Axis[]} axes
 * @param {boolean} asTrained
 */
export function betterModel(text, answer, models, current, axes, asTrained) {
  const [source, target] = pairOf(models[current]).split("-");
  if (source && source !== "zh" && mostlyHan(text)) return readerOf(["zh-"], models, current, axes);
  if (answer.reading.swapped) return readerOf([`${target}-${source}`, `${target}-`], models, current, axes);
  return everydayModel(text, answer, models, current, asTrained);
}

/** Whether most letters of a text are Chinese characters. @param {string} text */
function mostlyHan(text) {
  const letters = text.match(/\p{L}/gu) ?? [];
  return 2 * letters.filter((letter) => /\p{Script=Han}/u.test(letter)).length > letters.length;
}

/**
 * The most similar model of a pair of languages.
 * @param {string[]} pairs the beginnings of their names; the first one with a model counts
 * @param {Offered[]} models
 * @param {number} current
 * @param {Axis[]} axes
 */
function readerOf(pairs, models, current, axes) {
  const axis = axes.find(({ name }) => name === PAIR);
  const reached = axis ? reachable(axes, /** @type {Placed[]} */ (models), axis, current) : [];
  const [found] = pairs.flatMap((pair) => reached.filter(({ value }) => value.startsWith(pair)));
  if (!found) return NONE;
  const { name, languages: [source, target] } = models[found.model];
  return { ...NONE, place: found.model, label: t("Try {name} ({source} → {target})", { name, source, target }) };
}

/**
 * The model for everyday sentences, or only a reason where there is none: if more than a third of the words are unknown; if a
 * model of captions is asked a question (4 of Multi30k's 29,000 captions are questions); or if the model runs as trained and is
 * unsure of its translation.
 * @param {string} text
 * @param {Pick<Answer, "reading" | "trace">} answer
 * @param {Offered[]} models
 * @param {number} current
 * @param {boolean} asTrained
 */
function everydayModel(text, { reading: { known, unknown }, trace }, models, current, asTrained) {
  const { point, joined, languages } = models[current];
  if (joined) return NONE;
  const strange = 3 * unknown.length > known.length + unknown.length;
  const unsure = asTrained && !ENDED_INSIDE.test(text.trim()) && trace !== null && confidence(trace) < UNSURE;
  const question = point?.corpus === "captions" && text.trim().endsWith("?");
  if (!strange && !unsure && !question) return NONE;
  const everyday = (/** @type {Offered} */ model) => model.point?.corpus === "everyday" && model.languages.join() === languages.join();
  const place = everyday(models[current]) || !/\p{Script=Latin}/u.test(text) ? -1 : models.findIndex(everyday);
  const reason = question ? t("The model was trained on image captions, which are hardly ever questions: expect a worse translation.") : t("The model is unsure of this translation.");
  return { place, reason: strange ? "" : reason, label: place < 0 ? "" : t("Try {name} (for everyday sentences)", { name: models[place].name }) };
}

/** The geometric mean of the probabilities of a translation's words. @param {TraceJSON} trace */
function confidence({ steps }) {
  return Math.exp(steps.reduce((sum, { log_prob }) => sum + log_prob, 0) / Math.max(steps.length, 1));
}

/** The words in quotation marks, each once and not too many of them. @param {string[]} words */
function named(words) {
  const once = [...new Set(words)];
  const shown = once.slice(0, MOST_NAMED).map((word) => `“${isolated(clipped([...word]))}”`).join(", ");
  return once.length <= MOST_NAMED ? shown : t("{words} and {n} more", { words: shown, n: once.length - MOST_NAMED });
}

/** A word of at most LONGEST characters. @param {string[]} word its characters */
const clipped = (word) => (word.length > LONGEST ? [...word.slice(0, LONGEST - 1), "…"] : word).join("");
