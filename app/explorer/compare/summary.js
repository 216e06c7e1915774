// What a comparison shows and says: its maps row by row, and sentences on what differs.

import { sum } from "../../../attn_core/browser/engine/vectors.js";
import { headName, looksOf, meanName, NO_HEAD, shownHeadIndex } from "../../../attn_core/browser/player/core/looks.js";
import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { readable } from "../../../attn_core/browser/player/core/pieces.js";
import { recordedRows } from "../../../attn_core/browser/player/core/rows.js";
import { joinedRows, unknownWords, wordsOfPieces } from "../../../attn_core/browser/player/core/word-map.js";
import { moved, paired } from "./pairs.js";

/**
 * @import { TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { HeadChoice } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Apart, Pair, Side, BoardsData } from "./types.d.ts"
 */

const MOST_NAMED = 4; // of the settings that no axis stands for

/**
 * Two translations with the same words in the same rows, and their difference. That of two rows is of the rows divided
 * by their sums: it shows where the attention is, not how much of it a Gaussian removed.
 * @param {TraceJSON} one with tokens as in the vocabulary
 * @param {TraceJSON} other
 * @param {{ shown?: 0 | 1, choice?: HeadChoice, byPieces?: boolean }} [options] which of them the player shows, its
 * head, and whether a row is one of a word piece
 * @returns {BoardsData}
 */
export function sideBySide(one, other, { shown = 0, choice = NO_HEAD, byPieces = false } = {}) {
  const maps = [one, other].map((trace) => mapOf(trace, choice, byPieces));
  const [first, second] = maps;
  const pairs = paired(first.target, second.target);
  const same = (/** @type {Pair} */ pair) => sameWord(first, second, pair);
  const sides = maps.map((map, side) => ({
    ...spoken(map),
    title: map.rows.length ? [map.name, ...map.head].join(" · ") : t("{model} (no attention)", { model: map.name }),
    rows: pairs.map((pair) => map.rows[pair[side] ?? -1] ?? null),
    labels: pairs.map((pair) => labelOf(map, pair[side], !same(pair))),
  }));
  const comparable =
    first.source.join(" ") === second.source.join(" ") && sides.every(({ rows }) => rows.some(Boolean));
  const differences = pairs.map((pair, i) => {
    const [a, b] = sides.map(({ rows }) => whole(rows[i]?.weights));
    return same(pair) && a && b ? { by: a.map((weight, s) => weight - b[s]), share: moved(a, b) } : null;
  });
  const shares = comparable ? differences.flatMap((row) => (row ? [row.share] : [])) : [];
  return {
    sides,
    differences: comparable ? differences : null,
    summary: summary(pairs.filter((pair) => !same(pair)).length, shares),
    steps: pairs.map((pair) => maps[shown].steps[pair[shown] ?? -1] ?? null),
    hasPieces: maps.some((map) => map.hasPieces),
    legend: [
      ...(comparable
        ? [t("Filled: more weight in the first translation. Hollow: more in the second. Grey row: different words.")]
        : []),
      toStep(),
    ].join(" "),
  };
}

/**
 * What a map shows of a translation: its words or their pieces, and for each target word the row of its weights and its
 * first step.
 * @param {TraceJSON} trace
 * @param {HeadChoice} choice
 * @param {boolean} byPieces
 */
function mapOf(trace, choice, byPieces) {
  const { model: name, source, target, unknown } = readable(trace);
  const { index, name: head } = headOf(trace, choice);
  const rows = recordedRows(trace, index);
  const words = wordsOfPieces(trace);
  const common = { name, head, hasPieces: words !== null };
  if (byPieces || !words) return { ...common, source, target, unknown, rows, steps: target.map((_, step) => step) };
  return {
    ...common,
    source: words.source.map(({ text }) => text),
    target: words.target.map(({ text }) => text),
    unknown: unknownWords(words.source, new Set(unknown)),
    rows: rows.length ? joinedRows(rows, words) : rows,
    steps: words.target.map(({ first }) => first),
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
  const index = shownHeadIndex(trace, choice);
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
 * @param {boolean} [byPieces] whether a row is one of a word piece
 * @returns {BoardsData}
 */
export function raced(traces, names, byPieces = false) {
  const maps = traces.map((trace) => mapOf(trace, NO_HEAD, byPieces));
  const [first, ...others] = maps;
  const count = Math.max(...maps.map(({ target }) => target.length));
  const rows = Array.from({ length: count }, (_, row) => row);
  /** @type {Side[]} */
  const sides = maps.map((map, i) => {
    const apart = paired(first.target, map.target).filter((pair) => !sameWord(first, map, pair));
    const differs = new Set(apart.map(([, at]) => at));
    const words = apart.length ? tn("{n} word differs", "{n} words differ", apart.length) : t("same words");
    return {
      ...spoken(map),
      title: [names[i], ...map.head, ...(i ? [words] : [])].join(" · "),
      rows: rows.map((row) => map.rows[row] ?? null),
      labels: rows.map((row) => labelOf(map, row < map.target.length ? row : null, differs.has(row))),
    };
  });
  const same = others.filter(({ target }) => target.join(" ") === first.target.join(" ")).length;
  return {
    sides,
    differences: null,
    steps: rows.map((row) => first.steps[row] ?? null),
    hasPieces: maps.some((map) => map.hasPieces),
    summary: others.length
      ? t("Same words as the first translation: {n} of {all}.", { n: same, all: others.length })
      : "",
    legend: toStep(),
  };
}

const toStep = () => t("Click a row to go to that step.");

/** What a map is called and of which words it is. @param {ReturnType<typeof mapOf>} map */
const spoken = ({ name, source, target, unknown }) => ({ name, source, target, unknown });

/** @param {{ target: string[] }} map @param {number | null} at @param {boolean} differs */
const labelOf = ({ target }, at, differs) => (at === null ? null : { text: target[at], differs });

/**
 * Whether both translations have the same word there.
 * @param {{ target: string[] }} one
 * @param {{ target: string[] }} other
 * @param {Pair} pair
 */
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
  if (!differ.length && !others.length)
    return t("Same settings. Change one above, or choose another model in the list.");
  const settings = differ.map(({ label, one, other }) => `${label} (${one} | ${other})`).join(", ");
  if (!others.length)
    return differ.length === 1
      ? t("Only difference: {setting}", { setting: settings })
      : t("Differences: {settings}", { settings });
  return differ.length
    ? t("Differences: {settings}. Also differ: {names}", { settings, names: named(others) })
    : t("These differ: {names}", { names: named(others) });
}

/**
 * The same of all models on an axis.
 * @param {number} count of the models that the shown one is compared with
 * @param {string[]} others
 */
export function sentenceOnAll(count, others) {
  if (!count) return t("No trained model differs in this setting alone.");
  return others.length
    ? t("Some models also differ in: {settings}", { settings: named(others) })
    : t("Nothing else differs.");
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
