// The attention heads of a Transformer for a sentence of the reader's: a small map for each layer and head, one
// enlarged.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { headIndex } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { exact, short } from "../../../attn_core/browser/player/core/numbers.js";
import { radioGroup, el } from "../../../attn_core/browser/player/dom/elements.js";
import { keepInAddress, indexIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { buildTourBox } from "../../shell/tour.js";
import { vectorsOf } from "../kit/steps.js";
import { translating } from "../kit/translating.js";
import { attentionsOf } from "./attentions.js";
import { drawSmall, headGrid, LargeMap } from "./maps.js";
import { habits, meanEntropy, largestWeight } from "./measures.js";
import { buildShapes } from "./shapes.js";

/** @import { AttentionMaps, HeadsData, HeadsState, HeadWeights } from "./types.d.ts" */
/** @import { NumberAsked } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Translation } from "../kit/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */

const NO_ENTRIES = { heads_attention: null, heads_layer: null, heads_head: null, heads_query: null };
let stageCount = 0;

/** @implements {Stage} */
export class HeadMaps {
  /** @param {HTMLElement} host @param {HeadsData} data @param {From} [from] */
  constructor(host, data, from = () => null) {
    this.host = host;
    this.data = data;
    /** @type {HeadsState} */
    this.state = { attention: 0, head: null, row: null, chosenRow: 1, column: null, chosenColumn: null };
    this.address = keepInAddress(data.address);
    this.largeMap = new LargeMap({
      onPoint: (row, column) => this.setState({ row, column }),
      onChoose: (row, column) => this.changeChoice({ chosenRow: row, chosenColumn: column }),
    });
    this.ui = buildHeads(data, this.largeMap.table);
    host.append(this.ui.root);
    this.page = onPage(this.ui.root, () => this.draw());
    this.filledFor = ""; // the attention, head and theme of the large map

    const linked = linkedChoice(data.attentions, from);
    if (linked) Object.assign(this.state, linked);
    this.addressSettings = linked ? this.addressEntries(linked) : NO_ENTRIES;
    this.address.keep(this.addressSettings);
    this.ui.attentions.querySelectorAll("input").forEach((radio, i) => {
      radio.checked = i === this.state.attention;
    });
    this.ui.attentions.addEventListener("change", (event) => {
      const attention = Number(/** @type {HTMLInputElement} */ (event.target).value);
      this.changeChoice({ attention, row: null, chosenColumn: null });
    });
    this.ui.small.forEach(({ button }, i) => button.addEventListener("click", () => this.changeChoice({ head: i })));
    this.page.watch(this.ui.grid);
    this.page.ask();
  }

  /** @param {Partial<HeadsState>} change */
  setState(change) {
    Object.assign(this.state, change);
    this.page.ask();
  }

  /** The attention on show. */
  attention() {
    return this.data.attentions[this.state.attention];
  }

  draw() {
    const { state } = this;
    const attention = this.attention();
    const chosen = (state.head ??= sharpestHead(attention));
    const head = attention.heads[chosen];
    const theme = this.page.theme();
    const shown = JSON.stringify([state.attention, chosen, theme]);
    if (shown !== this.filledFor) this.fillMap(attention, head, theme);
    this.filledFor = shown;
    const row = Math.min(state.row ?? state.chosenRow, attention.rows.length - 1);
    this.drawSmallMaps(attention, row, theme);
    this.largeMap.mark(row, this.columnOnShow());
    Array.from(this.ui.queries.children).forEach((word, i) => {
      word.classList.toggle("ap-now", i === row);
      word.setAttribute("aria-pressed", String(i === row));
    });
    shadeKeys(/** @type {HTMLElement[]} */ ([...this.ui.keys.children]), head.weights[row], theme);
    this.describeCell(attention, head, row);
    this.ui.habit.textContent = habitText(attention, head);
  }

  /** @param {AttentionMaps} attention @param {number} row @param {Theme} theme */
  drawSmallMaps({ heads, rows, columns }, row, theme) {
    const style = getComputedStyle(this.ui.frame);
    const colors = { theme, outside: style.getPropertyValue("--ap-hatch"), ink: style.getPropertyValue("--ap-ink") };
    heads.forEach(({ layer, head, weights }, i) => {
      const { button, canvas, word, value } = this.ui.small[i];
      const { at, weight } = largestWeight(weights[row]);
      drawSmall(canvas, Math.max(button.clientWidth - 10, 24), { weights, columns }, row, colors);
      word.textContent = columns[at];
      value.textContent = short(weight);
      button.setAttribute("aria-pressed", String(i === this.state.head));
      const names = { layer, head, query: rows[row], key: columns[at], weight: short(weight) };
      const label = t("layer {layer}, head {head}: from {query}, largest weight on {key} {weight}", names);
      button.setAttribute("aria-label", label);
    });
  }

  /**
   * Update what depends only on the attention, the head and the theme.
   * @param {AttentionMaps} attention
   * @param {HeadWeights} head
   * @param {Theme} theme
   */
  fillMap({ key, label, note, rows, columns, heads }, { layer, head, weights }, theme) {
    const { ui } = this;
    const name = t("Layer {layer}, head {head}", { layer, head });
    const caption = t("{label}, {name}: one row for each query", { label, name });
    this.largeMap.fill({ rows, columns, weights, caption }, theme);
    ui.title.textContent = `${name} · ${label.toLowerCase()}`;
    ui.note.textContent = note;
    const words = JSON.stringify([key, rows, columns]);
    if (ui.frame.dataset.words === words) return;
    ui.frame.dataset.words = words;
    ui.queries.replaceChildren(...rows.map((word, i) => this.queryButton(word, i)));
    ui.keys.replaceChildren(...columns.map((word) => el("span", { class: "hd-key", text: word })));
    const headCount = Math.max(...heads.map((candidate) => candidate.head)) + 1;
    const { size, scale } = this.data;
    const [queries, keyCount] = [rows.length, columns.length];
    ui.shapes.replaceChildren(
      buildShapes({ key, size, heads: headCount, scaled: scale !== null, queries, keys: keyCount }),
    );
  }

  /** @param {string} word @param {number} row */
  queryButton(word, row) {
    const button = el("button", { type: "button", class: "ap-word", text: word });
    button.addEventListener("pointerenter", () => this.setState({ row, column: null }));
    button.addEventListener("pointerleave", () => this.setState({ row: null }));
    button.addEventListener("click", () => this.changeChoice({ chosenRow: row, chosenColumn: null }));
    return button;
  }

  /**
   * Show the score and the weight of a pair of words: that of the chosen column, or the one with the largest weight.
   * @param {AttentionMaps} attention
   * @param {HeadWeights} head
   * @param {number} row
   */
  describeCell({ rows, columns }, { scores, weights }, row) {
    const chosen = this.columnOnShow();
    const isMasked = chosen === null || weights[row][chosen] === undefined;
    const column = isMasked ? largestWeight(weights[row]).at : chosen;
    const product = this.data.scale ? `q · k / √${this.data.scale}` : "q · k";
    this.ui.cell.replaceChildren(
      el("b", { text: rows[row] }),
      " ← ",
      el("b", { text: columns[column] }),
      `: ${product} = `,
      this.numberButton("scores", scores[row][column], row, column),
      ` → ${t("softmax over the row")} → `,
      this.numberButton("weights", weights[row][column], row, column),
    );
  }

  /**
   * A number of the chosen head, which opens what it was computed from.
   * @param {"scores" | "weights"} name @param {number} value @param {number} row @param {number} column
   */
  numberButton(name, value, row, column) {
    const { key } = this.attention();
    const output = `${{ encoder: "memory.looks", decoder: "own", cross: "looks" }[key]}.${this.state.head}.${name}`;
    /** @type {NumberAsked} */
    const asked =
      key === "encoder" ? { frame: "encode", output, index: [row, column] } : { step: row, output, place: column };
    const title = t("Click to see what it was computed from");
    const button = el("button", { type: "button", class: "no-cell", title, text: exact(value) });
    const detail = { which: 0, asked };
    button.addEventListener("click", () =>
      this.host.dispatchEvent(new CustomEvent("attention-number", { detail, bubbles: true, composed: true })),
    );
    return button;
  }

  /**
   * Show another attention, head or pair of words, chosen by the reader.
   * @param {Partial<HeadsState>} change
   */
  changeChoice(change) {
    this.setState(change);
    const head = (this.state.head ??= sharpestHead(this.attention())); // nothing has been drawn yet
    this.addressSettings = this.addressEntries({ ...this.state, head });
    this.address.keep(this.addressSettings);
  }

  /** The column under the pointer, or the chosen one. */
  columnOnShow() {
    return this.state.row === null ? this.state.chosenColumn : this.state.column;
  }

  /** @param {{ attention: number, head: number, chosenRow?: number }} choice */
  addressEntries({ attention, head, chosenRow = undefined }) {
    const { key, heads } = this.data.attentions[attention];
    const { layer, head: number } = heads[head];
    return { heads_attention: key, heads_layer: layer, heads_head: number, heads_query: chosenRow ?? null };
  }

  update() {
    this.page.restyle();
  }

  settings() {
    return this.addressSettings;
  }

  destroy() {
    this.address.stop();
    this.page.stop();
  }
}

/**
 * The attention and the head of a link, and its query if the sentence has it; null if the model does not have the head.
 * @param {AttentionMaps[]} attentions
 * @param {From} from
 */
function linkedChoice(attentions, from) {
  const attention = attentions.findIndex(({ key }) => key === from("heads_attention"));
  if (attention < 0) return null;
  const { heads, rows } = attentions[attention];
  const [layer, number, query] = ["heads_layer", "heads_head", "heads_query"].map((name) => indexIn(from(name)));
  const head = headIndex(heads, { layer, head: number });
  if (head === null) return null;
  return query !== null && query < rows.length ? { attention, head, chosenRow: query } : { attention, head };
}

/** The head whose rows have the smallest mean entropy. @param {AttentionMaps} attention */
function sharpestHead({ heads }) {
  const entropies = heads.map(({ weights }) => meanEntropy(weights));
  return entropies.indexOf(Math.min(...entropies));
}

/**
 * Shade the keys by the weights of a row; later words have none.
 * @param {HTMLElement[]} keys
 * @param {number[]} weights
 * @param {Theme} theme
 */
function shadeKeys(keys, weights, theme) {
  const { fill, ink } = heat(theme);
  keys.forEach((key, column) => {
    const isMasked = weights[column] === undefined;
    const tone = shade(weights[column] ?? 0, 1);
    key.style.background = isMasked ? "" : fill[tone];
    key.style.color = isMasked ? "" : ink[tone];
    key.classList.toggle("hd-later", isMasked);
  });
}

/**
 * Where a head attends to on average, and how spread out its rows are.
 * @param {AttentionMaps} attention
 * @param {HeadWeights} head
 */
function habitText({ key }, { weights }) {
  const { self, before, after, first } = habits(weights);
  /** @type {[place: string, value: number | null][]} */
  const means = [
    [t("itself"), self],
    [t("the previous word"), before],
    [t("the next word"), after],
    [t("the first word"), first],
  ];
  const places = means.flatMap(([place, weight]) =>
    weight === null ? [] : [t("{weight} on {place}", { weight: short(weight), place })],
  );
  const entropy = t("Mean entropy of a row: {entropy} nats (0: all weight on one word).", {
    entropy: meanEntropy(weights).toFixed(2),
  });
  if (key === "cross" || !places.length) return entropy;
  return `${t("Mean weight over the rows: {places}.", { places: places.join(", ") })} ${entropy}`;
}

/**
 * The elements of the stage; those that are used later are returned by name.
 * @param {HeadsData} data
 * @param {HTMLElement} table
 */
function buildHeads(data, table) {
  const { heads } = data.attentions[0];
  const options = data.attentions.map(({ label }, i) => /** @type {[number, string]} */ ([i, label]));
  const attentions = radioGroup(`hd-kind-${++stageCount}`, t("Attention"), options);
  const note = el("p", { class: "hd-note" });
  const queries = el("div", { class: "hd-words", role: "group", "aria-label": t("Query") });
  const keys = el("div", { class: "hd-words", "aria-hidden": "true" });
  const small = heads.map(buildSmallMap);
  const buttons = small.map(({ button }) => button);
  const grid = headGrid(heads, buttons);
  const shapes = el("section", { class: "hd-wide" });
  const title = el("h3", { class: "ap-title" });
  const cell = el("p", { class: "hd-cellline", "aria-live": "polite" });
  const habit = el("p", { class: "hd-note" });
  const line = (/** @type {string} */ name, /** @type {HTMLElement} */ words) =>
    el("div", { class: "hd-line" }, el("span", { class: "hd-edge", text: name }), words);
  const large = el("section", { class: "hd-large" }, title, el("div", { class: "hd-scroll" }, table), cell, habit);
  const frame = el(
    "div",
    { class: "ap hd" },
    el("div", { class: "hd-head" }, attentions, note, line(t("query"), queries), line(t("keys"), keys)),
    el("div", { class: "hd-body" }, grid, large),
    shapes,
  );
  const root = el("div", { class: "ap-root" }, frame);
  return { root, attentions, note, queries, keys, small, grid, shapes, title, cell, habit, frame };
}

function buildSmallMap() {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const [word, value] = [el("span", { class: "hd-place" }), el("span", {})];
  const top = el("span", { class: "hd-top" }, word, " ", value);
  return { canvas, word, value, button: el("button", { type: "button", class: "hd-small" }, canvas, top) };
}

/**
 * @param {Translation[]} translations
 * @returns {HeadsData}
 */
function dataOf([{ shown }]) {
  const { shape } = vectorsOf(shown.steps[0]).memory[0];
  const size = shape[shape.length - 1];
  const { heads, score } = shown.settings;
  return { size, scale: score === "scaled_dot" ? size / heads : null, attentions: attentionsOf(shown) };
}

export default translating((host, data, from) => new HeadMaps(host, data, from), dataOf, ["memory"], buildTourBox);
