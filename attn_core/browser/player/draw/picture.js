// The picture of one step on a canvas, from the source words over scores and weights to the context vector.

import { axisOf, drawBars, drawBase, drawBell } from "./bars.js";
import { drawFlow, drawStates } from "./flow.js";
import { drawPlumb, drawRuler, drawTag, placeTag } from "./ruler.js";
import { drawWords } from "./words.js";

/** @import { Display, Geometry, Pen, Picture, Vectors } from "../core/types.d.ts" */

/**
 * Draws a row of the trace, or one interpolated between two.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Picture} picture
 * @param {Display} display
 * @param {Vectors | null} [vectors]
 */
export function drawPicture(pen, g, picture, display, vectors = null) {
  const { ctx, colors } = pen;
  ctx.textBaseline = "middle";
  if (display.local) drawOutside(pen, g, picture);
  const center = display.local && picture.center !== null ? picture.center : null;
  const written = picture.goal?.center ?? center;
  const tag =
    center !== null && written !== null
      ? placeTag(pen, g, Number.isInteger(written) ? String(written) : written.toFixed(2), g.x(center))
      : null;
  if (center !== null) drawPlumb(pen, g, center);
  for (const row of g.bars) {
    const axis = axisOf(row, g, display);
    drawBase(pen, g, axis);
    if (row.key === "gaussian") drawBell(pen, g, axis, picture, display, tag);
    else drawBars(pen, g, row, axis, picture, display);
  }
  drawRuler(pen, g, picture, display);
  if (tag) drawTag(pen, tag);
  drawWords(pen, g, picture[display.heat], picture.span, display);
  if (vectors) drawStates(pen, g, vectors, picture, display);
  drawFlow(pen, g, picture, vectors, display);
  if (display.hover !== null) {
    ctx.strokeStyle = colors.ink;
    ctx.globalAlpha = 0.35;
    ctx.lineWidth = 1;
    ctx.strokeRect(Math.round(g.left(display.hover)) + 0.5, 2.5, Math.round(g.col) - 1, g.ruler.y + g.ruler.h - 4);
    ctx.globalAlpha = 1;
  }
}

/**
 * Hatch the positions outside the window, from the alignment down to the ruler; the scores above exist for all words.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Picture} picture
 */
function drawOutside(pen, g, { span }) {
  const rows = g.bars.filter((row) => row.key !== "scores");
  if (!rows.length) return;
  const top = rows[0].y - 4;
  const bottom = g.ruler.y;
  const [from, to] = span ? [g.left(span.lo), g.left(span.hi + 1)] : [g.left(g.n), g.left(g.n)];
  hatch(pen, g, from, to, top, bottom);
}

/**
 * Hatch everything between two heights except from `from` to `to`.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {number} from
 * @param {number} to
 * @param {number} top
 * @param {number} bottom
 */
export function hatch({ ctx, colors }, g, from, to, top, bottom) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(g.left(0), top, Math.max(from - g.left(0), 0), bottom - top);
  ctx.rect(to, top, Math.max(g.left(g.n) - to, 0), bottom - top);
  ctx.clip();
  ctx.strokeStyle = colors.hatch;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = g.left(0) - (bottom - top); x < g.left(g.n); x += 9 * g.u) {
    ctx.moveTo(x, bottom);
    ctx.lineTo(x + (bottom - top), top);
  }
  ctx.stroke();
  ctx.restore();
}
