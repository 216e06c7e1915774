// One hue for heat, with lightness in even steps (OKLCH), so that equal differences of weight look equally large.

import { HEAT, ON_HEAT } from "./palette.js";
import { remembered } from "./remembered.js";

/** @import { Heat, RGB, Theme } from "./types.d.ts" */
/** @import { Ramp } from "./palette.js" */

const STEPS = 256;

const heatOf = remembered(makeHeat); // which takes 2 to 4 ms

/**
 * {fill: 256 CSS colours, ink: the text colour for each, stops: a CSS gradient} of a theme, "light" or "dark".
 * @param {Theme} theme
 */
export const heat = (theme) => heatOf(HEAT[theme]);

/**
 * Index into a heat table of `value` on a scale from 0 to `most`.
 * @param {number} value
 * @param {number} most
 */
export function shade(value, most) {
  return Math.round(Math.min(Math.max(value / most, 0), 1) * (STEPS - 1));
}

/**
 * @param {Ramp} ramp
 * @returns {Heat}
 */
function makeHeat({ from, chroma, to }) {
  /** @type {string[]} */
  const fill = [];
  /** @type {string[]} */
  const ink = [];
  for (let i = 0; i < STEPS; i++) {
    const k = i / (STEPS - 1);
    const [l, , h] = from.map((a, n) => a + (to[n] - a) * k);
    // Highest in the middle, so that it is not grey
    const c = from[1] * (1 - k) ** 2 + 2 * chroma * k * (1 - k) + to[1] * k * k;
    const rgb = inGamut(l, c, h);
    fill.push(`rgb(${rgb.map((v) => Math.round(v * 255)).join(" ")})`);
    ink.push(contrast(rgb, [1, 1, 1]) > contrast(rgb, [0, 0, 0]) ? ON_HEAT.bright : ON_HEAT.dark); // at least 4.5
  }
  const stops = `linear-gradient(90deg, ${[0, 64, 128, 192, 255].map((i) => fill[i]).join(", ")})`;
  return { fill, ink, stops };
}

/**
 * sRGB of an OKLCH colour, with its chroma reduced until it is in gamut.
 * @param {number} l
 * @param {number} c
 * @param {number} h
 * @returns {RGB}
 */
function inGamut(l, c, h) {
  for (let chroma = c; ; chroma -= 0.004) {
    const rgb = oklch(l, Math.max(chroma, 0), h);
    if (chroma <= 0 || rgb.every((v) => v >= -0.0005 && v <= 1.0005))
      return asRGB(rgb.map((v) => Math.min(Math.max(v, 0), 1)));
  }
}

/**
 * @param {number} l
 * @param {number} c
 * @param {number} h
 * @returns {RGB}
 */
function oklch(l, c, h) {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return asRGB(
    [
      4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
      -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
      -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
    ].map((v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)),
  );
}

/**
 * WCAG contrast of two sRGB colours.
 * @param {RGB} one
 * @param {RGB} other
 */
function contrast(one, other) {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

/** @param {RGB} rgb */
export function luminance(rgb) {
  const [r, g, b] = rgb.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * Three numbers as a colour.
 * @param {number[]} values
 * @returns {RGB}
 */
export function asRGB([r, g, b]) {
  return [r, g, b];
}
