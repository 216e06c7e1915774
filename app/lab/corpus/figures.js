// What is counted over a text: for each figure the values of a sentence, its bars, and the finding above them.

import { coverageOf, entropyOf } from "../../../attn_core/browser/engine/measures.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { alignment } from "./alignment.js";
import { largest, attentionRows } from "./rows.js";

/** @import { Bins, Figure, Item, KindOfWord, Measured, AttentionChoice, Tally } from "./types.d.ts" */

/** @type {[kind: KindOfWord, short: string, name: string][]} */
export const KINDS = [
  ["function", t("function"), t("function words")],
  ["content", t("content"), t("content words")],
  ["punctuation", t("punctuation"), t("punctuation")],
  ["symbol", t("symbols"), t("start and end symbols")],
  ["unknown", t("unknown"), t("words outside the vocabulary")],
];
const FARTHEST = 8; // positions from the diagonal with a bar of their own

/** @param {number} value */
export const percent = (value) => `${(100 * value).toFixed(value > 0 && value < 0.1 ? 1 : 0)}%`;

/** @param {number} value */
const twoDigits = (value) => value.toFixed(2);

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

/** Names bars by their lowest and highest value. @param {Bins} bins @param {number} digits */
function rangeNames({ from, width, count }, digits) {
  return (/** @type {number} */ bin) => {
    const low = (from + bin * width).toFixed(digits);
    return bin === count - 1
      ? t("{low} or more", { low })
      : t("{low} to {high}", { low, high: (from + (bin + 1) * width).toFixed(digits) });
  };
}

/**
 * Labels the bars that begin at a whole number, or at a multiple of `every`.
 * @param {Bins} bins
 * @param {number} [every]
 */
const wholeLabels =
  ({ from, width }, every = 1) =>
  (/** @type {number} */ bin) => {
    const value = from + bin * width;
    return Math.abs(value / every - Math.round(value / every)) < 1e-9 ? String(Math.round(value * 100) / 100) : "";
  };

/** @param {number[]} bars @param {number} first @param {number} last */
const sumBetween = (bars, first, last) => bars.slice(first, last + 1).reduce((total, bar) => total + bar, 0);

/**
 * An item for each row that has one.
 * @param {Measured} sentence
 * @param {AttentionChoice} choice
 * @param {(row: Float32Array, t: number) => number | null} of
 * @returns {Item[]}
 */
function byRow(sentence, choice, of) {
  return attentionRows(sentence, choice).rows.flatMap((row, t) => {
    const value = of(row, t);
    return value === null ? [] : [{ value, amount: 1, row: t, column: largest(row) }];
  });
}

/**
 * An item for each weight.
 * @param {Measured} sentence
 * @param {AttentionChoice} choice
 * @param {(s: number, t: number, kinds: KindOfWord[]) => number} valueOf
 * @param {boolean} uniform equal weights in place of the model's
 * @returns {Item[]}
 */
function byWeight(sentence, choice, valueOf, uniform = false) {
  const { rows, kinds } = attentionRows(sentence, choice);
  return rows.flatMap((row, t) =>
    Array.from(row, (weight, s) => ({
      value: valueOf(s, t, kinds),
      amount: uniform ? 1 / row.length : weight,
      row: t,
      column: s,
    })),
  );
}

/**
 * The mean over the heads on show of a number of each step and head.
 * @param {Measured} sentence
 * @param {AttentionChoice} choice
 * @param {"lost" | "outside"} name
 */
function windowValues({ weighed }, { head }, name) {
  const { heads } = weighed.cross;
  const values = weighed.local?.[name] ?? new Float32Array(0);
  return (/** @type {number} */ t) => {
    const row = values.subarray(t * heads, (t + 1) * heads);
    return head === null ? row.reduce((total, value) => total + value, 0) / heads : row[head];
  };
}

const always = () => true;
/** Only in a local window. @type {Figure["fits"]} */
const isLocal = ({ weighed }, { attention }) => attention === "cross" && weighed.local !== undefined;

/**
 * What the figures of a local window have in common: a share of the weight at each step.
 * @param {"lost" | "outside"} key
 * @returns {Pick<Figure, "key" | "of" | "bins" | "fits" | "label" | "name" | "items">}
 */
const shareOfWeight = (key) => ({
  key,
  of: t("of the steps"),
  bins: SHARES,
  fits: isLocal,
  label: wholeLabels(SHARES, 0.2),
  name: rangeNames(SHARES, 1),
  items: (sentence, choice) => {
    const share = windowValues(sentence, choice, key);
    return byRow(sentence, choice, (_, step) => share(step));
  },
});

