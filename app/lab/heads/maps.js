// Attention maps: small ones on a canvas, a large one as a table with its numbers.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { context2d, fitCanvas } from "../../../attn_core/browser/player/draw/pen.js";
import { onKey } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { BigMap, Cell, Head } from "./types.d.ts" */

const WIDEST = 11; // em; longer words at the edges are cut off
/** @type {Record<string, [down: number, right: number]>} by key */
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const ruler = context2d(document.createElement("canvas"));

/**
 * Draw a small map.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width in pixels
 * @param {{ weights: number[][], columns: string[] }} map
 * @param {number | null} marked the row that is outlined
 * @param {{ theme: Theme, outside: string, ink: string }} colors
 */
export function drawSmall(canvas, width, { weights, columns }, marked, colors) {
  const { fill } = heat(colors.theme);
  const ctx = context2d(canvas);
  const side = width / columns.length;
  fitCanvas(canvas, ctx, width, side * weights.length);
  ctx.fillStyle = colors.outside;
  ctx.fillRect(0, 0, width, side * weights.length);
  weights.forEach((row, i) =>
    row.forEach((weight, j) => {
      ctx.fillStyle = fill[shade(weight, 1)];
      ctx.fillRect(j * side, i * side, side + 0.5, side + 0.5);
    }),
  );
  if (marked === null) return;
  ctx.strokeStyle = colors.ink;
  ctx.lineWidth = 1.5;
  ctx.strokeRect(0.75, marked * side + 0.25, width - 1.5, side - 0.5);
}

/** A large map with words at its edges, and a weight in each cell. */
export class LargeMap {
  /**
   * @param {object} actions
   * @param {(...cell: Cell) => void} actions.onPoint the pointer or the focus is on a cell, on an edge, or outside
   * @param {(row: number, column: number | null) => void} actions.onChoose the reader chose a cell or a row
   */
  constructor({ onPoint, onChoose }) {
    this.onPoint = onPoint;
    this.onChoose = onChoose;
    this.table = el("table", { class: "hd-big", role: "grid" });
    /** @type {HTMLElement[][]} */
    this.cells = [];
    /** @type {HTMLElement[]} */
    this.columnHeads = [];
    /** @type {HTMLElement | undefined} the cell that Tab leads to */
    this.tabStop = undefined;
    this.listen();
  }

  listen() {
    const { table, onPoint } = this;
    table.addEventListener("pointerover", (event) => onPoint(...cellOf(event)));
    table.addEventListener("pointerleave", () => onPoint(null, null));
    table.addEventListener("click", (event) => {
      const [row, column] = cellOf(event);
      if (row !== null) this.onChoose(row, column);
    });
    table.addEventListener("focusin", (event) => {
      onPoint(...cellOf(event));
      if (this.tabStop) this.tabStop.tabIndex = -1;
      this.tabStop = /** @type {HTMLElement} */ (event.target);
      this.tabStop.tabIndex = 0;
    });
    table.addEventListener("focusout", () => onPoint(null, null));
    onKey(table, (event) => this.pressKey(event));
  }

  /** Move between cells, or choose one. @param {KeyboardEvent} event */
  pressKey(event) {
    const [row, column] = cellOf(event);
    if (row === null || column === null) return;
    const isChosen = event.key === "Enter" || event.key === " ";
    if (!isChosen && !(event.key in MOVES)) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys
    if (isChosen) return this.onChoose(row, column);
    const [down, right] = MOVES[event.key];
    this.cells[row + down]?.[column + right]?.focus();
  }

