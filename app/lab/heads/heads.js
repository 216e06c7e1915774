// The attention heads of a Transformer: a small map for each layer and head, one of them enlarged.
//
//   const stage = createHeads(host, data, from);   stage.update() follows the page's theme;   stage.destroy();
//
// data: size (d_model), scale (d_k, or null for plain dot products), kinds: for each {key, label, note, rows, columns
// (words), looks: [{layer, head, weights, scores}]}; weights and scores are lists of rows; address: further entries of
// the page's address. The default export translates a sentence of the reader's with a model of the reader's choice.

import { heat, shade } from "../../../attn_core/web/player/core/heat.js";
import { headIndex } from "../../../attn_core/web/player/core/looks.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { exact, short } from "../../../attn_core/web/player/core/numbers.js";
import { choice, el } from "../../../attn_core/web/player/dom/elements.js";
import { inAddress, indexIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { buildBox } from "../../shell/tour.js";
import { vectorsOf } from "../kit/steps.js";
import { translating } from "../kit/translating.js";
import { kindsOf } from "./attentions.js";
import { bigMap, drawSmall } from "./maps.js";
import { habits, meanEntropy, most } from "./measures.js";
import { shapes } from "./shapes.js";

/** @import { HeadKind, HeadLook, HeadsData, HeadsUi } from "./types.d.ts" */
/** @import { NumberAsked } from "../../../attn_core/web/engine/types.d.ts" */
/** @import { Theme } from "../../../attn_core/web/player/core/types.d.ts" */
/** @import { Translation } from "../kit/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */

let stages = 0;

/**
 * @param {HTMLElement} host
 * @param {HeadsData} data
 * @param {From} [from]
 * @returns {Stage}
 */
export function createHeads(host, data, from = () => null) {
  /** @type {{ kind: number, look: number | null, row: number | null, pinned: number, column: number | null, beside: number | null }} `pinned` and `beside`: the chosen row and column */
  const state = { kind: 0, look: null, row: null, pinned: 1, column: null, beside: null };
  const address = inAddress(data.address);
  const big = bigMap({ over: (row, column) => set({ row, column }), take: (row, column) => set({ pinned: row, beside: column }) });
  const ui = buildHeads(host, data, big.table);
  const onHost = onPage(ui.root, draw);
  let shown = "";

  /** @param {Partial<typeof state>} change */
  function set(change) {
    Object.assign(state, change);
    onHost.ask();
  }

  const columnNow = () => (state.row === null ? state.beside : state.column);

  function draw() {
    const kind = data.kinds[state.kind];
    const chosen = (state.look ??= sharpest(kind));
    const theme = onHost.theme();
    const now = JSON.stringify([state.kind, state.look, theme]);
    if (now !== shown) fill(kind, kind.looks[chosen], theme);
    shown = now;
    const row = Math.min(state.row ?? state.pinned, kind.rows.length - 1);
    const style = getComputedStyle(ui.frame);
    const colors = { theme, outside: style.getPropertyValue("--ap-hatch"), ink: style.getPropertyValue("--ap-ink") };
    kind.looks.forEach((look, i) => {
      const { button, canvas, place, value } = ui.small[i];
      const { at, weight } = most(look.weights[row]);
      drawSmall(canvas, Math.max(button.clientWidth - 10, 24), { ...look, columns: kind.columns }, row, colors);
      place.textContent = kind.columns[at];
      value.textContent = short(weight);
      button.setAttribute("aria-pressed", String(i === chosen));
      button.setAttribute("aria-label", t("layer {layer}, head {head}: from {query}, largest weight on {key} {weight}", { layer: look.layer, head: look.head, query: kind.rows[row], key: kind.columns[at], weight: short(weight) }));
    });
    const look = kind.looks[chosen];
    big.mark(row, columnNow());
    Array.from(ui.from.children).forEach((word, i) => {
      word.classList.toggle("ap-now", i === row);
      word.setAttribute("aria-pressed", String(i === row));
    });
    const { fill: shades, ink } = heat(theme);
    /** @type {HTMLElement[]} */ ([...ui.to.children]).forEach((word, j) => {
      const weight = look.weights[row][j];
      const tone = shade(weight ?? 0, 1);
      word.style.background = weight === undefined ? "" : shades[tone];
      word.style.color = weight === undefined ? "" : ink[tone];
      word.classList.toggle("hd-later", weight === undefined);
    });
    tell(kind, look, row);
  }

  /**
   * Update what depends only on the kind, the head and the theme.
   * @param {HeadKind} kind
   * @param {HeadLook} look
   * @param {Theme} theme
   */
  function fill(kind, look, theme) {
    const name = t("Layer {layer}, head {head}", { layer: look.layer, head: look.head });
    big.fill({ ...kind, weights: look.weights, caption: t("{label}, {name}: one row for each query", { label: kind.label, name }) }, theme);
    ui.title.textContent = `${name} · ${kind.label.toLowerCase()}`;
    ui.note.textContent = kind.note;
    const words = JSON.stringify([kind.key, kind.rows, kind.columns]);
    if (ui.frame.dataset.words === words) return;
    ui.frame.dataset.words = words;
    ui.from.replaceChildren(...kind.rows.map((word, i) => {
      const button = el("button", { type: "button", class: "ap-word", text: word });
      button.addEventListener("pointerenter", () => set({ row: i, column: null }));
      button.addEventListener("pointerleave", () => set({ row: null }));
      button.addEventListener("click", () => set({ pinned: i, beside: null }));
      return button;
    }));
    ui.to.replaceChildren(...kind.columns.map((word) => el("span", { class: "hd-key", text: word })));
    const heads = Math.max(...kind.looks.map(({ head }) => head)) + 1;
    ui.shapes.replaceChildren(shapes({ key: kind.key, size: data.size, heads, scaled: data.scale !== null, queries: kind.rows.length, keys: kind.columns.length }));
  }

  /**
   * @param {HeadKind} kind
   * @param {HeadLook} look
   * @param {number} row
   */
  function tell(kind, look, row) {
    const column = columnNow();
    const j = column !== null && look.weights[row][column] !== undefined ? column : most(look.weights[row]).at;
    const product = data.scale ? `q · k / √${data.scale}` : "q · k";
    ui.cell.replaceChildren(
      el("b", { text: kind.rows[row] }), " ← ", el("b", { text: kind.columns[j] }),
      `: ${product} = `, number("scores", look.scores[row][j], row, j), ` → ${t("softmax over the row")} → `, number("weights", look.weights[row][j], row, j),
    );
    const { self, before, after, first } = habits(look.weights);
    /** @type {[place: string, value: number | null][]} */
    const said = kind.key === "cross" ? [] : [[t("itself"), self], [t("the previous word"), before], [t("the next word"), after], [t("the first word"), first]];
    const places = said.flatMap(([place, value]) => (value === null ? [] : [t("{weight} on {place}", { weight: short(value), place })]));
    const means = places.length ? t("Mean weight over the rows: {places}.", { places: places.join(", ") }) : "";
    ui.habit.textContent = `${means} ${t("Mean entropy of a row: {entropy} nats (0: all weight on one word).", { entropy: meanEntropy(look.weights).toFixed(2) })}`.trim();
  }

  /**
   * A number of the chosen head, which opens what it was computed from.
   * @param {"scores" | "weights"} name @param {number} value @param {number} row @param {number} column
   */
  function number(name, value, row, column) {
    const { key } = data.kinds[state.kind];
    const output = `${{ encoder: "memory.looks", decoder: "own", cross: "looks" }[key]}.${state.look}.${name}`;
    /** @type {NumberAsked} */
    const asked = key === "encoder" ? { frame: "encode", output, index: [row, column] } : { step: row, output, place: column };
    const button = el("button", { type: "button", class: "no-cell", title: t("Click to see what it was computed from"), text: exact(value) });
    button.addEventListener("click", () => host.dispatchEvent(new CustomEvent("attention-number", { detail: { which: 0, asked }, bubbles: true, composed: true })));
    return button;
  }

  /**
   * Show another kind or head, chosen by the reader.
   * @param {Partial<typeof state>} change
   */
  function choose(change) {
    set(change);
    const { key, looks } = data.kinds[state.kind];
    const look = (state.look ??= sharpest(data.kinds[state.kind])); // nothing has been drawn yet
    address.keep(kept = entries(key, looks[look]));
  }

  /** @param {string | null} attention @param {{ layer: number | null, head: number | null }} look */
  const entries = (attention, { layer, head }) => ({ heads_attention: attention, heads_layer: layer, heads_head: head });

  const kind = data.kinds.findIndex(({ key }) => key === from("heads_attention"));
  const [layer, head] = ["heads_layer", "heads_head"].map((name) => indexIn(from(name)));
  const linked = kind < 0 ? null : headIndex(data.kinds[kind].looks, { layer, head });
  let kept = linked === null ? entries(null, { layer: null, head: null }) : entries(data.kinds[kind].key, { layer, head });
  if (linked !== null) Object.assign(state, { kind, look: linked });
  address.keep(kept);
  ui.kinds.querySelectorAll("input").forEach((radio, i) => { radio.checked = i === state.kind; });
  ui.kinds.addEventListener("change", (event) => choose({ kind: Number(/** @type {HTMLInputElement} */ (event.target).value), row: null, beside: null }));
  ui.small.forEach(({ button }, i) => button.addEventListener("click", () => choose({ look: i })));
  onHost.watch(ui.grid);
  onHost.ask();
  return {
    update: onHost.restyle,
    settings: () => kept,
    destroy() {
      address.stop();
      onHost.stop();
    },
  };
}

/**
 * The head whose rows have the smallest mean entropy.
 * @param {HeadKind} headKind
 */
function sharpest({ looks }) {
  const spread = looks.map(({ weights }) => meanEntropy(weights));
  return spread.indexOf(Math.min(...spread));
}

/**
 * @param {HTMLElement} host
 * @param {HeadsData} data
 * @param {HTMLElement} table
 * @returns {HeadsUi}
 */
function buildHeads(host, data, table) {
  const ui = /** @type {HeadsUi} */ ({});
  ui.root = el("div", { class: "ap-root" });
  const { looks } = data.kinds[0];
  const columns = Math.max(...looks.map(({ head }) => head)) + 1;
  ui.kinds = choice(`hd-kind-${++stages}`, t("Attention"), data.kinds.map(({ label }, i) => /** @type {[number, string]} */ ([i, label])));
  ui.note = el("p", { class: "hd-note" });
  ui.from = el("div", { class: "hd-words", role: "group", "aria-label": t("Query") });
  ui.to = el("div", { class: "hd-words", "aria-hidden": "true" });
  ui.small = looks.map(() => {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const [place, value] = [el("span", { class: "hd-place" }), el("span", {})];
    const top = el("span", { class: "hd-top" }, place, " ", value);
    return { canvas, place, value, button: el("button", { type: "button", class: "hd-small" }, canvas, top) };
  });
  ui.grid = el("div", { class: "hd-grid" }, el("span", {}));
  ui.grid.style.setProperty("--hd-heads", String(columns));
  for (let head = 0; head < columns; head++) ui.grid.append(el("span", { class: "hd-edge", text: t("head {head}", { head }) }));
  looks.forEach(({ layer, head }, i) => {
    if (head === 0) ui.grid.append(el("span", { class: "hd-edge hd-layer", text: t("layer {layer}", { layer }) }));
    ui.grid.append(ui.small[i].button);
  });
  ui.shapes = el("section", { class: "hd-wide" });
  ui.title = el("h3", { class: "ap-title" });
  ui.cell = el("p", { class: "hd-cellline", "aria-live": "polite" });
  ui.habit = el("p", { class: "hd-note" });
  ui.frame = el(
    "div", { class: "ap hd" },
    el(
      "div", { class: "hd-head" }, ui.kinds, ui.note,
      el("div", { class: "hd-line" }, el("span", { class: "hd-edge", text: t("query") }), ui.from),
      el("div", { class: "hd-line" }, el("span", { class: "hd-edge", text: t("keys") }), ui.to),
    ),
    el("div", { class: "hd-body" }, ui.grid, el("section", { class: "hd-large" }, ui.title, el("div", { class: "hd-scroll" }, table), ui.cell, ui.habit)), ui.shapes,
  );
  ui.root.append(ui.frame);
  host.append(ui.root);
  return ui;
}

/**
 * @param {Translation[]} translations
 * @returns {HeadsData}
 */
function dataOf([{ shown }]) {
  const { shape } = vectorsOf(shown.steps[0]).memory[0];
  const size = shape[shape.length - 1];
  const { heads, score } = shown.settings;
  return { size, scale: score === "scaled_dot" ? size / heads : null, kinds: kindsOf(shown) };
}

export default translating(createHeads, dataOf, ["memory"], buildBox);