const distanceOf = (/** @type {number} */ s, /** @type {number} */ t) => s - t;
const kindOf = (/** @type {number} */ s, /** @type {number} */ _, /** @type {KindOfWord[]} */ kinds) =>
  KINDS.findIndex(([kind]) => kind === kinds[s]);

/** The entropy of a row, divided by its sum; null for a row without weight. @param {Float32Array} row */
export function spread(row) {
  const total = row.reduce((sum, weight) => sum + weight, 0);
  return total > 0 ? entropyOf(row.map((weight) => weight / total)) : null;
}

const DISTANCES = { from: -FARTHEST, width: 1, count: 2 * FARTHEST + 1 };
const NATS = { from: 0, width: 0.25, count: 14 };
const SHARES = { from: 0, width: 0.1, count: 10 };
const GAPS = { from: 0, width: 0.5, count: 11 };
const TOTALS = { from: 0, width: 0.25, count: 13 };

/** @type {Figure[]} */
export const FIGURES = [
  {
    key: "distance",
    title: t("Weight by relative distance"),
    axis: t("s − t: source position minus step, both from 0"),
    selfAxis: t("s − t: position of the key minus that of the query"),
    of: t("of the weight"),
    bins: DISTANCES,
    byAmount: true,
    mark: t("uniform weights"),
    fits: always,
    label(bin) {
      if (bin % 2) return "";
      const sign = { 0: "≤", [2 * FARTHEST]: "≥" }[bin] ?? "";
      return sign + signed(bin - FARTHEST);
    },
    name(bin) {
      const low = signed(bin - FARTHEST);
      if (bin === 0) return t("{low} or less", { low });
      return bin === 2 * FARTHEST ? t("{low} or more", { low }) : low;
    },
    items: (sentence, choice) => byWeight(sentence, choice, distanceOf),
    marks: (sentence, choice) => byWeight(sentence, choice, distanceOf, true),
    finding: ({ bars, amount, marks, markAmount }) =>
      t(
        "{share} of the weight is at most one position from the diagonal; with uniform weights, it would be {uniform}.",
        {
          share: percent(sumBetween(bars, FARTHEST - 1, FARTHEST + 1) / amount),
          uniform: percent(sumBetween(marks, FARTHEST - 1, FARTHEST + 1) / markAmount),
        },
      ),
  },
  {
    key: "entropy",
    title: t("Entropy of the weights"),
    axis: t("entropy in nats; 0: all weight on one word"),
    of: t("of the rows"),
    bins: NATS,
    mark: t("ln S, the entropy of uniform weights"),
    fits: always,
    label: wholeLabels(NATS),
    name: rangeNames(NATS, 2),
    items: (sentence, choice) => byRow(sentence, choice, spread),
    marks: (sentence, choice) => byRow(sentence, choice, (row) => Math.log(row.length)),
    finding: ({ sum, amount, markSum, markAmount }) =>
      t("Mean {mean} nats; uniform weights would have {most}, the mean of ln S.", {
        mean: twoDigits(sum / amount),
        most: twoDigits(markSum / markAmount),
      }),
  },
  {
    key: "coverage",
    title: t("Coverage"),
    axis: t("total weight that a word receives"),
    of: t("of the words"),
    bins: TOTALS,
    fits: always,
    label: wholeLabels(TOTALS),
    name: rangeNames(TOTALS, 2),
    items(sentence, choice) {
      const { rows } = attentionRows(sentence, choice);
      const { length } = rows[rows.length - 1];
      const wide = rows.map((row) => Float32Array.from({ length }, (_, s) => row[s] ?? 0));
      return coverageOf(wide).map((value, column) => ({
        value,
        amount: 1,
        row: largest(rows.map((row) => row[column] ?? 0)),
        column,
      }));
    },
    finding: ({ sum, squares, amount }) =>
      t("A word receives {mean} on average, with a standard deviation of {deviation}.", {
        mean: twoDigits(sum / amount),
        deviation: twoDigits(Math.sqrt(Math.max(squares / amount - (sum / amount) ** 2, 0))),
      }),
  },
  {
    key: "kinds",
    title: t("Weight by kind of word"),
    axis: t("kind of the word that is attended to"),
    of: t("of the weight"),
    bins: { from: 0, width: 1, count: KINDS.length },
    byAmount: true,
    mark: t("uniform weights"),
    fits: ({ listed }, { attention }) => (attention === "decoder" ? listed.inputs : listed.source),
    label: (bin) => KINDS[bin][1],
    name: (bin) => KINDS[bin][2],
    items: (sentence, choice) => byWeight(sentence, choice, kindOf),
    marks: (sentence, choice) => byWeight(sentence, choice, kindOf, true),
    finding: ({ bars, amount, marks, markAmount }) =>
      t(
        "{content} of the weight is on content words and {others} on function words; with uniform weights, " +
          "{contentThere} and {othersThere}.",
        {
          content: percent(bars[1] / amount),
          others: percent(bars[0] / amount),
          contentThere: percent(marks[1] / markAmount),
          othersThere: percent(marks[0] / markAmount),
        },
      ),
  },
  {
    ...shareOfWeight("lost"),
    title: t("Weight lost to the Gaussian"),
    axis: t("sum of the alignment weights − sum of the attention weights"),
    finding: ({ sum, amount }) =>
      t("A step loses {mean} of its weight to the Gaussian on average.", { mean: percent(sum / amount) }),
  },
  {
    ...shareOfWeight("outside"),
    title: t("Weight outside the window"),
    axis: t("of a softmax over the scores of all words"),
    finding: ({ sum, amount }) =>
      t("Without its window, a step would have {mean} of its weight outside it on average.", {
        mean: percent(sum / amount),
      }),
  },
  {
    key: "gap",
    title: t("Distance of p_{t} from the largest weight"),
    axis: t("from p_{t} to the word with the largest weight, in words"),
    of: t("of the steps"),
    bins: GAPS,
    fits: isLocal,
    label: wholeLabels(GAPS),
    name: rangeNames(GAPS, 1),
    items: (sentence, choice) =>
      byRow(sentence, choice, (row, t) => {
        const best = largest(row);
        return best === null ? null : Math.abs((sentence.weighed.local?.centers[t] ?? 0) - best);
      }),
    finding: ({ bars, amount }) =>
      t("p_{t} is less than one word from the largest weight at {share} of the steps.", {
        share: percent(sumBetween(bars, 0, 1) / amount),
      }),
  },
  {
    key: "aer",
    title: t("Alignment error rate"),
    axis: t("AER of a sentence (forced decoding)"),
    of: t("of the sentences"),
    bins: SHARES,
    fits: ({ forced }, { attention }) => attention === "cross" && forced !== null,
    label: wholeLabels(SHARES, 0.2),
    name: rangeNames(SHARES, 1),
    items: (sentence, choice) => [{ value: alignment([sentence], choice, 0).aer, amount: 1, row: null, column: null }],
    finding: () => "", // the AER of a text is not the mean over its sentences; see board.js
  },
];

