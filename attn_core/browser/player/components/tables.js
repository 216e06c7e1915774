// The numbers as tables: the step word by word, the weights of all steps, and the next words.

import { html } from "../dom/html.js";
import { useMemo } from "../../vendor/hooks.js";
import { columnsOf } from "../core/columns.js";
import { t } from "../core/messages.js";
import { exact } from "../core/numbers.js";
import { useLater } from "./use-later.js";

/**
 * @import { Trace, View } from "../core/types.d.ts"
 *
 * @typedef {string | number} Cell
 */

const SETTLES = 150; // ms after the last change

/** @param {{ trace: Trace, view: View }} props */
export function Tables({ trace, view }) {
  const settled = useLater(
    useMemo(() => ({ trace, view }), [view]),
    SETTLES,
  );
  const tables = useMemo(() => settled.trace.steps.length > 0 && tablesOf(settled), [settled]);
  return html`<div class="ap-table" role="group" aria-label=${t("Tables")} tabindex="0">${tables}</div>`;
}

/** @param {{ trace: Trace, view: View }} translation */
function tablesOf({ trace, view: { rows, source, targets, display } }) {
  const { step, heat } = display;
  const { top } = trace.steps[step];
  const columns = columnsOf(display, rows);
  const [wordHeading, allStepsCaption] = display.words
    ? [
        t("source piece"),
        heat === "alignment"
          ? t("All steps, by word pieces: alignment weights")
          : t("All steps, by word pieces: attention weights"),
      ]
    : [t("source word"), heat === "alignment" ? t("All steps: alignment weights") : t("All steps: attention weights")];
  return [
    rows.length > 0 &&
      html`
      <${Table} caption=${t("Step {n}: {word}", { n: step + 1, word: targets[step] })}
        head=${[t("position"), wordHeading, ...columns.map(([, name]) => name)]}
        rows=${source.map((token, s) => [s, token, ...columns.map(([key]) => exact(rows[step][key][s]))])} />
      <${Table} caption=${allStepsCaption} head=${["", ...source]}
        rows=${rows
          .slice(0, targets.length)
          .map((row, i) => [targets[i], ...row[heat].map((value) => value.toFixed(3))])} />`,
    html`<${Table} caption=${t("Next word at step {n}", { n: step + 1 })} head=${[t("word"), t("probability")]}
      rows=${top.map(([word, p]) => [word, exact(Math.exp(p))])} />`,
  ];
}

/** @param {{ caption: string, head: string[], rows: Cell[][] }} props */
const Table = ({ caption, head, rows }) => html`<table>
  <caption>${caption}</caption>
  <thead><tr>${head.map((text) => (text ? html`<th scope="col">${text}</th>` : html`<td />`))}</tr></thead>
  <tbody>${rows.map(
    ([name, ...values]) => html`<tr><th scope="row">${name}</th>
    ${values.map((value) => html`<td>${value}</td>`)}</tr>`,
  )}</tbody>
</table>`;
