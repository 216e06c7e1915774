// The positions under the bars, the window as a bracket over them, and p_t at its real position.

import { fontOf } from "./text.js";

/** @import { Display, Geometry, Pen, Picture } from "../core/types.d.ts" */

/**
 * Positions 0, 1, 2 ... with the window as a bracket over them and p_t at its real position.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Picture} picture
 * @param {Display} display
 */
export function drawRuler(pen, g, { span }, display) {
  const { ctx, colors } = pen;
  const y = g.ruler.y + g.ruler.h - 9 * g.u;
  const size = Math.max(14 * g.u, g.least ?? 0);
  ctx.font = fontOf(pen, size);
  ctx.textAlign = "center";
  const every = g.col < 1.5 * size ? 5 : 1;
  for (let s = 0; s < g.n; s += every) {
    const inside = span && s >= span.lo - 0.5 && s <= span.hi + 0.5;
    ctx.fillStyle = display.local && inside ? colors.window : colors.dim;
    ctx.globalAlpha = display.local && !inside ? 0.6 : 1;
    ctx.fillText(String(s), g.x(s), y);
  }
  ctx.globalAlpha = 1;
  if (!display.local || !span) return;
  const top = Math.round(g.ruler.y + 2 * g.u) + 0.5;
  ctx.strokeStyle = colors.window;
  ctx.lineWidth = 2 * g.u;
  const from = g.left(span.lo) + 2;
  const to = g.left(span.hi + 1) - 2;
  ctx.beginPath();
  ctx.moveTo(from, top + 7 * g.u);
  ctx.lineTo(from, top);
  ctx.lineTo(to, top);
  ctx.lineTo(to, top + 7 * g.u);
  ctx.stroke();
}

/**
 * p_t as a vertical line from the Gaussian down to the bracket.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {number} center
 */
export function drawPlumb({ ctx, colors }, g, center) {
  const bracket = Math.round(g.ruler.y + 2 * g.u) + 0.5;
  const x = g.x(center);
  ctx.strokeStyle = ctx.fillStyle = colors.window;
  ctx.lineWidth = 1.5 * g.u;
  ctx.beginPath();
  ctx.moveTo(x, tagRow(g).y);
  ctx.lineTo(x, bracket);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x - 6 * g.u, bracket - 1);
  ctx.lineTo(x + 6 * g.u, bracket - 1);
  ctx.lineTo(x, bracket + 8 * g.u);
  ctx.fill();
}

/** The row over which p_t is written; its line begins there. @param {Geometry} g */
export function tagRow(g) {
  return g.bars.find((bar) => bar.key === "gaussian") ?? g.bars[g.bars.length - 1];
}

/**
 * The label with the value of p_t: its place, and its parts, which go down by `drop`.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {string} value
 * @param {number} x
 */
export function placeTag(pen, g, value, x) {
  const { ctx } = pen;
  const u = Math.max(g.u, (g.least ?? 0) / 14);
  const size = 14 * u;
  /** @type {[text: string, height: number, drop: number][]} */
  const parts = [
    ["p", size, 0],
    ["t", size * 0.72, 3 * u],
    [` = ${value}`, size, 0],
  ];
  const widths = parts.map(([text, height]) => {
    ctx.font = fontOf(pen, height, 700);
    return ctx.measureText(text).width;
  });
  const width = widths[0] + widths[1] + widths[2] + 14 * u;
  const left = Math.min(Math.max(x - width / 2, 1), g.content - width - 1);
  return { left, width, top: tagRow(g).y - 11 * u, height: 20 * u, u, parts, widths };
}

/**
 * Draw the label with the value of p_t.
 * @param {Pen} pen
 * @param {ReturnType<typeof placeTag>} tag
 */
export function drawTag(pen, { left, width, top, height, u, parts, widths }) {
  const { ctx, colors } = pen;
  ctx.fillStyle = colors.window;
  ctx.beginPath();
  ctx.roundRect(left, top, width, height, height / 2);
  ctx.fill();
  ctx.fillStyle = colors.onWindow;
  ctx.textAlign = "left";
  let place = left + 7 * u;
  parts.forEach(([text, height, drop], i) => {
    ctx.font = fontOf(pen, height, 700);
    ctx.fillText(text, place, top + 10.5 * u + drop);
    place += widths[i];
  });
}