/**
 * The figures that a sentence has, and so its text.
 * @param {Measured | undefined} sentence
 * @param {AttentionChoice} choice
 */
export function figuresOf(sentence, choice) {
  return sentence ? FIGURES.filter(({ fits }) => fits(sentence, choice)) : [];
}

/** @param {Figure} figure @returns {Tally} */
export function emptyTally({ bins: { count } }) {
  return {
    bars: new Array(count).fill(0),
    marks: new Array(count).fill(0),
    amount: 0,
    sum: 0,
    squares: 0,
    markAmount: 0,
    markSum: 0,
  };
}

/** The bar of a value. @param {Bins} bins @param {number} value */
export function binOf({ from, width, count }, value) {
  return Math.min(Math.max(Math.floor((value - from) / width + 1e-6), 0), count - 1); // 0.3 / 0.1 is below 3
}

/**
 * Count a sentence.
 * @param {Tally} tally
 * @param {Figure} figure
 * @param {Measured} sentence
 * @param {AttentionChoice} choice
 */
export function countFigure(tally, { bins, items, marks, fits }, sentence, choice) {
  if (!fits(sentence, choice)) return;
  for (const { value, amount } of items(sentence, choice)) {
    tally.bars[binOf(bins, value)] += amount;
    tally.amount += amount;
    tally.sum += amount * value;
    tally.squares += amount * value * value;
  }
  for (const { value, amount } of marks?.(sentence, choice) ?? []) {
    tally.marks[binOf(bins, value)] += amount;
    tally.markAmount += amount;
    tally.markSum += amount * value;
  }
}

/**
 * The items in a bar, the largest first.
 * @param {Figure} figure
 * @param {Measured[]} sentences
 * @param {AttentionChoice} choice
 * @param {number} bin
 */
export function examplesIn({ bins, items, byAmount, fits }, sentences, choice, bin) {
  const examples = sentences
    .filter((sentence) => fits(sentence, choice))
    .flatMap((sentence) =>
      items(sentence, choice)
        .filter(({ value, amount }) => amount > 0 && binOf(bins, value) === bin)
        .map((item) => ({ ...item, sentence })),
    );
  const measure = byAmount ? "amount" : "value";
  return examples.sort((a, b) => b[measure] - a[measure]);
}
