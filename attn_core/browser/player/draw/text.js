// Text on a canvas: its font, text cut to the available width, and numbers that stay legible over anything.

/** @import { Geometry, Pen } from "../core/types.d.ts" */

/**
 * Font of the canvas: `size` in pixels.
 * @param {Pick<Pen, "family">} pen
 * @param {number} size
 * @param {number} [weight]
 */
export function fontOf(pen, size, weight = 400) {
  return `${weight} ${size}px ${pen.family}`;
}

/**
 * `text` cut so that it fits into `room` pixels in the current font.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number} room
 */
export function fit(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && ctx.measureText(`${letters.join("")}…`).width > room) letters.pop();
  return `${letters.join("")}…`;
}

/**
 * `text` cut as by `fit`; nothing rather than one or two letters of it.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number} room
 */
export function fitOrDrop(ctx, text, room) {
  const shown = fit(ctx, text, room);
  return shown === text || shown.length > 3 ? shown : "";
}

/**
 * Set the font: `size` pixels, or smaller, down to `least`, where `text` is wider than `room` pixels.
 * @param {Pen} pen
 * @param {string} text
 * @param {number} room
 * @param {{ size: number, weight: number, least?: number }} font
 */
export function setFont(pen, text, room, { size, weight, least = 0 }) {
  const { ctx } = pen;
  ctx.font = fontOf(pen, size, weight);
  for (let width; (width = ctx.measureText(text).width) > room && size > least; ctx.font = fontOf(pen, size, weight)) {
    // Widths of hinted fonts are not proportional to sizes
    size = Math.max(Math.min((size * room) / width, 0.98 * size), least);
  }
}

/** @param {Geometry} g */
export function numberSize(g) {
  return Math.max(14 * g.u, g.least ?? 0);
}

/**
 * A number, no wider than its column where every bar has one, with an outline in the background colour that keeps it
 * legible over anything.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} color
 */
export function number(pen, g, text, x, y, color) {
  const { ctx, colors } = pen;
  setFont(pen, text, g.numbers ? g.col : Infinity, { size: numberSize(g), weight: 500 });
  ctx.textAlign = "center";
  ctx.strokeStyle = colors.surface;
  ctx.lineWidth = 3 * g.u;
  ctx.lineJoin = "round";
  ctx.globalAlpha = 0.85;
  ctx.strokeText(text, x, y);
  ctx.globalAlpha = 1;
  ctx.fillStyle = color;
  ctx.fillText(text, x, y);
}
