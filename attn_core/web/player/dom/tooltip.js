// The exact numbers under the pointer, and all of them as tables.

import { t } from "../core/messages.js";
import { exact } from "../core/numbers.js";
import { el } from "./elements.js";

/** @import { Parts, Row, Trace } from "../core/types.d.ts" */
/** @import { Ui } from "./types.d.ts" */

/**
 * @typedef {object} Cell
 * @property {string[]} source
 * @property {string[]} target
 * @property {Row} row
 * @property {number} s
 * @property {number} i
 * @property {boolean} bell
 * @property {boolean} mean
 *
 * @typedef {object} Tables
 * @property {string[]} source
 * @property {string[]} target
 * @property {Row[]} rows
 * @property {number} step
 * @property {boolean} bell
 * @property {boolean} mean
 * @property {"weights" | "alignment"} heat
 * @property {Trace} trace
 */

const BAR = 56; // px at the top of a window that a host's bar may cover

/** @type {[key: keyof Parts, name: string][]} */
const NAMES = [["scores", t("score")], ["alignment", t("alignment")], ["gaussian", t("Gaussian")], ["weights", t("weight")]];

/**
 * The columns of a row: the Gaussian only if the window has one, and for a mean over heads only the weights.
 * @param {boolean} bell
 * @param {boolean} mean
 */
const columns = (bell, mean) => NAMES.filter(([key]) => (mean ? key === "weights" : bell || key !== "gaussian"));

/**
 * Show the numbers of one cell in a tooltip at (x, y), kept inside the stage.
 * @param {Ui} ui
 * @param {Cell} cell
 * @param {number} x
 * @param {number} y
 */
export function showTip(ui, { source, target, row, s, i, bell, mean }, x, y) {
  const inside = row.span && s >= row.span.lo && s <= row.span.hi;
  const lines = columns(bell, mean).map(([key, name]) => {
    const value = el("td", { text: exact(row[key][s]), "data-name": key });
    return el("tr", {}, el("th", { text: name }), value);
  });
  ui.tip.replaceChildren(
    el("div", { class: "ap-tip-pair" }, el("b", { text: target[i] }), " ← ", el("b", { text: source[s] })),
    el("div", { class: "ap-tip-where", text: `${t("position {s}, t = {step} (both from 0)", { s, step: i })}${row.center === null ? "" : `, p_t ${exact(row.center)}`}` }),
    el("table", {}, el("tbody", {}, ...lines)),
  );
  if (!inside) ui.tip.append(el("div", { class: "ap-tip-where", text: t("outside the window") }));
  const hint = /** @type {HTMLElement | null} */ (ui.stage.closest("[data-numbers]"))?.dataset.numbers; // where a host opens numbers
  if (hint) ui.tip.append(el("div", { class: "ap-tip-where", text: hint }));
  ui.tip.hidden = false;
  const room = ui.stage.clientWidth - ui.tip.offsetWidth - 4;
  const left = x + 18 > room ? x - ui.tip.offsetWidth - 14 : x + 18;
  ui.tip.style.left = `${Math.min(Math.max(left, 4), Math.max(room, 4))}px`;
  const above = y - ui.tip.offsetHeight - 10;
  const cut = ui.stage.getBoundingClientRect().top + above < BAR;
  ui.tip.style.top = `${cut ? y + 18 : above}px`;
}

/** @param {Ui} ui */
export function hideTip(ui) {
  ui.tip.hidden = true;
}

/**
 * Fill the tables: this step word by word, then the whole matrix.
 * @param {Ui} ui
 * @param {Tables} tables
 */
export function fillTables(ui, { source, target, rows, step, bell, mean, heat, trace }) {
  const steps = trace.steps[step];
  const parts = [];
  if (rows.length) {
    const names = columns(bell, mean);
    parts.push(
      table(t("Step {n}: {word}", { n: step + 1, word: target[step] }), [t("position"), t("source word"), ...names.map(([, name]) => name)],
        source.map((word, s) => [s, word, ...names.map(([key]) => exact(rows[step][key][s]))])),
      table(heat === "alignment" ? t("All steps: alignment") : t("All steps: weights"), ["", ...source], rows.map((row, i) => [target[i], ...row[heat].map((v) => v.toFixed(3))])),
    );
  }
  parts.push(table(t("Next word at step {n}", { n: step + 1 }), [t("word"), t("probability")], steps.top.map(([w, p]) => [w, exact(Math.exp(p))])));
  ui.tableBody.replaceChildren(...parts);
}

/**
 * @param {string} caption
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
function table(caption, head, rows) {
  const cells = (/** @type {(string | number)[]} */ values) => values.map((value, i) => el(i ? "td" : "th", { text: String(value), scope: i ? null : "row" }));
  return el(
    "table", {}, el("caption", { text: caption }),
    el("thead", {}, el("tr", {}, ...head.map((text) => (text ? el("th", { text, scope: "col" }) : el("td"))))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...cells(row)))),
  );
}

/**
 * The description of a step for screen readers: the word, its probability, and its largest weight.
 * @param {Trace} trace
 * @param {Row | undefined} row
 * @param {number} step
 * @param {number} steps
 */
export function spokenStep(trace, row, step, steps) {
  const { token, log_prob } = trace.steps[step];
  const probability = Math.exp(log_prob).toFixed(2);
  const word = t("Step {n} of {all}: {token}, probability {probability}", { n: step + 1, all: steps, token, probability });
  if (!row?.weights.length) return word;
  const best = row.weights.indexOf(Math.max(...row.weights));
  if (!row.weights[best]) return `${word}; ${t("no word has any weight")}`;
  return `${word}; ${t("largest weight {weight} on {source}", { weight: row.weights[best].toFixed(2), source: trace.source[best] })}`;
}