  /** Show other words or weights. @param {BigMap} map @param {Theme} theme */
  fill({ rows, columns, weights, caption, tall = columns }, theme) {
    const { table } = this;
    const cells = (this.cells = cellsOf(weights, theme));
    this.columnHeads = columns.map((word) => edgeCell(word, { scope: "col" }));
    this.tabStop = cells[0]?.[0];
    const widthOf = edgeWidths(getComputedStyle(table));
    const sizes = { columns: columns.length, long: widthOf(rows), tall: widthOf(tall) };
    for (const [name, size] of Object.entries(sizes)) table.style.setProperty(`--hd-${name}`, String(size));
    table.classList.toggle("hd-upright", longest(columns) <= 2);
    table.classList.toggle("hd-many", columns.length > 18);
    const lines = rows.map((word, i) => {
      const masked = columns.slice(cells[i].length).map(() => el("td", { class: "hd-none" }));
      return el("tr", {}, edgeCell(word, { scope: "row", "data-row": i }), ...cells[i], ...masked);
    });
    table.replaceChildren(
      el("caption", { class: "hd-spoken", text: caption }),
      el("thead", {}, el("tr", {}, el("td", {}), ...this.columnHeads)),
      el("tbody", {}, ...lines),
    );
  }

  /**
   * Highlight a row and a column, and the cell that both share.
   * @param {number | null} row
   * @param {number | null} column
   */
  mark(row, column) {
    Array.from(this.table.tBodies[0]?.rows ?? []).forEach((line, i) => line.classList.toggle("hd-now", i === row));
    this.cells.forEach((line, i) =>
      line.forEach((cell, j) => cell.classList.toggle("hd-cell", i === row && j === column)),
    );
    this.columnHeads.forEach((head, j) => head.classList.toggle("hd-now", j === column));
  }
}

/** @param {string} word @param {Record<string, string | number>} attributes */
const edgeCell = (word, attributes) => el("th", attributes, el("span", { text: word, title: word }));

/** The cell of an event in a large map. @param {Event} event @returns {Cell} */
function cellOf({ target }) {
  const cell = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-row]"));
  return cell
    ? [Number(cell.dataset.row), cell.dataset.column === undefined ? null : Number(cell.dataset.column)]
    : [null, null];
}

/** @param {number[][]} weights @param {Theme} theme */
function cellsOf(weights, theme) {
  const { fill, ink } = heat(theme);
  return weights.map((row, i) =>
    row.map((weight, j) => {
      const tone = shade(weight, 1);
      const cell = el("td", { "data-row": i, "data-column": j, tabindex: i || j ? -1 : 0, text: cellText(weight) });
      Object.assign(cell.style, { background: fill[tone], color: ink[tone] });
      return cell;
    }),
  );
}

/**
 * An element for each head, in a grid of layers and heads.
 * @param {Head[]} heads by layer
 * @param {HTMLElement[]} elements
 */
export function headGrid(heads, elements) {
  const columns = Math.max(...heads.map(({ head }) => head)) + 1;
  const grid = el("div", { class: "hd-grid" }, el("span", {}));
  grid.style.setProperty("--hd-heads", String(columns));
  for (let head = 0; head < columns; head++)
    grid.append(el("span", { class: "hd-edge", text: t("head {head}", { head }) }));
  heads.forEach(({ layer, head }, i) => {
    if (head === 0) grid.append(el("span", { class: "hd-edge hd-layer", text: t("layer {layer}", { layer }) }));
    grid.append(elements[i]);
  });
  return grid;
}

/** @param {string[]} words */
const longest = (words) => Math.max(...words.map((word) => word.length));

/**
 * A function of words: the width of the widest in em, in the page's font and as bold as the highlighted row.
 * @param {CSSStyleDeclaration} style
 * @returns {(words: string[]) => number}
 */
function edgeWidths({ fontSize, fontFamily }) {
  ruler.font = `700 ${fontSize} ${fontFamily}`;
  const em = Number.parseFloat(fontSize);
  return (words) => Math.min(Math.max(...words.map((word) => ruler.measureText(word).width / em)), WIDEST);
}

/**
 * A weight as text that fits a cell.
 * @param {number} weight
 */
function cellText(weight) {
  if (weight >= 0.995) return "1";
  return weight >= 0.005 ? weight.toFixed(2).slice(1) : "";
}
