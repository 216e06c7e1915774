// Numbers as a table.

import { el } from "../../../attn_core/browser/player/dom/elements.js";

/**
 * @param {string[]} head the columns
 * @param {(string | number)[][]} rows
 */
export function numberTable(head, rows) {
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { text, scope: "col" })))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((value) => el("td", { text: String(value) }))))),
  );
}
