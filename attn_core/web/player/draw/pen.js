// What a canvas is drawn with: the colours and the font of the page around it, sharp on every screen.

import { heat } from "../core/heat.js";

const COLORS = [
  "ink", "dim", "line", "surface", "hatch", "outside", "score", "alignment", "weight",
  "window", "windowSoft", "windowText", "onWindow", "lost",
];

/** Colours, font and heat of a theme, read from the computed style of a player's frame. */
export function penOf(style, theme) {
  const colors = Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(variable(name)).trim()]));
  return { colors, family: style.fontFamily, heat: heat(theme) };
}

/** A 16th of the size of the text. */
export const unitOf = (style) => Number.parseFloat(style.fontSize) / 16;

function variable(name) {
  return `--ap-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Fit a canvas to CSS pixels and wipe it. */
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
