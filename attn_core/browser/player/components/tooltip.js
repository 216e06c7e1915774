// The exact numbers under the pointer.

import { html } from "../dom/html.js";
import { useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { columnsOf } from "../core/columns.js";
import { t, tn } from "../core/messages.js";
import { significant } from "../core/numbers.js";
import { placeTip } from "../dom/tip.js";

/** @import { Hover, View, Word } from "../core/types.d.ts" */

/**
 * @param {{ view: View, hover: Hover, hint?: string, words?: Record<"source" | "target", Word> | null }} props `words`:
 * those of a cell by words, of one or more pieces
 */
export function Tooltip({ view: { rows, source, targets, look }, hover, hint, words = null }) {
  const tip = useRef(/** @type {HTMLElement | null} */ (null));
  const i = hover.part === "map" ? hover.row : look.step;
  const row = rows[i];
  useLayoutEffect(() => {
    if (tip.current) placeTip(tip.current, hover);
  });
  if (!row) return null;
  const s = hover.column;
  const where = words
    ? t("position {s} (from 0)", { s: placesOf(words.source) })
    : t("step {n} of {all}, position {s} (from 0)", { n: i + 1, all: targets.length, s });
  const inside = row.span && s > row.span.lo - 1 && s < row.span.hi + 1; // a part of a word is
  const names = columnsOf(look, rows).filter(([key]) => row[key].length);
  return html`<div class="ap-tip" role="tooltip" ref=${tip}>
    <div class="ap-tip-pair"><b>${targets[i]}</b>${" ← "}<b>${source[s]}</b></div>
    <div class="ap-tip-where">${where}${row.center === null || words ? "" : `, p_t ${significant(row.center)}`}</div>
    <table><tbody>
      ${names.map(
        ([key, name]) => html`<tr><th>${name}</th><td data-name=${key}>${significant(row[key][s])}
        </td></tr>`,
      )}
    </tbody></table>
    ${words && html`<div class="ap-tip-where">${joinedFrom(words)}</div>`}
    ${!inside && html`<div class="ap-tip-where">${t("outside the window")}</div>`}
    ${hint && html`<div class="ap-tip-where">${hint}</div>`}
  </div>`;
}

/** The positions of a word's pieces. @param {Word} word */
const placesOf = ({ first, count }) => (count > 1 ? `${first}–${first + count - 1}` : String(first));

/** How the numbers of pieces became one. @param {Record<"source" | "target", Word>} words */
const joinedFrom = ({ source, target }) =>
  [
    source.count > 1 && tn("sum over {n} piece", "sum over {n} pieces", source.count),
    target.count > 1 && tn("mean of {n} step", "mean of {n} steps", target.count),
  ]
    .filter(Boolean)
    .join(", ");
