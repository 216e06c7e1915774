// Attention maps: small ones on a canvas, a large one as a table with its numbers.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { context2d, fitCanvas } from "../../../attn_core/browser/player/draw/pen.js";
import { onKey } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { BigMap, Head, Place } from "./types.d.ts" */

const MOST = 11; // em; longer words at the edges are cut off
const ruler = context2d(document.createElement("canvas"));

/**
 * Draw a map `width` pixels wide with the row `marked` outlined. `colors`: {theme, outside, ink}.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {{ weights: number[][], columns: string[] }} given
 * @param {number | null} marked
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

/**
 * A large map with words at its edges. Calls `onPoint(row, column)` when the pointer moves, `onChoose` at a click.
 * @param {{ onPoint: (...place: Place) => void, onChoose: (row: number, column: number | null) => void }} given
 */
export function createLargeMap({ onPoint, onChoose }) {
  const table = el("table", { class: "hd-big", role: "grid" });
  /** @type {HTMLElement[][]} */
  let cells = [];
  /** @type {HTMLElement[]} */
  let columnHeads = [];
  /** @type {HTMLElement | undefined} the cell that Tab leads to */
  let tabStop;
  table.addEventListener("pointerover", (event) => onPoint(...placeOf(event)));
  table.addEventListener("pointerleave", () => onPoint(null, null));
  table.addEventListener("click", (event) => {
    const [row, column] = placeOf(event);
    if (row !== null) onChoose(row, column);
  });
  table.addEventListener("focusin", (event) => {
    onPoint(...placeOf(event));
    const cell = /** @type {HTMLElement} */ (event.target);
    if (cell === tabStop) return;
    if (tabStop) tabStop.tabIndex = -1;
    tabStop = cell;
    cell.tabIndex = 0;
  });
  table.addEventListener("focusout", () => onPoint(null, null));
  onKey(table, (event) => {
    const [row, column] = placeOf(event);
    if (row === null || column === null) return;
    /** @type {Record<string, [down: number, right: number]>} */
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const chosen = event.key === "Enter" || event.key === " ";
    if (!chosen && !(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys
    if (chosen) return onChoose(row, column);
    const [down, right] = moves[event.key];
    const next = cells[row + down]?.[column + right];
    if (!next) return;
    next.focus();
  });

  /**
   * Show other words or weights; `tall`: words that the upper edge must have room for, if not its own.
   * @param {BigMap} map
   * @param {Theme} theme
   */
  function fill({ rows, columns, weights, caption, tall = columns }, theme) {
    columnHeads = columns.map((word) => el("th", { scope: "col" }, el("span", { text: word, title: word })));
    cells = cellsOf(weights, theme);
    tabStop = cells[0]?.[0];
    const room = edges(getComputedStyle(table));
    const sizes = { columns: columns.length, long: room(rows), tall: room(tall) };
    for (const [name, size] of Object.entries(sizes)) table.style.setProperty(`--hd-${name}`, String(size));
    table.classList.toggle("hd-upright", longest(columns) <= 2);
    table.classList.toggle("hd-many", columns.length > 18);
    table.replaceChildren(
      el("caption", { class: "hd-spoken", text: caption }),
      el("thead", {}, el("tr", {}, el("td", {}), ...columnHeads)),
      el(
        "tbody",
        {},
        ...rows.map((word, i) =>
          el(
            "tr",
            {},
            el("th", { scope: "row", "data-row": i }, el("span", { text: word, title: word })),
            ...cells[i],
            ...columns.slice(cells[i].length).map(() => el("td", { class: "hd-none" })),
          ),
        ),
      ),
    );
  }

  /**
   * Highlight one row, and one cell of it.
   * @param {number | null} row
   * @param {number | null} column
   */
  function mark(row, column) {
    Array.from(table.tBodies[0]?.rows ?? []).forEach((line, i) => line.classList.toggle("hd-now", i === row));
    cells.forEach((line, i) => line.forEach((cell, j) => cell.classList.toggle("hd-cell", i === row && j === column)));
    columnHeads.forEach((head, j) => head.classList.toggle("hd-now", j === column));
  }

  return { table, fill, mark };
}

/** The cell of an event in a large map. @param {Event} event @returns {Place} */
function placeOf({ target }) {
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
function edges({ fontSize, fontFamily }) {
  ruler.font = `700 ${fontSize} ${fontFamily}`;
  const em = Number.parseFloat(fontSize);
  return (words) => Math.min(Math.max(...words.map((word) => ruler.measureText(word).width / em)), MOST);
}

/**
 * A weight as text that fits a cell.
 * @param {number} weight
 */
function cellText(weight) {
  if (weight >= 0.995) return "1";
  return weight >= 0.005 ? weight.toFixed(2).slice(1) : "";
}
