// The layout of the stage: one grid with a column per source word, shared by the bars, the words and the heatmap.

import { t } from "./messages.js";

/** @import { BarRow, Geometry, Kind, LayOutOptions, Spot } from "./types.d.ts" */

const NARROWEST = 22; // minimum column width for touch; the stage scrolls if there is less room
const WIDEST = 210;

/**
 * The geometry of the stage in CSS pixels.
 * `width`: room for gutter and columns; `u`: 1/16 of the font size; `v`: the factor by which the bars are taller than usual;
 * `rows`: the bar rows to show (see `barRows`): {key, name}, and height and aside if not the default;
 * `farthest`: the largest p_t, which may lie beyond the last word.
 * @param {LayOutOptions} layOutOptions
 * @returns {Geometry}
 */
export function layOut({ width, u, v, source, targets, rows, farthest, measure }) {
  const n = Math.max(source.length, 1);
  const narrow = width < 560;
  const gutter = Math.round(narrow ? 84 * u : 138 * u);
  const edge = Math.round(6 * u);
  const room = width - gutter - 2 * edge;
  const spare = Math.min(Math.max(farthest - (n - 0.5) + 0.15, 0), 0.65);
  const font = (narrow ? 16 : 19) * u;
  const widths = source.map((word) => measure(word, font));
  let col = Math.min(Math.max(room / (n + spare), NARROWEST), WIDEST * u);
  const angled = Math.max(...widths, 0) > col - 8 * u;
  const small = Math.max(...widths, 0) * ((14 * u) / font) <= col - 6 * u;
  const slant = angled && !small;
  const wordFont = !angled ? font : small ? 14 * u : Math.min(16.5 * u, Math.max(col * 0.72, 13 * u));
  if (slant) {
    // The slanted last words extend to the right.
    const lean = Math.min(Math.max(...widths) * (wordFont / font), 120 * u) * Math.cos(SLANT) * 0.55;
    col = Math.min(Math.max((room - Math.min(lean, room * 0.12)) / (n + spare), NARROWEST), WIDEST * u);
  }
  const longest = Math.max(...widths, 0) * (wordFont / font);
  const wordsHeight = slant ? Math.min(longest, 132 * u) * Math.sin(SLANT) + 1.5 * wordFont + 12 * u : 46 * u;

  let y = Math.round(6 * u);
  const bars = rows.map((row) => {
    if (row.key === "gaussian") y += Math.round(10 * u); // for the name of p_t
    const h = Math.round((row.height ?? HEIGHTS[row.key]) * u * v);
    const placed = { ...row, y, h };
    y += h + Math.round(14 * u * v);
    return placed;
  });
  const ruler = { y, h: Math.round(30 * u) };
  y += ruler.h;
  const words = { y, h: Math.round(wordsHeight), slant, font: wordFont, most: 132 * u, bar: Math.round(12 * u) };
  y += words.h + Math.round(7 * u);
  const split = y; // the upper canvas ends here and the heatmap's begins
  y += Math.round(7 * u);
  const rowHeight = Math.round(Math.min(Math.max((440 * u * v) / Math.max(targets, 1), 18 * u), 36 * u * v));
  const map = { y, rowHeight, rows: targets };
  y += rowHeight * targets + Math.round(10 * u);
  return {
    u, narrow, gutter, edge, col, n, bars, ruler, words, map,
    width: width - gutter,
    content: Math.max(width - gutter, Math.ceil(2 * edge + col * (n + spare))),
    split,
    height: y,
    x: (s) => edge + (s + 0.5) * col,
    left: (s) => edge + s * col,
    column: (x) => Math.floor((x - edge) / col),
  };
}

export const SLANT = (42 * Math.PI) / 180;

/** @type {Record<string, number>} */
const HEIGHTS = { scores: 76, alignment: 76, gaussian: 72, weights: 88 };

/**
 * The bar rows of one attention step. `kind`: {bell, mode, hard, mean}. Without a Gaussian the attention weights are the
 * alignment weights; those of hard attention are 1 at one word. A mean over heads has weights only.
 * @param {Kind} kind
 * @returns {BarRow[]}
 */
export function barRows({ bell, mode, hard = false, mean = 0 }) {
  if (mean) return [{ key: "weights", name: t("weights") }];
  const score = { key: "scores", name: t("score") };
  const gauss = { key: "gaussian", name: t("× Gaussian"), short: t("× Gauss") };
  const alignment = { key: "alignment", name: t("alignment") };
  const weights = { key: "weights", name: bell && !hard ? t("= weights") : t("weights") };
  if (!bell) return hard ? [score, alignment, weights] : [score, weights];
  if (mode === "on_scores") return hard ? [score, gauss, alignment, weights] : [score, gauss, weights];
  return [score, alignment, gauss, weights];
}

/**
 * The part of the plot at a point: {part: "map" | "column", row, column} or null.
 * @param {Geometry} g
 * @param {number} x
 * @param {number} y
 * @returns {Spot | null}
 */
export function hit(g, x, y) {
  const column = g.column(x);
  if (column < 0 || column >= g.n) return null;
  if (y < g.map.y - 4) return { part: "column", column };
  const row = Math.floor((y - g.map.y) / g.map.rowHeight);
  return row >= 0 && row < g.map.rows ? { part: "map", row, column } : null;
}
