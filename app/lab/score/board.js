// One row for each score function: its formula, each key's score and weight, and the entropy.

import { shade } from "../../../attn_core/web/player/core/heat.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { exact, fixed } from "../../../attn_core/web/player/core/numbers.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { equation } from "../../shell/equation.js";

/** @import { Heat } from "../../../attn_core/web/player/core/types.d.ts" */
/** @import { Board, ScoreLine, Seen, VectorsState } from "./types.d.ts" */

/**
 * The table; its `acts` are set by the caller.
 * @param {string} id
 * @param {ScoreLine[]} functions
 * @param {number} n
 * @returns {Board}
 */
export function buildBoard(id, functions, n) {
  const board = /** @type {Board} */ ({});
  board.lines = {};
  const keys = Array.from({ length: n }, (_, s) => el("th", { scope: "col", "aria-label": t("key {s}", { s }) }, keyName(s)));
  const head = el("tr", {}, el("th", { scope: "col", class: "al-name", text: t("score function") }), ...keys,
    el("th", { scope: "col", class: "al-entropy", text: t("entropy") }));
  const rows = functions.map(({ name, label, latex }) => {
    const radio = el("input", { type: "radio", name: `${id}-score`, value: name, "aria-label": label });
    const cells = Array.from({ length: n }, (_, s) => {
      const [weight, score] = [el("b"), el("small")];
      return { weight, score, root: el("td", { class: "al-cell", "data-key": s }, weight, score) };
    });
    const entropy = el("span");
    const meter = el("i");
    const root = el("tr", { "data-score": name },
      el("th", { scope: "row", class: "al-name" },
        el("label", {}, radio, el("span", {}, el("b", { text: label }), equation(latex)))),
      ...cells.map((cell) => cell.root),
      el("td", { class: "al-entropy" }, entropy, el("span", { class: "al-meter", "aria-hidden": "true" }, meter)));
    board.lines[name] = { root, radio, cells, entropy, meter };
    radio.addEventListener("change", () => board.acts.select(name));
    root.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target.closest("label")) return;
      const cell = /** @type {HTMLElement | null} */ (target.closest("[data-key]"));
      board.acts.select(name);
      if (cell) board.acts.choose(Number(cell.dataset.key));
    });
    return root;
  });
  const caption = el("caption", {}, t("Each cell shows the weight and, below it, the score."));
  const table = el("table", {}, caption, el("thead", {}, head), el("tbody", {}, ...rows));
  board.root = el("div", { class: "al-board" }, table);
  board.root.style.setProperty("--al-keys", String(n)); // a style attribute would need a weaker policy on the site
  return board;
}

/** @param {number} s */
export function keyName(s) {
  return equation(`\\bar h_{${s}}`);
}

/** A number with two decimals. @param {number} value */
export const two = (value) => fixed(value, 2);

/**
 * Fill the table with the results in `seen` (see lookAll).
 * @param {Board} board
 * @param {ScoreLine[]} functions
 * @param {VectorsState} state
 * @param {Seen} seen
 * @param {Heat} heat
 */
export function showBoard(board, functions, state, seen, heat) {
  const most = Math.log(state.keys.length);
  for (const { name, label } of functions) {
    const { scores, weights, entropy } = seen.rows[name];
    const line = board.lines[name];
    line.radio.checked = name === state.score;
    line.root.classList.toggle("al-chosen", name === state.score);
    line.cells.forEach((cell, s) => {
      const place = shade(weights[s], 1);
      cell.weight.textContent = weights[s].toFixed(2);
      cell.score.textContent = two(scores[s]);
      cell.root.style.background = heat.fill[place];
      cell.root.style.color = heat.ink[place];
      cell.root.classList.toggle("al-on", s === state.chosen && name === state.score);
      cell.root.title = t("{label}, key {s}: score {score}, weight {weight}", { label, s, score: exact(scores[s]), weight: exact(weights[s]) });
    });
    line.entropy.textContent = entropy.toFixed(2);
    line.entropy.parentElement?.setAttribute("title", t("{entropy} of at most ln {length} = {most} nats", { entropy: exact(entropy), length: state.keys.length, most: exact(most) }));
    line.meter.style.width = `${(100 * entropy) / most}%`;
  }
}
