// A model without attention: the source is encoded into one vector, from which every target word is decoded.

import { t } from "../core/messages.js";
import { fit, fontOf } from "./text.js";

/** @import { Pen } from "../core/types.d.ts" */

/** @typedef {{ source: string[], unknown: Set<number>, target: string[], step: number }} Sentence */

/**
 * The sentence as a funnel up to the decoding step `step`. It shows no numbers, since the vector has no weights.
 * @param {Pen} pen
 * @param {number} width
 * @param {number} height
 * @param {number} u
 * @param {Sentence} sentence
 */
export function drawFunnel(pen, width, height, u, { source, unknown, target, step }) {
  const { ctx, colors } = pen;
  const n = Math.max(source.length, 1);
  const narrow = width < 620 * u;
  const x = { words: width * (narrow ? 0.32 : 0.27), vector: width * 0.5, out: width * (narrow ? 0.68 : 0.73) };
  const middle = height / 2;
  const pitch = Math.min((height - 24 * u) / n, 40 * u);
  const box = { w: 34 * u, h: Math.min(height - 40 * u, 200 * u) };
  const size = Math.min(Math.max(pitch * 0.62, Math.min(14 * u, pitch * 0.92)), 20 * u);
  ctx.textBaseline = "middle";
  ctx.lineWidth = Math.min(2 * u, pitch * 0.14);
  source.forEach((word, s) => {
    const y = middle + (s - (n - 1) / 2) * pitch;
    ctx.font = fontOf(pen, size, 500);
    ctx.fillStyle = unknown.has(s) ? colors.dim : colors.ink;
    ctx.textAlign = "right";
    const text = fit(ctx, unknown.has(s) ? `${word} ?` : word, x.words - 14 * u);
    ctx.fillText(text, x.words - 10 * u, y);
    const end = middle + ((s - (n - 1) / 2) / n) * (box.h - 26 * u);
    ctx.strokeStyle = colors.alignment;
    thread(ctx, x.words - 2 * u, y, x.vector - box.w / 2, end);
  });
  ctx.fillStyle = colors.weight;
  ctx.beginPath();
  ctx.roundRect(x.vector - box.w / 2, middle - box.h / 2, box.w, box.h, 8 * u);
  ctx.fill();
  ctx.strokeStyle = colors.surface;
  ctx.lineWidth = 1.5 * u;
  ctx.globalAlpha = 0.55;
  for (let i = 1; i < 8; i++) {
    const y = middle - box.h / 2 + (box.h * i) / 8;
    ctx.beginPath();
    ctx.moveTo(x.vector - box.w / 2 + 5 * u, y);
    ctx.lineTo(x.vector + box.w / 2 - 5 * u, y);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
  drawOutput(pen, u, x, middle, box, target, step, { width, height });
  ctx.font = fontOf(pen, 14 * u);
  ctx.fillStyle = colors.dim;
  ctx.textAlign = "center";
  ctx.fillText(t("fixed-length vector c"), x.vector, narrow ? height - 8 * u : middle + box.h / 2 + 14 * u); // below the lines
}

/**
 * @param {Pen} pen
 * @param {number} u
 * @param {{ vector: number, out: number }} x
 * @param {number} middle
 * @param {{ w: number, h: number }} box
 * @param {string[]} target
 * @param {number} step
 * @param {{ width: number, height: number }} room
 */
function drawOutput(pen, u, x, middle, box, target, step, { width, height }) {
  const { ctx, colors } = pen;
  const n = Math.max(target.length, 1);
  const pitch = Math.min((height - 24 * u) / n, 40 * u);
  const size = Math.min(Math.max(pitch * 0.62, Math.min(14 * u, pitch * 0.92)), 20 * u);
  const room = width - x.out - 14 * u;
  target.forEach((word, i) => {
    if (i > step) return;
    const y = middle + (i - (n - 1) / 2) * pitch;
    const now = i === step;
    ctx.strokeStyle = now ? colors.weight : colors.line;
    ctx.lineWidth = (now ? 3 : 1.5) * Math.min(u, 1.2);
    thread(ctx, x.vector + box.w / 2, middle + ((i - (n - 1) / 2) / n) * (box.h - 26 * u), x.out + 2 * u, y);
    ctx.font = fontOf(pen, size, now ? 700 : 450);
    ctx.fillStyle = now ? colors.ink : colors.dim;
    ctx.textAlign = "left";
    ctx.fillText(fit(ctx, word, room), x.out + 10 * u, y);
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 */
function thread(ctx, x0, y0, x1, y1) {
  const bend = (x1 - x0) * 0.5;
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
  ctx.stroke();
}
