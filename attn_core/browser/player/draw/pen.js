// Drawing on a canvas with the colours and the font of the page around it, sharp at any pixel density.

import { heat } from "../core/heat.js";
import { hasFont } from "../dom/fonts.js";

/** @import { Measure, Paint, Pen, Theme } from "../core/types.d.ts" */

const COLORS = [
  "ink",
  "dim",
  "line",
  "surface",
  "hatch",
  "outside",
  "score",
  "alignment",
  "weight",
  "window",
  "windowSoft",
  "windowText",
  "onWindow",
  "lost",
  "negative",
];

/**
 * Colours, font and heat of a theme, read from the computed style of a player's frame.
 * @param {CSSStyleDeclaration} style
 * @param {Theme} theme
 * @returns {Paint}
 */
export function penOf(style, theme) {
  const colors = Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(variable(name)).trim()]));
  return { colors, family: style.fontFamily, heat: heat(theme) };
}

/**
 * 1/16 of the font size.
 * @param {CSSStyleDeclaration} style
 */
export const unitOf = (style) => Number.parseFloat(style.fontSize) / 16;

/**
 * Reads the style of a player's frame for drawing; its colours and the widths of texts are kept until theme or font
 * change.
 * @param {CanvasRenderingContext2D} ctx
 */
export function styleReader(ctx) {
  /** @type {{ theme: Theme, pen: Pen, measure: Measure, arrived: boolean } | null} */
  let kept = null;
  return (/** @type {HTMLElement} */ frame, /** @type {Theme} */ theme) => {
    const style = getComputedStyle(frame);
    const arrived = hasFont(style.fontFamily);
    if (kept?.theme !== theme || kept.pen.family !== style.fontFamily || kept.arrived !== arrived) {
      kept = { theme, arrived, pen: { ...penOf(style, theme), ctx }, measure: measureIn(ctx, style.fontFamily) };
    }
    return { ...kept, u: unitOf(style) };
  };
}

/**
 * Measures bold texts, each only once.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} family
 * @returns {Measure}
 */
function measureIn(ctx, family) {
  /** @type {Map<string, number>} at a font size of 1 */
  const widths = new Map();
  return (text, size) => {
    let width = widths.get(text);
    if (width === undefined) {
      ctx.font = `700 100px ${family}`;
      width = ctx.measureText(text).width / 100;
      widths.set(text, width);
    }
    return width * size;
  };
}

/** @param {string} name */
function variable(name) {
  return `--ap-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * The 2D context of a canvas. Throws if the browser does not support it.
 * @param {HTMLCanvasElement} canvas
 */
export function context2d(canvas) {
  const ctx = canvas.getContext("2d");
  if (!ctx) throw new Error("this browser does not support canvas drawing");
  return ctx;
}

/**
 * Resize a canvas to CSS pixels and clear it.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} width
 * @param {number} height
 */
export function fitCanvas(canvas, ctx, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.max(Math.round(width * ratio), 1), Math.max(Math.round(height * ratio), 1)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
}
