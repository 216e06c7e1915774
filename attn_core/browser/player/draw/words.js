// The source words on the colours of their weights.

import { shade } from "../core/heat.js";
import { GLOSS, isLabelled, labelsOf } from "../core/layout.js";
import { visible } from "./heatmap.js";
import { fit, fitOrDrop, fontOf } from "./text.js";

/** @import { Display, Geometry, Pen, Span, WordsRow } from "../core/types.d.ts" */

/** @typedef {Pick<Geometry, "u" | "col" | "x" | "left"> & { words: WordsRow }} Columns */

/**
 * The source words on the colours of their weights; slanted, with the colours in a strip below, in narrow columns. The
 * colours of the pieces of a word touch each other, in a strip below its text.
 * @param {Pen} pen
 * @param {Columns} columns those of the bars or of the heatmap
 * @param {number[]} values the weights to colour by
 * @param {Span | null} span
 * @param {Pick<Display, "scale" | "unknown" | "source" | "words" | "byPieces">} display
 */
export function drawWords(pen, columns, values, span, display) {
  const isStrip = Boolean(columns.words.angle || display.words);
  drawColors(pen, columns, values, span, display, isStrip);
  const most = Math.max(...values);
  const labels = labelsOf(display.source, columns.words.gloss, display.byPieces ? null : display.words).map((label) => {
    const tokens = Array.from({ length: label.count }, (_, i) => label.first + i);
    const heaviest = tokens.reduce((best, s) => (values[s] > values[best] ? s : best));
    const inside = span !== null && tokens.some((s) => visible(span, s, values[s]));
    const strong = inside && most > 0 && values[heaviest] === most;
    return {
      label,
      shown: {
        isStrip,
        inside,
        strong,
        tone: shade(values[heaviest], display.scale),
        unknown: tokens.some((s) => display.unknown.has(s)),
      },
    };
  });
  const strongest = labels.find(({ shown }) => shown.strong)?.label.first ?? -1;
  for (const { label, shown } of labels)
    if (isLabelled(label.first, strongest, columns.words.every)) drawLabel(pen, columns, label, shown);
}

/**
 * @param {Pen} pen
 * @param {Columns} columns
 * @param {number[]} values
 * @param {Span | null} span
 * @param {Pick<Display, "scale" | "words">} display
 * @param {boolean} isStrip
 */
function drawColors({ ctx, colors, heat }, { u, words: { y, h, bar }, left }, values, span, display, isStrip) {
  const [top, height] = isStrip ? [y + h - bar, bar] : [y, h];
  const inner = new Set(
    display.words?.flatMap(({ first, count }) => Array.from({ length: count - 1 }, (_, i) => first + 1 + i)),
  ); // pieces within a word
  for (let s = 0; s < values.length; s++) {
    const [from, to] = [left(s) + (inner.has(s) ? 0 : 1), left(s + 1) - (inner.has(s + 1) ? 0 : 1)];
    const [before, after] = [inner.has(s) ? 0 : 5 * u, inner.has(s + 1) ? 0 : 5 * u];
    ctx.fillStyle = span && visible(span, s, values[s]) ? heat.fill[shade(values[s], display.scale)] : colors.outside;
    ctx.beginPath();
    ctx.roundRect(from, top, to - from, height, [before, after, after, before]);
    ctx.fill();
  }
}

/**
 * A word over its columns, with its gloss.
 * @param {Pen} pen
 * @param {Columns} columns
 * @param {ReturnType<typeof labelsOf>[number]} label
 * @param {{ isStrip: boolean, inside: boolean, strong: boolean, tone: number, unknown: boolean }} style `tone`: of the
 * colour behind it, unless that is a strip
 */
function drawLabel(pen, { u, words, col, x }, { text, gloss, at, count }, { isStrip, inside, strong, tone, unknown }) {
  const { ctx, colors, heat } = pen;
  const { y, h, angle, font, bar } = words;
  ctx.font = fontOf(pen, font, strong ? 700 : 500);
  ctx.fillStyle = !inside ? colors.dim : isStrip ? colors.ink : heat.ink[tone];
  if (angle) {
    const most = Math.min(words.most, angle < Math.PI / 2 ? (words.end - x(at)) / Math.cos(angle) : Infinity);
    ctx.save();
    ctx.translate(x(at) - (angle < Math.PI / 2 ? 2 * u : 0), y + h - bar - 9 * u);
    ctx.rotate(-angle);
    ctx.textAlign = "left";
    const shown = fit(ctx, text, most);
    word(ctx, shown, 0, 0, unknown, font, "left");
    const end = ctx.measureText(shown).width + GLOSS.gap * u;
    if (gloss) {
      [ctx.font, ctx.fillStyle] = [fontOf(pen, GLOSS.font * u), colors.dim];
      ctx.fillText(fitOrDrop(ctx, gloss, most - end), end, 0);
    }
    ctx.restore();
    return;
  }
  const [room, height] = [count * col - 2 - 4 * u, isStrip ? h - bar : h];
  ctx.textAlign = "center";
  word(ctx, fit(ctx, text, room), x(at), y + height * (gloss ? 0.34 : 0.5), unknown, font, "center");
  if (!gloss) return;
  ctx.font = fontOf(pen, GLOSS.font * u);
  ctx.fillText(fitOrDrop(ctx, gloss, room), x(at), y + height * 0.76);
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
