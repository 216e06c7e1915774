// The exact numbers under the pointer.

import { html } from "../dom/html.js";
import { useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { columnsOf } from "../core/columns.js";
import { t, tn } from "../core/messages.js";
import { significant } from "../core/numbers.js";
import { placeTip } from "../dom/tip.js";

/** @import { Hover, View, Word } from "../core/types.d.ts" */

/**
 * @param {{ view: Pick<View, "rows" | "source" | "targets" | "display">, hover: Hover, hint?: string, words?:
 * Record<"source" | "target", Word> | null }} props `words`: of a cell whose numbers were joined from those of the
 * words' pieces
 */
export function Tooltip({ view: { rows, source, targets, display }, hover, hint, words = null }) {
  const tip = useRef(/** @type {HTMLElement | null} */ (null));
  const step = hover.part === "map" ? hover.row : display.step;
  const row = rows[step];
  useLayoutEffect(() => {
    if (tip.current) placeTip(tip.current, hover);
  });
  if (!row) return null;
  const s = hover.column;
  const where = words
    ? t("position {s} (from 0)", { s: positionsOf(words.source) })
    : t("step {n} of {all}, position {s} (from 0)", { n: step + 1, all: targets.length, s });
  const isInWindow = row.span && s > row.span.lo - 1 && s < row.span.hi + 1; // at least a part of the word is
  const columns = columnsOf(display, rows).filter(([key]) => row[key].length);
  return html`<div class="ap-tip" role="tooltip" ref=${tip}>
    <div class="ap-tip-pair"><b>${targets[step]}</b>${" ← "}<b>${source[s]}</b></div>
    <div class="ap-tip-where">${where}${row.center === null || words ? "" : `, p_t ${significant(row.center)}`}</div>
    <table><tbody>
      ${columns.map(
        ([key, name]) => html`<tr><th>${name}</th><td data-name=${key}>${significant(row[key][s])}
        </td></tr>`,
      )}
    </tbody></table>
    ${words && html`<div class="ap-tip-where">${joinedFrom(words)}</div>`}
    ${!isInWindow && html`<div class="ap-tip-where">${t("outside the window")}</div>`}
    ${hint && html`<div class="ap-tip-where">${hint}</div>`}
  </div>`;
}

/** The positions of a word's pieces. @param {Word} word */
const positionsOf = ({ first, count }) => (count > 1 ? `${first}–${first + count - 1}` : String(first));

/** How the numbers of pieces were joined. @param {Record<"source" | "target", Word>} words */
const joinedFrom = ({ source, target }) =>
  [
    source.count > 1 && tn("sum over {n} piece", "sum over {n} pieces", source.count),
    target.count > 1 && tn("mean of {n} step", "mean of {n} steps", target.count),
  ]
    .filter(Boolean)
    .join(", ");
