// The table of variants: rows are selected by a click, Enter or the arrow keys; the choice is sent to the page.

import { sent } from "../../../attn_core/web/hosts/sent.js";
import { t } from "../../../attn_core/web/player/core/messages.js";

/** @import { Streamlit } from "../../../attn_core/web/hosts/types.d.ts" */

/**
 * @typedef {{ column: string, text: string, other: boolean }} Cell
 * @typedef {{ name: string, title: string, kind: string, cells: Cell[] }} Line
 * @typedef {{ title: string, rows: Line[] }} Group
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
const make = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};

/** @param {string[]} columns */
function headOf(columns) {
  const cells = [t("Variant"), ...columns].map((name) => make("th", { scope: "col" }, name));
  return make("thead", {}, make("tr", {}, ...cells));
}

/**
 * @param {Line} row
 * @param {(name: string) => void} choose
 */
function rowOf(row, choose) {
  const button = make("button", { type: "button", "data-name": row.name }, row.title);
  const who = make("th", { scope: "row" }, button, make("span", { class: "vt-kind" }, row.kind));
  const cells = row.cells.map(({ column, text, other }) => {
    const cell = make("td", { "data-column": column, class: other ? "vt-other" : "vt-same" }, text);
    if (other) cell.title = t("differs from the paper");
    return cell;
  });
  const line = make("tr", { "data-name": row.name }, who, ...cells);
  line.addEventListener("click", () => choose(row.name));
  return line;
}

/**
 * @param {Group} group
 * @param {string[]} columns
 * @param {(name: string) => void} choose
 */
function groupOf(group, columns, choose) {
  const title = make("th", { colspan: String(columns.length + 1), scope: "colgroup" }, group.title);
  return make("tbody", {}, make("tr", { class: "vt-group" }, title), ...group.rows.map((row) => rowOf(row, choose)));
}

/** @param {Streamlit<{ groups: Group[], chosen: string }>} given */
export default function ({ data: given, parentElement, setTriggerValue }) {
  const data = sent(given);
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
    const note = make("caption", {}, t("Highlighted: differences from the paper."));
    host.replaceChildren(make("table", {}, note, headOf(columns), ...bodies));
    host.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const all = [...host.querySelectorAll("button")];
      const at = all.indexOf(/** @type {HTMLButtonElement} */ (event.target));
      if (!step || at < 0 || !all[at + step]) return;
      event.preventDefault();
      all[at + step].focus();
    });
  }
  mark(data.chosen);
}
