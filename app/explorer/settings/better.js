// Another model that may read a sentence better than the current one.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { SENTENCE_END_INSIDE } from "../../../attn_core/browser/widget/remarks.js";
import { apart, PAIR, pairOf, reachable } from "./axes.js";

/**
 * @import { Answer, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Axis, Offered } from "../../../attn_core/browser/hosts/types.d.ts"
 * @import { Placed } from "./axes.js"
 * @typedef {{ place: number, reason: string, label: string }} Better `place`: the index of the model; -1: there is none
 */

// A model is unsure of a translation if the geometric mean of its words' probabilities is below this. Caption models
// with attention are unsure of 0 to 4% of other captions and of 24 to 72% of everyday sentences; everyday-de-en is
// unsure of 4% of everyday sentences. A model from Chinese, which translates poorly, is unsure of a third of its own
// validation text (python -m tests.benchmarks confidence).
const UNSURE = 0.35;
/** @type {Better} */
const NONE = { place: -1, reason: "", label: "" };

/**
 * A model that may read a text better than the current one: its index (-1: there is none) and its button's label; with
 * the reason, unless `remarks` gives it. For text in the target language or in Chinese it is a model that reads that
 * language, otherwise the most similar one for everyday sentences.
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
  return everydayModel(text, answer, models, current, axes, asTrained);
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
  const {
    name,
    languages: [source, target],
  } = models[found.model];
  return { ...NONE, place: found.model, label: t("Try {name} ({source} → {target})", { name, source, target }) };
}

/**
 * The most similar model for everyday sentences, or only a reason where there is none: if more than a third of the
 * words are unknown; if a model of captions is asked a question (4 of Multi30k's 29,000 captions are questions); or if
 * the model runs as trained and is unsure of its translation.
 * @param {string} text
 * @param {Pick<Answer, "reading" | "trace">} answer
 * @param {Offered[]} models
 * @param {number} current
 * @param {Axis[]} axes
 * @param {boolean} asTrained
 */
function everydayModel(text, { reading: { known, unknown }, trace }, models, current, axes, asTrained) {
  const { point, joined, languages } = models[current];
  if (joined) return NONE;
  const strange = 3 * unknown.length > known.length + unknown.length;
  const unsure = asTrained && !SENTENCE_END_INSIDE.test(text.trim()) && trace !== null && confidence(trace) < UNSURE;
  const question = point?.corpus === "captions" && text.trim().endsWith("?");
  if (!strange && !unsure && !question) return NONE;
  const everyday = (/** @type {Offered} */ model) =>
    model.point?.corpus === "everyday" && model.languages.join() === languages.join();
  const distance = (/** @type {Offered} */ model) => apart(axes, "corpus", point ?? {}, model.point ?? {}).length;
  const [similar] = models.filter(everyday).sort((one, other) => distance(one) - distance(other));
  const place = everyday(models[current]) || !/\p{Script=Latin}/u.test(text) ? -1 : models.indexOf(similar);
  const reason = question
    ? t("The model was trained on image captions, which are hardly ever questions: expect a worse translation.")
    : t("The model is unsure of this translation.");
  return {
    place,
    reason: strange ? "" : reason,
    label: place < 0 ? "" : t("Try {name} (for everyday sentences)", { name: models[place].name }),
  };
}

/** The geometric mean of the probabilities of a translation's words. @param {TraceJSON} trace */
function confidence({ steps }) {
  return Math.exp(steps.reduce((sum, { log_prob }) => sum + log_prob, 0) / Math.max(steps.length, 1));
}
