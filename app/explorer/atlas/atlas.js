// The translation of the sentence for all values of two settings, as a map: regions with the same words, and the borders at
// which a word changes. A click goes to those settings.

import { failure } from "../../../attn_core/web/hosts/remarks.js";
import { shade, heat } from "../../../attn_core/web/player/core/heat.js";
import { t, tn } from "../../../attn_core/web/player/core/messages.js";
import { unescaped } from "../../../attn_core/web/player/core/pieces.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { digits } from "../../shell/numbers/names.js";
import { borders, flipped, outward, regions } from "./regions.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/**
 * @import { Answer, Request, TraceJSON } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Theme } from "../../../attn_core/web/player/core/types.d.ts"
 * @import { Found } from "./regions.js"
 * @import { Chart } from "./charts.js"
 *
 * @typedef {object} Given
 * @property {(changed: Partial<Request>) => Promise<Answer | null>} translate the sentence with some settings changed; null: no model is open
 * @property {(row: number, column: number) => void} go to the settings of a place
 * @property {() => Theme} theme
 */

const SOON = 350; // ms after the last change of the sentence or the settings

/**
 * @param {Chart} chart the two settings
 * @param {Given} given
 */
export function buildAtlas(chart, { translate, go, theme }) {
  const grid = el("div", { class: "at-grid", role: "group", "aria-label": chart.title });
  const status = el("p", { class: "at-status", role: "status" });
  const list = el("ol", { class: "at-list" });
  const root = el(
    "details", { class: "ex-details at", hidden: true }, el("summary", { text: chart.title }),
    el("p", { class: "at-about", text: t("Each cell is the translation with one pair of settings. Cells with the same letter have the same translation; thick lines separate different ones. The stronger the colour, the higher the log p per word. Click a cell to use its settings; the current ones are outlined if they have a cell. In the list, words that differ from the first translation are marked.") }),
    el("div", { class: "at-body" }, el("div", { class: "at-map" }, el("p", { class: "at-axis", text: chart.axes[0] }), grid, el("p", { class: "at-axis at-across", text: chart.axes[1] })), el("div", { class: "at-side" }, status, list)),
  );
  /** @type {{ trace: TraceJSON, of: string, rows: number[], columns: number[], found: (Found | null)[], own: number, cells: HTMLButtonElement[] } | null} */
  let map = null;
  let turn = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  root.addEventListener("toggle", () => soon(0));
  onKey(grid, (event) => move(event));

  /** @param {number} delay */
  function soon(delay) {
    clearTimeout(timer);
    turn += 1;
    if (root.open && map) timer = setTimeout(fill, delay);
  }

  async function fill() {
    const now = ++turn;
    if (!map) return;
    const { rows, columns, found, own } = map;
    const start = performance.now();
    found.fill(null);
    lay();
    for (const place of outward(found.length, columns.length, Math.max(own, 0))) {
      const row = rows[Math.floor(place / columns.length)];
      let answer = null;
      while (!answer) {
        try {
          answer = await translate(chart.request(row, columns[place % columns.length]));
        } catch (problem) {
          if (now === turn) status.textContent = failure(problem);
          return;
        }
        if (now !== turn) return;
        if (!answer) await new Promise((resolve) => setTimeout(resolve, 30)); // the model was closed: another one opens
      }
      const { trace, text } = answer;
      if (!trace) return;
      found[place] = { text, words: trace.target.filter((word) => word !== "</s>").map(unescaped), score: trace.steps.reduce((sum, { log_prob }) => sum + log_prob, 0) / trace.steps.length };
      if (performance.now() - start > 100 * (1 + drawn)) draw();
    }
    draw();
    root.dispatchEvent(new CustomEvent("attention-atlas", { detail: { places: found.length, ms: performance.now() - start }, bubbles: true, composed: true }));
  }

  let drawn = 0; // pictures of this map so far
  /** The places, still empty. */
  function lay() {
    if (!map) return;
    drawn = 0;
    const { rows, columns, own } = map;
    grid.style.gridTemplateColumns = `auto repeat(${columns.length}, minmax(26px, 1fr))`;
    map.cells = map.found.map((_, place) => {
      const cell = el("button", { type: "button", class: `at-cell ${place === own ? "at-own" : ""}`, tabindex: place === Math.max(own, 0) ? 0 : -1 });
      cell.addEventListener("click", () => go(rows[Math.floor(place / columns.length)], columns[place % columns.length]));
      return cell;
    });
    const lines = rows.flatMap((row, r) => [
      el("span", { class: "at-name", text: chart.row(row), title: chart.hint(row) }), ...(map?.cells ?? []).slice(r * columns.length, (r + 1) * columns.length),
    ]);
    grid.replaceChildren(...lines, el("span"), ...columns.map((column) => el("span", { class: "at-name", text: chart.column(column) })));
    list.replaceChildren();
    status.textContent = t("Translating …");
  }

  function draw() {
    if (!map?.found.some(Boolean)) return;
    drawn += 1;
    const { found, cells, rows, columns, own, trace } = map;
    const there = found.filter((one) => one !== null);
    const scores = there.map(({ score }) => score);
    const [least, most] = [Math.min(...scores), Math.max(...scores)];
    const all = regions(found, found[own]?.text ?? null);
    const { fill, ink } = heat(theme());
    for (const { letter, places, text } of all) {
      for (const place of places) {
        const one = /** @type {Found} */ (found[place]);
        const tone = shade(0.1 + 0.9 * (one.score - least), 0.1 + Math.max(most - least, 1e-6));
        const cell = cells[place];
        const label = `${chart.names[0]} = ${chart.row(rows[Math.floor(place / columns.length)])}, ${chart.names[1]} = ${chart.column(columns[place % columns.length])}: ${text} (${digits(one.score)})`;
        cell.textContent = letter;
        cell.title = label;
        cell.setAttribute("aria-label", `${letter}: ${label}`);
        Object.assign(cell.style, { background: fill[tone], color: ink[tone] });
        for (const [side, yes] of Object.entries(borders(found, place, columns.length))) cell.classList.toggle(`at-${side}`, yes);
      }
    }
    const first = all[0]?.words ?? trace.target;
    list.replaceChildren(...all.map(({ letter, words, places }) => {
      const marks = flipped(words, first);
      const text = words.flatMap((word, i) => [marks[i] ? el("mark", { text: word }) : word, " "]);
      return el("li", {}, el("b", { text: letter }), el("span", {}, ...text), el("small", { text: tn("{n} cell", "{n} cells", places.length) }));
    }));
    status.textContent = there.length < found.length ? t("{n} of {all} cells", { n: there.length, all: found.length })
      : all.length === 1 ? t("All {all} cells give the same translation. Longer or more unusual sentences give more variety.", { all: found.length })
      : t("{n} distinct translations in {all} cells", { n: all.length, all: found.length });
  }

  /** The arrow keys go from place to place. @param {KeyboardEvent} event */
  function move(event) {
    const at = map?.cells.indexOf(/** @type {HTMLButtonElement} */ (event.target)) ?? -1;
    if (!map || at < 0) return;
    const n = map.columns.length;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: at % n ? -1 : 0, ArrowRight: (at + 1) % n ? 1 : 0, ArrowUp: -n, ArrowDown: n };
    const next = map.cells[at + (steps[event.key] ?? 0)];
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    map.cells.forEach((cell) => { cell.tabIndex = cell === next ? 0 : -1; });
    next.focus();
  }

  return {
    root,
    /** Another translation, null where the map does not apply, and the number of its sample. @param {TraceJSON | null} trace @param {number} [sample] */
    show(trace, sample = 0) {
      const places = trace && chart.places(trace);
      root.hidden = !places;
      if (!trace || !places) {
        map = null;
        soon(0);
        return;
      }
      const { rows, columns, own } = places;
      const of = JSON.stringify([trace.source, trace.model, sample, chart.rest(trace)]);
      if (map?.of === of) { // only the place has changed
        map.own = own;
        map.cells.forEach((cell, place) => cell.classList.toggle("at-own", place === own));
        if (root.open && map.found.every(Boolean)) draw();
        return;
      }
      map = { trace, of, rows, columns, own, found: new Array(rows.length * columns.length).fill(null), cells: [] };
      soon(SOON);
    },
    draw,
    destroy() {
      turn += 1;
      clearTimeout(timer);
    },
  };
}
