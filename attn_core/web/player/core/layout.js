// The layout of the stage: one grid with a column per source word, shared by the bars, the words and the heatmap.

import { t } from "./messages.js";

/** @import { BarRow, Geometry, Kind, LayOutOptions, Measure, Spot } from "./types.d.ts" */

const SLANT = (42 * Math.PI) / 180; // of words that are wider than their columns
const STEEP = (62 * Math.PI) / 180; // where they would touch each other otherwise
const UPRIGHT = Math.PI / 2; // where even these would
const LINE = 0.9; // the distance of two words that do not touch each other, relative to their font size
// In sixteenths of the font size.
const MOST = { word: 132, glossed: 176 }; // the width of a slanted word, alone and with its gloss
export const GLOSS = { font: 12.5, gap: 6 };
const NARROWEST = { touch: 22, presented: 12 }; // minimum column width; the stage scrolls if there is less room
export const WIDEST = 210; // a column
export const NARROW = 560; // CSS pixels: a stage this wide or wider is not one of a phone
const SMALLEST = 12; // CSS pixels: numbers on a phone
const NUMBERED = 36; // the narrowest column with a number over its bar, in sixteenths of the font size
const ROOMY = 2.4; // the same where numbers have a smallest font size, relative to it
export const NAMES = 6.2; // the width of the names beside the bars, which have numbers under them, relative to it

/**
 * The geometry of the stage in CSS pixels: the heatmap below the bars, in the same columns.
 * `width`: room for gutter and columns; `u`: 1/16 of the font size; `v`: the factor by which the bars are taller than usual;
 * `rows`: the bar rows to show (see `barRows`): {key, name}, and height and aside if not the default;
 * `farthest`: the largest p_t, which may lie beyond the last word; `least`, in presenter view: the smallest font size of
 * numbers in pixels, whatever u; 0: the usual one (12 on phones, elsewhere none).
 * @param {LayOutOptions} layOutOptions
 * @returns {Geometry}
 */
export function layOut({ width, u, v, source, gloss, targets, rows, farthest, measure, least = 0 }) {
  const n = Math.max(source.length, 1);
  const narrow = width < NARROW;
  const gutter = Math.round(Math.max((narrow ? 84 : 138) * u, NAMES * least));
  const edge = Math.round(6 * u);
  const room = width - gutter - 2 * edge;
  const spare = spareOf(farthest, n);
  const length = lengthsOf(source, gloss, u, measure);
  const narrowest = least ? NARROWEST.presented : NARROWEST.touch;
  let col = Math.min(Math.max(room / (n + spare), narrowest), WIDEST * u);
  const { angle, lean } = wordsIn(col, length, u, narrow);
  if (angle) {
    // The slanted last words extend to the right, on a phone with an ellipsis.
    col = Math.min(Math.max((room - Math.min(lean, room * 0.15)) / (n + spare), narrowest), WIDEST * u);
  }
  const content = Math.max(width - gutter, Math.ceil(2 * edge + col * (n + spare)));
  const placed = column({ u, v, rows, words: { ...wordsIn(col, length, u, narrow), gloss, end: content } });
  let y = placed.split + Math.round(7 * u);
  const rowHeight = Math.round(Math.min(Math.max((440 * u * v) / Math.max(targets, 1), 18 * u), 36 * u * v));
  const x = (/** @type {number} */ s) => edge + (s + 0.5) * col;
  const left = (/** @type {number} */ s) => edge + s * col;
  const map = { x, left, col, y, rowHeight, rows: targets, words: null };
  y += rowHeight * targets + Math.round(10 * u);
  return {
    u, narrow, gutter, edge, col, n, x, left, map, numbers: numbered(col, u, least), least: least || (narrow ? SMALLEST : 0), ...placed,
    targets: { right: gutter - 12 * u, most: gutter - 16 * u },
    width: width - gutter,
    content,
    height: y,
    place: (at) => (at - edge) / col - 0.5,
  };
}

/**
 * Whether a column is wide enough for a number over its bar.
 * @param {number} col
 * @param {number} u
 * @param {number} least
 */
export const numbered = (col, u, least) => col > (least ? ROOMY * least : NUMBERED * u);

/**
 * The part of a column that a p_t beyond the last of `n` words needs.
 * @param {number} farthest
 * @param {number} n
 */
export const spareOf = (farthest, n) => Math.min(Math.max(farthest - (n - 0.5) + 0.15, 0), 0.65);

/**
 * The width of each word at a font size of 1, and of its gloss in its own font (none: 0); and the largest of both.
 * @param {string[]} source
 * @param {string[] | undefined} gloss
 * @param {number} u
 * @param {Measure} measure
 */
