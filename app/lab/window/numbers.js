// The numbers of a step with an adjusted window: of one word, as a table, and in one sentence.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { exact } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { numberTable } from "../kit/number-table.js";
import { TREATMENTS } from "./treatment-table.js";

/** @import { WindowView } from "./types.d.ts" */

/**
 * The contents of the tooltip of a word.
 * @param {string[]} source
 * @param {WindowView} view
 * @param {number} s the word's position
 */
export function wordNumbers(source, { row, attention }, s) {
  /** @type {[name: string, value: number][]} */
  const lines = [
    [t("score"), row.scores[s]],
    [t("alignment"), attention.alignment[s]],
    [t("Gaussian"), attention.gaussian[s]],
  ];
  for (const { mode, weights } of attention.treatments) lines.push([TREATMENTS[mode].name, weights[s]]);
  const rows = lines.map(([name, value]) => el("tr", {}, el("th", { text: name }), el("td", { text: exact(value) })));
  return [
    el("div", { class: "ap-tip-pair" }, el("b", { text: source[s] }), `, ${t("position {s}", { s })}`),
    el("table", {}, el("tbody", {}, ...rows)),
  ];
}

/**
 * A table of all numbers of the step, one row for each word.
 * @param {string[]} source
 * @param {WindowView} view
 */
export function stepTable(source, { row, attention: { alignment, gaussian, treatments } }) {
  const head = [t("position"), t("word"), t("score"), t("alignment"), t("Gaussian")];
  const rows = source.map((word, s) => [
    s,
    word,
    ...[row.scores, alignment, gaussian, ...treatments.map(({ weights }) => weights)].map((values) => exact(values[s])),
  ]);
  return numberTable([...head, ...treatments.map(({ mode }) => mode)], rows);
}

/**
 * The step in one sentence, for screen readers.
 * @param {string[]} source
 * @param {WindowView} view
 */
export function spokenStep(source, { adjusted, attention }) {
  const settings = {
    center: adjusted.center.toFixed(2),
    halfWidth: adjusted.halfWidth,
    sigma: adjusted.sigma.toFixed(2),
  };
  const { span } = attention;
  if (!span) return t("p_t {center}, D {halfWidth}, sigma {sigma}: no word in the window; all weights are 0", settings);
  const [{ weights, massKept }] = attention.treatments;
  return t("p_t {center}, D {halfWidth}, sigma {sigma}: {where}; largest weight on {word}; missing mass {missing}", {
    ...settings,
    where: t("positions {lo} to {hi} in the window", { lo: span.lo, hi: span.hi }),
    word: source[weights.indexOf(Math.max(...weights))],
    missing: Math.max(0, 1 - massKept).toFixed(2),
  });
}
