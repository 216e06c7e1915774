// A vector as a strip, and the arrows between vectors.

import { UNITS } from "../core/state-vectors.js";

/**
 * @import { Pen } from "../core/types.d.ts"
 * @typedef {{ x: number, y: number, w: number, h: number }} Box `x`: its middle
 */

export const STRIP = 18; // the width of a strip, in sixteenths of the font size

/**
 * A vector as a strip of its first units: blue if positive, red if negative, stronger if larger.
 * @param {Pen} pen
 * @param {Box} box
 * @param {Float32Array | null} vector null: its numbers are not known
 * @param {number} scale the value of the strongest colour
 * @param {{ shown?: number, most?: number }} [how] how far its colours are there, from 0 to 1, and how many units are
 * drawn
 */
export function drawStrip({ ctx, colors }, { x, y, w, h }, vector, scale, { shown = 1, most = UNITS } = {}) {
  const units = Math.min(vector?.length ?? 0, most);
  const left = Math.round(x - w / 2);
  ctx.fillStyle = colors.surface;
  ctx.fillRect(left, y, w, h);
  for (let k = 0; k < units; k++) {
    const [from, to] = [y + (h * k) / units, y + (h * (k + 1)) / units];
    const value = vector?.[k] ?? 0;
    ctx.globalAlpha = Math.min(Math.abs(value) / scale, 1) ** 0.7 * shown;
    ctx.fillStyle = value < 0 ? colors.negative : colors.weight;
    ctx.fillRect(left, from, w, to - from);
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colors.line;
  ctx.lineWidth = 1;
  ctx.strokeRect(left + 0.5, y + 0.5, w - 1, h - 1);
}

/**
 * An arrow along points, its head at the last one.
 * @param {Pen} pen
 * @param {[x: number, y: number][]} points
 * @param {number} u
 * @param {{ color?: string, isDashed?: boolean }} [how] `isDashed`: from a step before
 */
export function drawArrow({ ctx, colors }, points, u, { color = colors.ink, isDashed = false } = {}) {
  const [[x, y], [fromX, fromY]] = [points[points.length - 1], points[points.length - 2]];
  const angle = Math.atan2(y - fromY, x - fromX);
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.lineWidth = 1.5 * u;
  if (isDashed) ctx.setLineDash([5 * u, 3 * u]);
  ctx.beginPath();
  points.slice(0, -1).forEach(([px, py]) => ctx.lineTo(px, py));
  ctx.lineTo(x - 5 * u * Math.cos(angle), y - 5 * u * Math.sin(angle));
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  for (const turn of [-2.58, 0, 2.58]) {
    const reach = turn ? 9.4 * u : 0;
    ctx.lineTo(x + reach * Math.cos(angle + turn), y + reach * Math.sin(angle + turn));
  }
  ctx.fill();
}