export function lengthsOf(source, gloss, u, measure) {
  const each = source.map((word, s) => ({ word: measure(word, 1), gloss: gloss?.[s] ? measure(gloss[s], GLOSS.font * u) : 0 }));
  return { each, word: Math.max(...each.map(({ word }) => word), 0), gloss: Math.max(...each.map((one) => one.gloss), 0) };
}

/**
 * How the source words fit into columns of `col` pixels: their font, their angle, the height of their row, and how far
 * they lean over the right edge of the last column.
 * @param {number} col
 * @param {ReturnType<typeof lengthsOf>} longest
 * @param {number} u
 * @param {boolean} narrow
 */
export function wordsIn(col, { each, word, gloss }, u, narrow) {
  const usual = (narrow ? 16 : 19) * u;
  const room = col - 6 * u;
  const small = word * 14 * u <= room && gloss <= room;
  const fits = word * usual <= room - 2 * u && gloss <= room;
  const slant = !fits && !small;
  const font = fits ? usual : small ? 14 * u : Math.min(16.5 * u, Math.max(col * 0.72, 13 * u), Math.max(col / LINE, SMALLEST));
  const angle = slant ? [SLANT, STEEP].find((one) => col * Math.sin(one) > LINE * font) ?? UPRIGHT : 0;
  const most = (gloss ? MOST.glossed : MOST.word) * u;
  const lengthOf = (/** @type {{ word: number, gloss: number }} */ one) => Math.min(one.word * font + (one.gloss && one.gloss + GLOSS.gap * u), most);
  const h = slant ? lengthOf({ word, gloss }) * Math.sin(angle) + 1.5 * font + 12 * u : 46 * u;
  const beyond = each.map((one, s) => lengthOf(one) * Math.cos(angle) - (each.length - s - 0.5) * col + 4 * u);
  return { h: Math.round(h), angle, font, most, bar: Math.round(12 * u), lean: slant && angle !== UPRIGHT ? Math.max(...beyond, 0) : 0 };
}

/**
 * The bar rows, the ruler and the words, from top to bottom; `split` is where the upper part ends.
 * @param {{ u: number, v: number, rows: BarRow[], words: ReturnType<typeof wordsIn> & { gloss?: string[], end: number } }} given
 */
export function column({ u, v, rows, words }) {
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
  const placed = { ...words, y };
  y += words.h + Math.round(7 * u);
  return { bars, ruler, words: placed, split: y };
}


const PAINTED = 110; // of weights that are set by hand
/** @type {Record<string, number>} */
const HEIGHTS = { scores: 76, alignment: 76, gaussian: 72, weights: 88 };

/**
 * The bar rows of one attention step. `kind`: {bell, mode, hard, mean, paint, edited}. Without a Gaussian the attention weights are the
 * alignment weights; those of hard attention are 1 at one word. A mean over heads has weights only.
 * @param {Kind} kind
 * @returns {BarRow[]}
 */
export function barRows({ bell, mode, hard = false, mean = 0, paint = false, edited = null }) {
  const height = paint ? { height: PAINTED } : {};
  if (mean) return [{ key: "weights", name: t("weights"), ...height }];
  const score = { key: "scores", name: t("score") };
  const gauss = { key: "gaussian", name: t("× Gaussian"), short: t("× Gauss") };
  const alignment = { key: "alignment", name: t("alignment") };
  const weights = { key: "weights", name: bell && !hard && !edited ? t("= weights") : t("weights"), ...height };
  if (!bell) return hard ? [score, alignment, weights] : [score, weights];
  if (mode === "on_scores") return hard ? [score, gauss, alignment, weights] : [score, gauss, weights];
  return [score, alignment, gauss, weights];
}

/**
 * The part of the plot at a point: a cell of the heatmap, a target word between bars and heatmap, or a column of words.
 * @param {Geometry} g
 * @param {number} x
 * @param {number} y
 * @returns {Spot | null}
 */
export function hit({ map, n, left, place }, x, y) {
  const row = Math.floor((y - map.y) / map.rowHeight);
  const inRows = row >= 0 && row < map.rows;
  const column = Math.floor((x - map.left(0)) / map.col);
  if (map.words && column < 0) {
    const bar = Math.round(place(x));
    if (bar >= 0 && bar < n) return { part: "column", column: bar };
    return inRows && x > left(n) ? { part: "target", row } : null;
  }
  if (column < 0 || column >= n) return null;
  if (y < map.y - 4) return { part: "column", column };
  return inRows ? { part: "map", row, column } : null;
}
