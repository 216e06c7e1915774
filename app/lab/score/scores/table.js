// The table of score functions: for each its formula, the score and weight of each key, and the entropy.

import { shade } from "../../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../../attn_core/browser/player/core/messages.js";
import { exact, fixed } from "../../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../../attn_core/browser/player/dom/elements.js";
import { equation } from "../../../shell/equation.js";

/** @import { Heat } from "../../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Results, RunnableScore, ScoreLabState, ScoreTable } from "../types.d.ts" */

/**
 * The table of the scores for `n` keys.
 * @param {string} id of the stage, in the names of its fields
 * @param {RunnableScore[]} scores
 * @param {number} n
 * @param {{ select: (name: string) => void, choose: (s: number) => void }} on what the reader selects: a score, a key
 * @returns {ScoreTable}
 */
export function buildTable(id, scores, n, on) {
  /** @type {ScoreTable["lines"]} */
  const lines = {};
  const keys = Array.from({ length: n }, (_, s) =>
    el("th", { scope: "col", "aria-label": t("key {s}", { s }) }, keyName(s)),
  );
  const head = el(
    "tr",
    {},
    el("th", { scope: "col", class: "al-name", text: t("score function") }),
    ...keys,
    el("th", { scope: "col", class: "al-entropy", text: t("entropy") }),
  );
  const rows = scores.map(({ name, label, latex }) => {
    const radio = el("input", { type: "radio", name: `${id}-score`, value: name, "aria-label": label });
    const cells = Array.from({ length: n }, (_, s) => {
      const [weight, score] = [el("b"), el("small")];
      return { weight, score, root: el("td", { class: "al-cell", "data-key": s }, weight, score) };
    });
    const entropy = el("span");
    const meter = el("i");
    const root = el(
      "tr",
      { "data-score": name },
      el(
        "th",
        { scope: "row", class: "al-name" },
        el("label", {}, radio, el("span", {}, el("b", { text: label }), equation(latex))),
      ),
      ...cells.map((cell) => cell.root),
      el("td", { class: "al-entropy" }, entropy, el("span", { class: "al-meter", "aria-hidden": "true" }, meter)),
    );
    lines[name] = { root, radio, cells, entropy, meter };
    radio.addEventListener("change", () => on.select(name));
    root.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target.closest("label")) return;
      const cell = /** @type {HTMLElement | null} */ (target.closest("[data-key]"));
      on.select(name);
      if (cell) on.choose(Number(cell.dataset.key));
    });
    return root;
  });
  const caption = el("caption", {}, t("Each cell shows the weight and, below it, the score."));
  const table = el("table", {}, caption, el("thead", {}, head), el("tbody", {}, ...rows));
  const root = el("div", { class: "al-board" }, table);
  root.style.setProperty("--al-keys", String(n)); // a style attribute would need a weaker policy on the site
  return { root, lines };
}

/** @param {number} s */
export function keyName(s) {
  return equation(`\\bar h_{${s}}`);
}

/** A number with two decimals. @param {number} value */
export const two = (value) => fixed(value, 2);

/**
 * Fill the table.
 * @param {ScoreTable} table
 * @param {RunnableScore[]} scores
 * @param {ScoreLabState} state
 * @param {Results} results
 * @param {Heat} heat
 */
export function showTable({ lines }, scores, state, results, heat) {
  const most = Math.log(state.keys.length);
  for (const { name, label } of scores) {
    const { scores: numbers, weights, entropy } = results.rows[name];
    const line = lines[name];
    line.radio.checked = name === state.score;
    line.root.classList.toggle("al-chosen", name === state.score);
    line.cells.forEach((cell, s) => {
      const step = shade(weights[s], 1);
      cell.weight.textContent = weights[s].toFixed(2);
      cell.score.textContent = two(numbers[s]);
      cell.root.style.background = heat.fill[step];
      cell.root.style.color = heat.ink[step];
      cell.root.classList.toggle("al-on", s === state.chosen && name === state.score);
      cell.root.title = t("{label}, key {s}: score {score}, weight {weight}", {
        label,
        s,
        score: exact(numbers[s]),
        weight: exact(weights[s]),
      });
    });
    line.entropy.textContent = entropy.toFixed(2);
    line.entropy.parentElement?.setAttribute(
      "title",
      t("{entropy} of at most ln {length} = {most} nats", {
        entropy: exact(entropy),
        length: state.keys.length,
        most: exact(most),
      }),
    );
    line.meter.style.width = `${(100 * entropy) / most}%`;
  }
}
