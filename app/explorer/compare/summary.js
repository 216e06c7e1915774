// What a comparison shows and says: its maps row by row, and sentences on what differs.

import { sum } from "../../../attn_core/web/player/core/vectors.js";
import { headName, looksOf, meanName, NO_HEAD, shownLook } from "../../../attn_core/web/player/core/looks.js";
import { t, tn } from "../../../attn_core/web/player/core/messages.js";
import { recorded } from "../../../attn_core/web/player/core/rows.js";
import { moved, paired } from "./pairs.js";

/**
 * @import { TraceJSON } from "../../../attn_core/web/engine/types.d.ts"
 * @import { HeadChoice } from "../../../attn_core/web/player/core/types.d.ts"
 * @import { Apart, Pair, Side, BoardsData } from "./types.d.ts"
 */

const MOST_NAMED = 4; // of the settings that no axis stands for

/**
 * Two translations with the same words in the same rows, and their difference. That of two rows is of the rows divided by
 * their sums: it shows where the attention is, not how much of it a Gaussian removed.
 * @param {TraceJSON} one
 * @param {TraceJSON} other
 * @param {{ shown?: 0 | 1, choice?: HeadChoice }} [options] which of them the player shows, and its head
 * @returns {BoardsData}
 */
export function sideBySide(one, other, { shown = 0, choice = NO_HEAD } = {}) {
  const pairs = paired(one.target, other.target);
  const same = (/** @type {Pair} */ pair) => sameWord(one, other, pair);
  const sides = [one, other].map((trace, side) => {
    const { index, name } = headOf(trace, choice);
    const rows = recorded(trace, index);
    return {
      ...spoken(trace), title: rows.length ? [trace.model, ...name].join(" · ") : t("{model} (no attention)", { model: trace.model }),
      rows: pairs.map((pair) => rows[pair[side] ?? -1] ?? null),
      labels: pairs.map((pair) => labelOf(trace, pair[side], !same(pair))),
    };
  });
  const comparable = one.source.join(" ") === other.source.join(" ") && sides.every(({ rows }) => rows.some(Boolean));
  const differences = pairs.map((pair, i) => {
    const [a, b] = sides.map(({ rows }) => whole(rows[i]?.weights));
    return same(pair) && a && b ? { by: a.map((weight, s) => weight - b[s]), share: moved(a, b) } : null;
  });
  const shares = comparable ? differences.flatMap((row) => (row ? [row.share] : [])) : [];
  return {
    sides, differences: comparable ? differences : null, summary: summary(pairs.filter((pair) => !same(pair)).length, shares),
    steps: pairs.map((pair) => pair[shown]),
    legend: [...(comparable ? [t("Filled: more weight in the first translation. Hollow: more in the second. Grey row: different words.")] : []), toStep()].join(" "),
  };
}

/**
 * The head that a map shows, as in the player, and its name for the title if there are several.
 * @param {TraceJSON} trace
 * @param {HeadChoice} choice
 * @returns {{ index: number | null, name: string[] }}
 */
function headOf(trace, choice) {
  const looks = looksOf(trace);
  const index = shownLook(trace, choice);
  if (looks.length < 2) return { index, name: [] };
  return { index, name: [index === null ? meanName(looks.length) : headName(looks[index])] };
}

/** The weights divided by their sum. @param {number[]} [weights] */
function whole(weights) {
  const all = weights ? sum(weights) : 0;
  return weights && all > 0 ? weights.map((weight) => weight / all) : weights;
}

/**
 * Translations with their steps in the same rows; the first is the one that the others are compared with.
 * @param {TraceJSON[]} traces
 * @param {string[]} names of their values on the axis
 * @returns {BoardsData}
 */
export function raced(traces, names) {
  const [one, ...others] = traces;
  const count = Math.max(...traces.map(({ target }) => target.length));
  const rows = Array.from({ length: count }, (_, row) => row);
  /** @type {Side[]} */
  const sides = traces.map((trace, i) => {
    const apart = paired(one.target, trace.target).filter((pair) => !sameWord(one, trace, pair));
    const differs = new Set(apart.map(([, at]) => at));
    const { index, name } = headOf(trace, NO_HEAD);
    const recorder = recorded(trace, index);
    const words = apart.length ? tn("{n} word differs", "{n} words differ", apart.length) : t("same words");
    return {
      ...spoken(trace), title: [names[i], ...name, ...(i ? [words] : [])].join(" · "), rows: rows.map((row) => recorder[row] ?? null),
      labels: rows.map((row) => labelOf(trace, row < trace.target.length ? row : null, differs.has(row))),
    };
  });
  const same = others.filter(({ target }) => target.join(" ") === one.target.join(" ")).length;
  return {
    sides, differences: null, steps: rows.map((row) => (row < one.target.length ? row : null)),
    summary: others.length ? t("Same words as the first translation: {n} of {all}.", { n: same, all: others.length }) : "",
    legend: toStep(),
  };
}

const toStep = () => t("Click a row to go to that step.");

/** What a map is called and of which words it is. @param {TraceJSON} trace */
const spoken = ({ model, source, target, unknown }) => ({ name: model, source, target, unknown });

/** @param {TraceJSON} trace @param {number | null} at @param {boolean} differs */
const labelOf = (trace, at, differs) => (at === null ? null : { text: trace.target[at], differs });

/** Whether both translations have the same word there. @param {TraceJSON} one @param {TraceJSON} other @param {Pair} pair */
const sameWord = (one, other, [i, j]) => i !== null && j !== null && one.target[i] === other.target[j];

/**
 * @param {number} differ the number of words that differ
 * @param {number[]} shares of the attention that moved, for the words that both have
 */
function summary(differ, shares) {
  const words = differ ? tn("{n} word differs.", "{n} words differ.", differ) : t("All words are the same.");
  if (!shares.length) return words;
  const share = Math.round((100 * shares.reduce((sum, value) => sum + value, 0)) / shares.length);
  return `${words} ${t("Where the words agree, {share}% of the attention differs on average.", { share })}`;
}

/**
 * What differs in the settings, in words. `others`: the names of those that no axis stands for.
 * @param {Apart[]} differ
 * @param {string[]} others
 */
export function sentenceOn(differ, others) {
  if (!differ.length && !others.length) return t("Same settings. Change one above, or choose another model in the list.");
  const settings = differ.map(({ label, one, other }) => `${label} (${one} | ${other})`).join(", ");
  if (!others.length) return differ.length === 1 ? t("Only difference: {setting}", { setting: settings }) : t("Differences: {settings}", { settings });
  return differ.length ? t("Differences: {settings}. Also differ: {names}", { settings, names: named(others) }) : t("These differ: {names}", { names: named(others) });
}

/**
 * The same of all models on an axis.
 * @param {number} count of the models that the shown one is compared with
 * @param {string[]} others
 */
export function sentenceOnAll(count, others) {
  if (!count) return t("No trained model differs in this setting alone.");
  return others.length ? t("Some models also differ in: {settings}", { settings: named(others) }) : t("Nothing else differs.");
}

/**
 * A sentence on the settings that changed together with the one that was chosen.
 * @param {string[]} others
 */
export function sentenceBesides(others) {
  return t("This model also differs from the previous one in: {settings}", { settings: named(others) });
}

/** @param {string[]} names */
function named(names) {
  const first = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? t("{words} and {n} more", { words: first, n: names.length - MOST_NAMED }) : first;
}
