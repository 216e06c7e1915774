// The attention heads of a Transformer for a sentence of the reader's: a small map for each layer and head, one
// enlarged.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { headIndex } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { exact, short } from "../../../attn_core/browser/player/core/numbers.js";
import { choice, el } from "../../../attn_core/browser/player/dom/elements.js";
import { inAddress, indexIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { buildBox } from "../../shell/tour.js";
import { vectorsOf } from "../kit/steps.js";
import { translating } from "../kit/translating.js";
import { attentionsOf } from "./attentions.js";
import { drawSmall, headGrid, LargeMap } from "./maps.js";
import { habits, meanEntropy, largestWeight } from "./measures.js";
import { buildShapes } from "./shapes.js";

/** @import { HeadKind, HeadLook, HeadsData } from "./types.d.ts" */
/** @import { NumberAsked } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Translation } from "../kit/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */

let stageCount = 0;

/** @implements {Stage} */
export class HeadMaps {
  /** @param {HTMLElement} host @param {HeadsData} data @param {From} [from] */
  constructor(host, data, from = () => null) {
    this.host = host;
    this.data = data;
    /**
     * @type {{ kind: number, look: number | null, row: number | null, pinned: number, column: number | null, beside:
     * number | null }} `pinned` and `beside`: the chosen row and column
     */
    this.state = { kind: 0, look: null, row: null, pinned: 1, column: null, beside: null };
    this.address = inAddress(this.data.address);
    this.largeMap = new LargeMap({
      onPoint: (row, column) => this.setState({ row, column }),
      onChoose: (row, column) => this.choose({ pinned: row, beside: column }),
    });
    this.ui = buildHeads(this.host, this.data, this.largeMap.table);
    this.page = onPage(this.ui.root, () => this.draw());
    this.filledFor = "";

    const kind = this.data.kinds.findIndex(({ key }) => key === from("heads_attention"));
    const [layer, head, query] = ["heads_layer", "heads_head", "heads_query"].map((name) => indexIn(from(name)));
    const linked = kind < 0 ? null : headIndex(this.data.kinds[kind].looks, { layer, head });
    const isLinkedQuery = linked !== null && query !== null && query < this.data.kinds[kind].rows.length;
    this.addressSettings =
      linked === null
        ? this.addressEntries(null, { layer: null, head: null }, null)
        : this.addressEntries(this.data.kinds[kind].key, { layer, head }, isLinkedQuery ? query : null);
    if (linked !== null) Object.assign(this.state, { kind, look: linked });
    if (isLinkedQuery) this.state.pinned = query;
    this.address.keep(this.addressSettings);
    this.ui.kinds.querySelectorAll("input").forEach((radio, i) => {
      radio.checked = i === this.state.kind;
    });
    this.ui.kinds.addEventListener("change", (event) =>
      this.choose({ kind: Number(/** @type {HTMLInputElement} */ (event.target).value), row: null, beside: null }),
    );
    this.ui.small.forEach(({ button }, i) => button.addEventListener("click", () => this.choose({ look: i })));
    this.page.watch(this.ui.grid);
    this.page.ask();
  }

  /** @param {Partial<HeadMaps["state"]>} change */
  setState(change) {
    Object.assign(this.state, change);
    this.page.ask();
  }

  draw() {
    const kind = this.data.kinds[this.state.kind];
    const chosen = (this.state.look ??= sharpest(kind));
    const theme = this.page.theme();
    const wanted = JSON.stringify([this.state.kind, this.state.look, theme]);
    if (wanted !== this.filledFor) this.fillMap(kind, kind.looks[chosen], theme);
    this.filledFor = wanted;
    const row = Math.min(this.state.row ?? this.state.pinned, kind.rows.length - 1);
    const style = getComputedStyle(this.ui.frame);
    const colors = { theme, outside: style.getPropertyValue("--ap-hatch"), ink: style.getPropertyValue("--ap-ink") };
    kind.looks.forEach((look, i) => {
      const { button, canvas, place, value } = this.ui.small[i];
      const { at, weight } = largestWeight(look.weights[row]);
      drawSmall(canvas, Math.max(button.clientWidth - 10, 24), { ...look, columns: kind.columns }, row, colors);
      place.textContent = kind.columns[at];
      value.textContent = short(weight);
      button.setAttribute("aria-pressed", String(i === chosen));
      button.setAttribute(
        "aria-label",
        t("layer {layer}, head {head}: from {query}, largest weight on {key} {weight}", {
          layer: look.layer,
          head: look.head,
          query: kind.rows[row],
          key: kind.columns[at],
          weight: short(weight),
        }),
      );
    });
    const look = kind.looks[chosen];
    this.largeMap.mark(row, this.chosenColumn());
    Array.from(this.ui.from.children).forEach((word, i) => {
      word.classList.toggle("ap-now", i === row);
      word.setAttribute("aria-pressed", String(i === row));
    });
    const { fill: shades, ink } = heat(theme);
    /** @type {HTMLElement[]} */ ([...this.ui.to.children]).forEach((word, j) => {
      const weight = look.weights[row][j];
      const tone = shade(weight ?? 0, 1);
      word.style.background = weight === undefined ? "" : shades[tone];
      word.style.color = weight === undefined ? "" : ink[tone];
      word.classList.toggle("hd-later", weight === undefined);
    });
    this.describeCell(kind, look, row);
  }

  /**
   * Update what depends only on the kind, the head and the theme.
   * @param {HeadKind} kind
   * @param {HeadLook} look
   * @param {Theme} theme
   */
  fillMap(kind, look, theme) {
    const { ui } = this;
    const name = t("Layer {layer}, head {head}", { layer: look.layer, head: look.head });
    this.largeMap.fill(
      {
        ...kind,
        weights: look.weights,
        caption: t("{label}, {name}: one row for each query", { label: kind.label, name }),
      },
      theme,
    );
    ui.title.textContent = `${name} · ${kind.label.toLowerCase()}`;
    ui.note.textContent = kind.note;
    const words = JSON.stringify([kind.key, kind.rows, kind.columns]);
    if (ui.frame.dataset.words === words) return;
    ui.frame.dataset.words = words;
    ui.from.replaceChildren(
      ...kind.rows.map((word, i) => {
        const button = el("button", { type: "button", class: "ap-word", text: word });
        button.addEventListener("pointerenter", () => this.setState({ row: i, column: null }));
        button.addEventListener("pointerleave", () => this.setState({ row: null }));
        button.addEventListener("click", () => this.choose({ pinned: i, beside: null }));
        return button;
      }),
    );
    ui.to.replaceChildren(...kind.columns.map((word) => el("span", { class: "hd-key", text: word })));
    const heads = Math.max(...kind.looks.map(({ head }) => head)) + 1;
    ui.shapes.replaceChildren(
      buildShapes({
        key: kind.key,
        size: this.data.size,
        heads,
        scaled: this.data.scale !== null,
        queries: kind.rows.length,
        keys: kind.columns.length,
      }),
    );
  }

  /**
   * @param {HeadKind} kind
   * @param {HeadLook} look
   * @param {number} row
   */
  describeCell(kind, look, row) {
    const column = this.chosenColumn();
    const j = column !== null && look.weights[row][column] !== undefined ? column : largestWeight(look.weights[row]).at;
    const product = this.data.scale ? `q · k / √${this.data.scale}` : "q · k";
    this.ui.cell.replaceChildren(
      el("b", { text: kind.rows[row] }),
      " ← ",
      el("b", { text: kind.columns[j] }),
      `: ${product} = `,
      this.numberButton("scores", look.scores[row][j], row, j),
      ` → ${t("softmax over the row")} → `,
      this.numberButton("weights", look.weights[row][j], row, j),
    );
    const { self, before, after, first } = habits(look.weights);
    /** @type {[place: string, value: number | null][]} */
    const places =
      kind.key === "cross"
        ? []
        : [
            [t("itself"), self],
            [t("the previous word"), before],
            [t("the next word"), after],
            [t("the first word"), first],
          ];
    const placeTexts = places.flatMap(([place, value]) =>
      value === null ? [] : [t("{weight} on {place}", { weight: short(value), place })],
    );
    const means = placeTexts.length ? t("Mean weight over the rows: {places}.", { places: placeTexts.join(", ") }) : "";
    this.ui.habit.textContent = `${means} ${t(
      "Mean entropy of a row: {entropy} nats (0: all weight on one " + "word).",
      { entropy: meanEntropy(look.weights).toFixed(2) },
    )}`.trim();
  }

  /**
   * A number of the chosen head, which opens what it was computed from.
   * @param {"scores" | "weights"} name @param {number} value @param {number} row @param {number} column
   */
  numberButton(name, value, row, column) {
    const { key } = this.data.kinds[this.state.kind];
    const output = `${{ encoder: "memory.looks", decoder: "own", cross: "looks" }[key]}.${this.state.look}.${name}`;
    /** @type {NumberAsked} */
    const asked =
      key === "encoder" ? { frame: "encode", output, index: [row, column] } : { step: row, output, place: column };
    const button = el("button", {
      type: "button",
      class: "no-cell",
      title: t("Click to see what it was computed from"),
      text: exact(value),
    });
    button.addEventListener("click", () =>
      this.host.dispatchEvent(
        new CustomEvent("attention-number", { detail: { which: 0, asked }, bubbles: true, composed: true }),
      ),
    );
    return button;
  }

  /**
   * Show another kind, head or query, chosen by the reader.
   * @param {Partial<HeadMaps["state"]>} change
   */
  choose(change) {
    this.setState(change);
    const { key, looks } = this.data.kinds[this.state.kind];
    const look = (this.state.look ??= sharpest(this.data.kinds[this.state.kind])); // nothing has been drawn yet
    this.address.keep((this.addressSettings = this.addressEntries(key, looks[look], this.state.pinned)));
  }

  chosenColumn() {
    return this.state.row === null ? this.state.beside : this.state.column;
  }

  /**
   * @param {string | null} attention
   * @param {{ layer: number | null, head: number | null }} look
   * @param {number | null} query the chosen row
   */
  addressEntries(attention, { layer, head }, query) {
    return { heads_attention: attention, heads_layer: layer, heads_head: head, heads_query: query };
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
 */
function buildHeads(host, data, table) {
  const root = el("div", { class: "ap-root" });
  const { looks } = data.kinds[0];
  const kinds = choice(
    `hd-kind-${++stageCount}`,
    t("Attention"),
    data.kinds.map(({ label }, i) => /** @type {[number, string]} */ ([i, label])),
  );
  const note = el("p", { class: "hd-note" });
  const from = el("div", { class: "hd-words", role: "group", "aria-label": t("Query") });
  const to = el("div", { class: "hd-words", "aria-hidden": "true" });
  const small = looks.map(() => {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const [place, value] = [el("span", { class: "hd-place" }), el("span", {})];
    const top = el("span", { class: "hd-top" }, place, " ", value);
    return { canvas, place, value, button: el("button", { type: "button", class: "hd-small" }, canvas, top) };
  });
  const grid = headGrid(
    looks,
    small.map(({ button }) => button),
  );
  const shapes = el("section", { class: "hd-wide" });
  const title = el("h3", { class: "ap-title" });
  const cell = el("p", { class: "hd-cellline", "aria-live": "polite" });
  const habit = el("p", { class: "hd-note" });
  const frame = el(
    "div",
    { class: "ap hd" },
    el(
      "div",
      { class: "hd-head" },
      kinds,
      note,
      el("div", { class: "hd-line" }, el("span", { class: "hd-edge", text: t("query") }), from),
      el("div", { class: "hd-line" }, el("span", { class: "hd-edge", text: t("keys") }), to),
    ),
    el(
      "div",
      { class: "hd-body" },
      grid,
      el("section", { class: "hd-large" }, title, el("div", { class: "hd-scroll" }, table), cell, habit),
    ),
    shapes,
  );
  root.append(frame);
  host.append(root);
  return { root, kinds, note, from, to, small, grid, shapes, title, cell, habit, frame };
}

/** @typedef {ReturnType<typeof buildHeads>} HeadsUi */

/**
 * @param {Translation[]} translations
 * @returns {HeadsData}
 */
function dataOf([{ shown }]) {
  const { shape } = vectorsOf(shown.steps[0]).memory[0];
  const size = shape[shape.length - 1];
  const { heads, score } = shown.settings;
  return { size, scale: score === "scaled_dot" ? size / heads : null, kinds: attentionsOf(shown) };
}

export default translating((host, data, from) => new HeadMaps(host, data, from), dataOf, ["memory"], buildBox);
