// Numbers as a table.

import { t } from "../../../attn_core/browser/player/core/messages.js";
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

/** A table that the reader opens below a picture; `body` is filled with it. */
export function buildNumberDetails() {
  const body = el("div", { class: "ap-table" });
  const summary = el("summary", { text: t("The same numbers as a table") });
  return { root: el("details", { class: "ap-details" }, summary, body), body };
}
