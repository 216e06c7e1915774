// The exact numbers under the pointer.

import { html } from "../dom/html.js";
import { useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { columnsOf } from "../core/columns.js";
import { t } from "../core/messages.js";
import { exact } from "../core/numbers.js";

/** @import { Hover, View } from "../core/types.d.ts" */

const BAR = 56; // px at the top of a window that a host's bar may cover

/** @param {{ view: View, hover: Hover, hint?: string }} props */
export function Tooltip({ view: { rows, source, targets, look }, hover, hint }) {
  const tip = useRef(/** @type {HTMLElement | null} */ (null));
  const i = hover.part === "map" ? hover.row : look.step;
  const row = rows[i];
  useLayoutEffect(() => {
    if (tip.current) place(tip.current, hover);
  });
  if (!row) return null;
  const s = hover.column;
  const where = t("position {s}, t = {step} (both from 0)", { s, step: i });
  const inside = row.span && s >= row.span.lo && s <= row.span.hi;
  return html`<div class="ap-tip" role="tooltip" ref=${tip}>
    <div class="ap-tip-pair"><b>${targets[i]}</b>${" ← "}<b>${source[s]}</b></div>
    <div class="ap-tip-where">${where}${row.center === null ? "" : `, p_t ${exact(row.center)}`}</div>
    <table><tbody>
      ${columnsOf(look).map(([key, name]) => html`<tr><th>${name}</th><td data-name=${key}>${exact(row[key][s])}</td></tr>`)}
    </tbody></table>
    ${!inside && html`<div class="ap-tip-where">${t("outside the window")}</div>`}
    ${hint && html`<div class="ap-tip-where">${hint}</div>`}
  </div>`;
}

/** Beside the pointer, inside the stage. @param {HTMLElement} tip @param {Hover} hover */
function place(tip, { x, y }) {
  const stage = /** @type {HTMLElement} */ (tip.parentElement);
  const room = stage.clientWidth - tip.offsetWidth - 4;
  const left = x + 18 > room ? x - tip.offsetWidth - 14 : x + 18;
  const above = y - tip.offsetHeight - 10;
  const cut = stage.getBoundingClientRect().top + above < BAR;
  tip.style.left = `${Math.min(Math.max(left, 4), Math.max(room, 4))}px`;
  tip.style.top = `${cut ? y + 18 : above}px`;
}
