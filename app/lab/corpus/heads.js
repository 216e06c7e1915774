// What each head attends to: the mean of a measure over all rows of a text.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { spread } from "./figures.js";
import { attentionRows } from "./rows.js";

/** @import { Attention, HeadMeasure, KindOfWord, Measured, AttentionRows } from "./types.d.ts" */

/** The weight on a place; null where the row has no such place. @param {(t: number) => number} place */
const weightAt = (place) => (/** @type {Float32Array} */ row, /** @type {number} */ t) => row[place(t)] ?? null;

/** The weight on words of a kind; null where function words cannot be told from others. @param {KindOfWord} kind */
const weightOn =
  (kind) =>
  (/** @type {Float32Array} */ row, /** @type {number} */ _, /** @type {AttentionRows} */ { kinds, listed }) =>
    !listed && (kind === "function" || kind === "content")
      ? null
      : row.reduce((total, weight, s) => total + (kinds[s] === kind ? weight : 0), 0);

/** @type {HeadMeasure[]} */
export const MEASURES = [
  { key: "entropy", label: t("entropy (nats)"), most: null, of: (row) => spread(row) },
  {
    key: "distance",
    label: t("distance |s − t|"),
    most: null,
    of: (row, step) => row.reduce((total, weight, s) => total + weight * Math.abs(s - step), 0),
  },
  { key: "previous", label: t("weight on the previous position"), most: 1, of: weightAt((step) => step - 1) },
  { key: "same", label: t("weight on the same position"), most: 1, of: weightAt((step) => step) },
  { key: "next", label: t("weight on the next position"), most: 1, of: weightAt((step) => step + 1) },
  { key: "first", label: t("weight on the first position"), most: 1, of: weightAt(() => 0) },
  { key: "function", label: t("weight on function words"), most: 1, of: weightOn("function") },
  { key: "content", label: t("weight on content words"), most: 1, of: weightOn("content") },
  { key: "punctuation", label: t("weight on punctuation"), most: 1, of: weightOn("punctuation") },
  {
    key: "last",
    label: t("weight on the last punctuation mark"),
    most: 1,
    of: (row, _, { kinds }) => row[kinds.lastIndexOf("punctuation")] ?? null,
  },
  { key: "symbol", label: t("weight on start and end symbols"), most: 1, of: weightOn("symbol") },
];

/** The sum and the number of the rows so far, by head. @param {number} heads */
export const emptyMeans = (heads) => Array.from({ length: heads }, () => ({ sum: 0, rows: 0 }));

/**
 * Count a sentence.
 * @param {ReturnType<typeof emptyMeans>} means
 * @param {HeadMeasure} measure
 * @param {Measured} sentence
 * @param {Attention} attention
 */
export function countHeads(means, measure, sentence, attention) {
  means.forEach((mean, head) => {
    const choice = attentionRows(sentence, { attention, head });
    choice.rows.forEach((row, step) => {
      const value = measure.of(row, step, choice);
      if (value === null) return;
      mean.sum += value;
      mean.rows += 1;
    });
  });
}
