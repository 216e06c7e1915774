// What the page says about a text before it is measured: its size, its unknown words, and the lines that are left out.

import { MOST_LETTERS } from "../../../attn_core/browser/engine/limits.js";
import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { percent } from "./figures.js";
import { MOST_LINES } from "./text.js";

/** @import { Ready, Text } from "./types.d.ts" */

const MANY_UNKNOWN = 0.25; // share of unknown words from which translations are poor

/**
 * The number of sentences, the share of unknown words, and what to expect of the translations.
 * @param {Ready[]} lines
 * @param {[source: string, target: string]} languages
 */
export function linesNote(lines, [source, target]) {
  if (!lines.length) return t("The text has no sentence that the model can translate.");
  const total = (/** @type {(read: Ready["read"]) => number} */ countOf) =>
    lines.reduce((sum, { read }) => sum + countOf(read), 0);
  const [known, unknown] = [total((read) => read.known), total((read) => read.unknown)];
  const share = unknown / (known + unknown);
  const sentences = [
    tn("{n} sentence.", "{n} sentences.", lines.length),
    t("{share} of the words are not in the model's vocabulary and are read as <unk>.", { share: percent(share) }),
  ];
  if (total((read) => Number(read.swapped)) > lines.length / 2) {
    sentences.push(
      t("This looks like {target}. The model translates {source} into {target}, so expect nonsense.", {
        source,
        target,
      }),
    );
  } else if (share > MANY_UNKNOWN)
    sentences.push(t("The model translates {source}: expect poor translations of this text.", { source }));
  return sentences.join(" ");
}

/** Why the model cannot translate a line. @param {number} number @param {Ready["read"]} read */
function whyUnfit(number, { words: n, most, unit }) {
  if (n <= most) return t("line {number}: no words", { number });
  if (unit === "pieces") return t("line {number}: {n} word pieces; the limit is {most}", { number, n, most });
  return t("line {number}: {n} words; the limit is {most}", { number, n, most });
}

/** @param {number} more lines beyond the limit */
const moreLinesText = (more) =>
  tn("The text has {n} more line; the limit is {most}.", "The text has {n} more lines; the limit is {most}.", more, {
    most: MOST_LINES,
  });

/**
 * List the lines that are left out.
 * @param {HTMLDetailsElement} details
 * @param {Text} text
 * @param {Ready[]} unfit lines that the model cannot translate
 */
export function skippedLines(details, { more, long }, unfit) {
  const lines = [
    ...long.map(({ number, text }) => ({
      number,
      why: t("line {number}: {n} characters; the limit is {most}", { number, n: text.length, most: MOST_LETTERS }),
    })),
    ...unfit.map(({ number, read }) => ({ number, why: whyUnfit(number, read) })),
  ].sort((a, b) => a.number - b.number);
  const sentences = [
    ...(lines.length ? [tn("{n} line was left out.", "{n} lines were left out.", lines.length)] : []),
    ...(more ? [moreLinesText(more)] : []),
  ];
  details.hidden = sentences.length === 0;
  /** @type {HTMLElement} */ (details.querySelector("summary")).textContent = sentences.join(" ");
  /** @type {HTMLElement} */ (details.querySelector("ul")).replaceChildren(
    ...lines.map(({ why }) => el("li", { text: why })),
  );
}
