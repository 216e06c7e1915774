// Two moments of a training side by side: the attention on each sentence at both updates, and what moved between them.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { fixed, grouped } from "../../../attn_core/browser/player/core/numbers.js";
import { moved } from "../../explorer/compare/pairs.js";

/** @import { Side, BoardsData } from "../../explorer/compare/types.d.ts" */
/** @import { Recorded, Sentence, Snapshot } from "./types.d.ts" */

/**
 * One sentence at two moments; its words are the same at both, since the reference is forced.
 * @param {Sentence} sentence
 * @param {number} index of the sentence in the snapshots
 * @param {[before: Snapshot, after: Snapshot]} both
 * @returns {BoardsData}
 */
export function atBoth(sentence, index, both) {
  const sides = both.map(({ update, sentences }) => sideOf(sentence, update, sentences[index]));
  const [before, after] = both.map(({ sentences }) => sentences[index].weights);
  const differences = before.map((weights, i) => ({
    by: weights.map((weight, s) => weight - after[i][s]),
    share: moved(weights, after[i]),
  }));
  return { sides, differences, steps: before.map(() => null), summary: "", legend: "", hasPieces: false };
}

/**
 * The share of the attention that moved between two moments, over all words of all sentences; null without words.
 * @param {[before: Snapshot, after: Snapshot]} both
 */
export function movedBetween([before, after]) {
  const shares = before.sentences.flatMap(({ weights }, index) =>
    weights.map((row, i) => moved(row, after.sentences[index].weights[i])),
  );
  return shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null;
}

/**
 * @param {Sentence} sentence
 * @param {number} update
 * @param {Recorded} recorded
 * @returns {Side}
 */
function sideOf({ source, target }, update, { weights, log_probs, centers }) {
  const sum = log_probs.reduce(
    (/** @type {number | null} */ total, value) => (total === null || value === null ? null : total + value),
    0,
  );
  const moment = t("after update {update}", { update: grouped(update) });
  return {
    name: t("the model {moment}", { moment }),
    title:
      sum === null
        ? moment
        : t("{moment}: log p per word {value}", { moment, value: fixed(sum / log_probs.length, 2) }),
    source,
    target,
    unknown: [],
    rows: weights.map((row, i) => ({
      center: centers?.[i] ?? null,
      span: { lo: 0, hi: source.length - 1 },
      scores: [],
      alignment: [],
      gaussian: [],
      weights: row,
    })),
    labels: target.map((text) => ({ text, differs: false })),
  };
}
