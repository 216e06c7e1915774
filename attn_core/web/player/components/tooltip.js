// The exact numbers under the pointer.

import { html } from "../dom/html.js";
import { useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { columnsOf } from "../core/columns.js";
import { t } from "../core/messages.js";
import { significant } from "../core/numbers.js";
import { placeTip } from "../dom/tip.js";

/** @import { Hover, View } from "../core/types.d.ts" */

/** @param {{ view: View, hover: Hover, hint?: string }} props */
export function Tooltip({ view: { rows, source, targets, look }, hover, hint }) {
  const tip = useRef(/** @type {HTMLElement | null} */ (null));
  const i = hover.part === "map" ? hover.row : look.step;
  const row = rows[i];
  useLayoutEffect(() => {
    if (tip.current) placeTip(tip.current, hover);
  });
  if (!row) return null;
  const s = hover.column;
  const where = t("step {n} of {all}, position {s} (from 0)", { n: i + 1, all: targets.length, s });
  const inside = row.span && s >= row.span.lo && s <= row.span.hi;
  return html`<div class="ap-tip" role="tooltip" ref=${tip}>
    <div class="ap-tip-pair"><b>${targets[i]}</b>${" ← "}<b>${source[s]}</b></div>
    <div class="ap-tip-where">${where}${row.center === null ? "" : `, p_t ${significant(row.center)}`}</div>
    <table><tbody>
      ${columnsOf(look, rows).map(([key, name]) => html`<tr><th>${name}</th><td data-name=${key}>${significant(row[key][s])}</td></tr>`)}
    </tbody></table>
    ${!inside && html`<div class="ap-tip-where">${t("outside the window")}</div>`}
    ${hint && html`<div class="ap-tip-where">${hint}</div>`}
  </div>`;
}
