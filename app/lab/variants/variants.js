// The table of variants: a click or Enter selects a row, and the arrow keys go from row to row; the choice is sent to
// the page.

import { readData } from "../../../attn_core/browser/hosts/component-data.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { isComposing } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { Streamlit } from "../../../attn_core/browser/hosts/types.d.ts" */

/**
 * @typedef {{ column: string, text: string, other: boolean }} Cell
 * @typedef {{ name: string, title: string, kind: string, cells: Cell[] }} Line
 * @typedef {{ title: string, rows: Line[] }} Group
 */

/** @param {string[]} columns */
function headOf(columns) {
  const cells = [t("Variant"), ...columns].map((name) => el("th", { scope: "col" }, name));
  return el("thead", {}, el("tr", {}, ...cells));
}

/**
 * @param {Line} row
 * @param {(name: string) => void} choose
 */
function rowOf(row, choose) {
  const button = el("button", { type: "button", "data-name": row.name }, row.title);
  const who = el("th", { scope: "row" }, button, el("span", { class: "vt-kind" }, row.kind));
  const cells = row.cells.map(({ column, text, other }) => {
    const cell = el("td", { "data-column": column, class: other ? "vt-other" : "vt-same" }, text);
    if (other) cell.title = t("differs from the paper");
    return cell;
  });
  const line = el("tr", { "data-name": row.name }, who, ...cells);
  line.addEventListener("click", () => choose(row.name));
  return line;
}

/**
 * @param {Group} group
 * @param {string[]} columns
 * @param {(name: string) => void} choose
 */
function groupOf(group, columns, choose) {
  const title = el("th", { colspan: String(columns.length + 1), scope: "colgroup" }, group.title);
  return el("tbody", {}, el("tr", { class: "vt-group" }, title), ...group.rows.map((row) => rowOf(row, choose)));
}

/** @param {Streamlit<{ groups: Group[], chosen: string }>} component */
export default function ({ data: sentData, parentElement, setTriggerValue }) {
  const data = readData(sentData);
  const host = /** @type {HTMLElement} */ (parentElement.querySelector(".vt"));
  const mark = (/** @type {string} */ name) => {
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll("tr[data-name]"))) {
      const on = line.dataset.name === name;
      line.classList.toggle("vt-on", on);
      line.querySelector("button")?.setAttribute("aria-pressed", String(on));
    }
  };
  const choose = (/** @type {string} */ name) => {
    mark(name);
    setTriggerValue("chosen", name); // also if it was chosen before
    document.querySelector(".st-key-variant_open")?.scrollIntoView({ behavior: "smooth", block: "start" });
  };
  const text = JSON.stringify(data.groups);
  if (host.dataset.text !== text) {
    host.dataset.text = text;
    const columns = data.groups[0].rows[0].cells.map((cell) => cell.column);
    const bodies = data.groups.map((group) => groupOf(group, columns, choose));
    const note = el("caption", {}, t("Highlighted: differences from the paper."));
    host.replaceChildren(el("table", {}, note, headOf(columns), ...bodies));
    host.onkeydown = (event) => {
      // one listener, also when the groups change
      if (isComposing(event)) return;
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const all = [...host.querySelectorAll("button")];
      const at = all.indexOf(/** @type {HTMLButtonElement} */ (event.target));
      if (!step || at < 0 || !all[at + step]) return;
      event.preventDefault();
      all[at + step].focus();
    };
  }
  mark(data.chosen);
}
