// The alignment matrix on a canvas: a row for each target word, a column for each source word.

import { shade } from "../core/heat.js";
import { isLabelled } from "../core/layout.js";
import { fit, fontOf } from "./text.js";

/**
 * @import { Display, MapGeometry, Pen, Row, Span } from "../core/types.d.ts"
 *
 * @typedef {Pick<Display, "step" | "heat" | "scale" | "local" | "cell">} Heat
 * @typedef {Pick<MapGeometry, "u" | "x" | "left" | "col" | "y" | "rowHeight">} Grid where the cells are
 */

const READABLE = 14; // CSS pixels: the target words
const LATER = 0.34; // side of the cell of a later step, relative to a full one

/**
 * Cells, window edges and the path of p_t. Every step has the same colour scale; later steps have smaller cells.
 * @param {Pen} pen
 * @param {Grid} g
 * @param {Row[]} rows
 * @param {Heat} display
 */
export function drawMap(pen, g, rows, display) {
  const { ctx, colors } = pen;
  const { y, rowHeight, left, col } = g;
  rows.forEach((row, i) => {
    drawCells(pen, g, row, display, y + i * rowHeight, i <= display.step ? 1 : LATER);
  });
  if (display.local) drawEdges(pen, g, rows, display);
  if (display.local && rows.some(({ center }) => center !== null)) drawPath(pen, g, rows, display);
  if (display.cell) {
    ctx.strokeStyle = colors.ink;
    ctx.lineWidth = 1.5;
    ctx.strokeRect(left(display.cell.column) + 1, y + display.cell.row * rowHeight + 1.5, col - 2, rowHeight - 3);
  }
}

/**
 * Whether a position has a colour: in the window, or with a weight that was set by hand outside it.
 * @param {Span} span @param {number} s @param {number} weight
 */
export const visible = (span, s, weight) => (s >= span.lo - 0.5 && s <= span.hi + 0.5) || weight > 0;

/**
 * @param {Pen} pen
 * @param {Grid} g
 * @param {Row} row
 * @param {Heat} display
 * @param {number} y
 * @param {number} share
 */
function drawCells({ ctx, heat }, { x, col, rowHeight }, row, display, y, share) {
  if (!row.span) return;
  const gap = Math.min(rowHeight > 18 ? 1 : 0.5, col / 8);
  const small = share * Math.min(col, rowHeight);
  const [w, h] = share < 1 ? [small, small] : [col - 2 * gap, rowHeight - 2 * gap];
  for (let s = 0; s < row[display.heat].length; s++) {
    if (!visible(row.span, s, row[display.heat][s])) continue;
    ctx.fillStyle = heat.fill[shade(row[display.heat][s], display.scale)];
    ctx.fillRect(x(s) - w / 2, y + (rowHeight - h) / 2, w, h);
  }
}

/**
 * The hard edges of the window as two staircases.
 * @param {Pen} pen
 * @param {Grid} g
 * @param {Row[]} rows
 * @param {Heat} display
 */
function drawEdges({ ctx, colors }, g, rows, display) {
  const { y, rowHeight, left } = g;
  ctx.strokeStyle = colors.window;
  ctx.lineWidth = 1.5 * g.u;
  for (const side of ["lo", "hi"]) {
    for (const [from, to, alpha] of [
      [0, display.step, 1],
      [display.step + 1, rows.length - 1, 0.4],
    ]) {
      ctx.globalAlpha = alpha;
      ctx.beginPath();
      let pen = false;
      for (let i = from; i <= to; i++) {
        const span = rows[i].span;
        if (!span) {
          pen = false;
          continue;
        }
        const x = left(side === "lo" ? span.lo : span.hi + 1);
        if (pen) ctx.lineTo(x, y + i * rowHeight);
        else ctx.moveTo(x, y + i * rowHeight);
        ctx.lineTo(x, y + (i + 1) * rowHeight);
        pen = true;
      }
      ctx.stroke();
    }
  }
  ctx.globalAlpha = 1;
}

/**
 * The path of p_t: a line with a dot for each step. A pale outline keeps it visible on dark cells.
 * @param {Pen} pen
 * @param {Grid} g
 * @param {Row[]} rows
 * @param {Heat} display
 */
function drawPath({ ctx, colors }, g, rows, display) {
  const { x, y, rowHeight } = g;
  /** @returns {[x: number, y: number]} */
  const spot = (/** @type {number} */ i) => [x(rows[i].center ?? 0), y + (i + 0.5) * rowHeight];
  const last = Math.min(display.step, rows.length - 1);
  ctx.lineJoin = "round";
  for (const rim of [true, false]) {
    ctx.strokeStyle = rim ? colors.surface : colors.window;
    ctx.lineWidth = (rim ? 4.5 : 2) * g.u;
    ctx.beginPath();
    for (let i = 0; i <= last; i++) ctx.lineTo(...spot(i));
    ctx.stroke();
  }
  for (let i = 0; i < rows.length; i++) {
    const size = Math.min(rowHeight * 0.2, 4.5 * g.u) * (i === display.step ? 1.35 : 1);
    ctx.globalAlpha = i <= last ? 1 : 0.45;
    ctx.fillStyle = colors.window;
    ctx.strokeStyle = colors.surface;
    ctx.lineWidth = 1.5 * g.u;
    ctx.beginPath();
    ctx.arc(...spot(i), size, 0, 7);
    ctx.fill();
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/**
 * The target words beside their rows, with an arrow at the current one.
 * @param {Pen} pen
 * @param {MapGeometry} g
 * @param {string[]} target
 * @param {number} step
 */
export function drawTargets(pen, g, target, step) {
  const { ctx, colors } = pen;
  const { y, rowHeight } = g;
  const { right, most } = g.targets;
  const size = Math.min(Math.max(rowHeight * 0.72, READABLE), 16 * g.u);
  const every = Math.ceil((0.9 * size) / rowHeight); // rows that a word needs
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  ctx.fillStyle = colors.ink;
  const middle = y + (step + 0.5) * rowHeight;
  ctx.beginPath();
  ctx.moveTo(right + 4 * g.u, middle - 5 * g.u);
  ctx.lineTo(right + 11 * g.u, middle);
  ctx.lineTo(right + 4 * g.u, middle + 5 * g.u);
  ctx.fill();
  for (let i = 0; i < g.rows; i++) {
    const current = i === step;
    if (!isLabelled(i, step, every)) continue;
    ctx.font = fontOf(pen, size, current ? 700 : 450);
    ctx.fillStyle = i <= step ? colors.ink : colors.dim;
    ctx.fillText(fit(ctx, target[i], most), right, y + (i + 0.5) * rowHeight + 0.5);
  }
}
