// The source words on the colours of their weights.

import { shade } from "../core/heat.js";
import { SLANT } from "../core/layout.js";
import { fit, fontOf } from "./text.js";

/** @import { Geometry, Pen, Shown, Span } from "../core/types.d.ts" */

/**
 * The source words on the colours of their weights; slanted, with the colours in a strip below, in narrow columns.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {number[]} values the weights to colour by
 * @param {Span | null} span
 * @param {Pick<Shown, "scale" | "unknown" | "source">} look
 */
export function drawWords(pen, g, values, span, look) {
  const { ctx, colors, heat } = pen;
  const { y, h, slant, font, bar, most } = g.words;
  for (let s = 0; s < g.n; s++) {
    const inside = span && s >= span.lo - 0.5 && s <= span.hi + 0.5;
    const tone = shade(values[s], look.scale);
    const left = g.left(s) + 1;
    const width = g.col - 2;
    const top = slant ? y + h - bar : y;
    ctx.fillStyle = inside ? heat.fill[tone] : colors.outside;
    ctx.beginPath();
    ctx.roundRect(left, top, width, slant ? bar : h, 5 * g.u);
    ctx.fill();
    const strong = inside && values[s] === Math.max(...values);
    ctx.font = fontOf(pen, font, strong ? 700 : 500);
    ctx.fillStyle = slant ? (inside ? colors.ink : colors.dim) : inside ? heat.ink[tone] : colors.dim;
    const unknown = look.unknown.has(s);
    if (slant) {
      ctx.save();
      ctx.translate(g.x(s) - 2 * g.u, top - 9 * g.u);
      ctx.rotate(-SLANT);
      ctx.textAlign = "left";
      word(ctx, fit(ctx, look.source[s], most), 0, 0, unknown, font, "left");
      ctx.restore();
    } else {
      ctx.textAlign = "center";
      word(ctx, fit(ctx, look.source[s], width - 4 * g.u), g.x(s), y + h / 2, unknown, font, "center");
    }
  }
}

/**
 * A word; one outside the vocabulary is underlined with a wavy line, as by a spelling checker.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {boolean} unknown
 * @param {number} font
 * @param {"left" | "center"} align
 */
function word(ctx, text, x, y, unknown, font, align) {
  ctx.fillText(text, x, y);
  if (!unknown) return;
  const width = ctx.measureText(text).width;
  const left = align === "center" ? x - width / 2 : x;
  ctx.strokeStyle = ctx.fillStyle;
  ctx.lineWidth = 1.4;
  ctx.beginPath();
  for (let i = 0; i <= width; i += 3) ctx.lineTo(left + i, y + font * 0.62 + (i % 6 ? 1.6 : -1.6));
  ctx.stroke();
}
