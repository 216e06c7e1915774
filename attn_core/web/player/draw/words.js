// The source words on the colours of their weights.

import { shade } from "../core/heat.js";
import { GLOSS, isLabelled } from "../core/layout.js";
import { visible } from "./heatmap.js";
import { fit, fitOrDrop, fontOf } from "./text.js";

/** @import { Geometry, Pen, Shown, Span, WordsRow } from "../core/types.d.ts" */

/** @typedef {Pick<Geometry, "u" | "col" | "x" | "left"> & { words: WordsRow }} Columns */

/**
 * The source words on the colours of their weights; slanted, with the colours in a strip below, in narrow columns.
 * @param {Pen} pen
 * @param {Columns} columns those of the bars or of the heatmap
 * @param {number[]} values the weights to colour by
 * @param {Span | null} span
 * @param {Pick<Shown, "scale" | "unknown" | "source">} look
 */
export function drawWords(pen, { u, words, col, x, left: leftOf }, values, span, look) {
  const { ctx, colors, heat } = pen;
  const { y, h, angle, font, bar } = words;
  const largest = span ? values.findIndex((value) => value === Math.max(...values)) : -1;
  const strongest = span && largest >= 0 && values[largest] > 0 && visible(span, largest, values[largest]) ? largest : -1;
  for (let s = 0; s < values.length; s++) {
    const inside = span && visible(span, s, values[s]);
    const tone = shade(values[s], look.scale);
    const left = leftOf(s) + 1;
    const width = col - 2;
    const top = angle ? y + h - bar : y;
    ctx.fillStyle = inside ? heat.fill[tone] : colors.outside;
    ctx.beginPath();
    ctx.roundRect(left, top, width, angle ? bar : h, 5 * u);
    ctx.fill();
    if (!isLabelled(s, strongest, words.every)) continue;
    const strong = s === strongest;
    ctx.font = fontOf(pen, font, strong ? 700 : 500);
    ctx.fillStyle = angle ? (inside ? colors.ink : colors.dim) : inside ? heat.ink[tone] : colors.dim;
    const unknown = look.unknown.has(s);
    const gloss = words.gloss?.[s];
    if (angle) {
      const most = Math.min(words.most, angle < Math.PI / 2 ? (words.end - x(s)) / Math.cos(angle) : Infinity);
      ctx.save();
      ctx.translate(x(s) - (angle < Math.PI / 2 ? 2 * u : 0), top - 9 * u);
      ctx.rotate(-angle);
      ctx.textAlign = "left";
      const text = fit(ctx, look.source[s], most);
      word(ctx, text, 0, 0, unknown, font, "left");
      const end = ctx.measureText(text).width + GLOSS.gap * u;
      if (gloss) {
        [ctx.font, ctx.fillStyle] = [fontOf(pen, GLOSS.font * u), colors.dim];
        ctx.fillText(fitOrDrop(ctx, gloss, most - end), end, 0);
      }
      ctx.restore();
    } else {
      ctx.textAlign = "center";
      const middle = y + h * (gloss ? 0.34 : 0.5);
      word(ctx, fit(ctx, look.source[s], width - 4 * u), x(s), middle, unknown, font, "center");
      if (gloss) {
        ctx.font = fontOf(pen, GLOSS.font * u);
        ctx.fillText(fitOrDrop(ctx, gloss, width - 4 * u), x(s), y + h * 0.76);
      }
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
  ctx.lineWidth = 1.2;
  ctx.beginPath();
  for (let i = 0; i <= width; i += 3) ctx.lineTo(left + i, y + font * 0.52 + (i % 6 ? 1.2 : -1.2));
  ctx.stroke();
}
