// Vectors as strips of cells, and a matrix to scale with one of its rows.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { context2d } from "../../../attn_core/web/player/draw/pen.js";
import { digits } from "./names.js";

const LARGEST = 110; // CSS pixels of a matrix's longer side

/**
 * A vector as a strip, from negative to positive; a click opens the number under the pointer.
 * @param {number[]} values
 * @param {{ label: string, place?: number, open?: (place: number) => void }} given `place`: of the number that is marked
 */
export function strip(values, { label, place, open }) {
  const canvas = el("canvas", { class: "no-strip", role: "img", "aria-label": label, title: label });
  /** The place of the number under the pointer, which may be on the border. @param {MouseEvent} event */
  const under = ({ offsetX }) => Math.max(0, Math.min(Math.floor((offsetX / canvas.clientWidth) * values.length), values.length - 1));
  canvas.addEventListener("pointermove", (event) => {
    canvas.title = `${label}, ${under(event)}: ${digits(values[under(event)])}`;
  });
  if (open) {
    canvas.classList.add("no-opens");
    canvas.addEventListener("click", (event) => open(under(event)));
  }
  requestAnimationFrame(() => drawStrip(canvas, values, place));
  return canvas;
}

/** @param {HTMLCanvasElement} canvas @param {number[]} values @param {number} [place] */
function drawStrip(canvas, values, place) {
  const style = getComputedStyle(canvas);
  const ratio = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const ctx = context2d(canvas);
  ctx.scale(ratio, ratio);
  const most = Math.max(...values.map(Math.abs), 1e-12);
  const cell = width / values.length;
  values.forEach((value, i) => {
    ctx.fillStyle = style.getPropertyValue(value < 0 ? "--ap-window" : "--ap-weight");
    ctx.globalAlpha = Math.abs(value) / most;
    ctx.fillRect(i * cell, 0, Math.max(cell, 0.5), height);
  });
  ctx.globalAlpha = 1;
  if (place === undefined) return;
  ctx.strokeStyle = style.getPropertyValue("--ap-ink");
  ctx.lineWidth = 2;
  ctx.strokeRect(Math.max(place * cell - 1, 1), 1, Math.max(cell, 3) + 1, height - 2);
}

/**
 * A matrix to scale, with the row that was used.
 * @param {string} name @param {number[]} shape @param {number} row
 */
export function matrix(name, [rows, columns], row) {
  const unit = LARGEST / Math.max(rows, columns);
  const box = el("span", { class: "no-matrix" }, el("span", { class: "no-matrix-row" }));
  box.style.width = `${Math.max(columns * unit, 6)}px`;
  box.style.height = `${Math.max(rows * unit, 6)}px`;
  box.style.setProperty("--no-at", String(row / Math.max(rows - 1, 1)));
  const text = t("row {row} of {name}, {rows} × {columns}", { row, name, rows, columns });
  return el("figure", { class: "no-figure" }, box, el("figcaption", { text }));
}
