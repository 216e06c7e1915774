// The layout of the stage on a wide and low screen: the heatmap beside the bars, with columns of its own.

import { column, lengthsOf, NAMES, numbered, spareOf, WIDEST, wordsIn } from "./layout.js";

/** @import { Geometry, LayOutOptions } from "./types.d.ts" */

// In sixteenths of the font size, except shares.
const BAR = { least: 24, large: 23, usual: 44 }; // width of a column of bars
const CELL = { least: 12, large: 8.5, most: 40 }; // width of a column of the heatmap
const SHARE = { least: 0.42, large: 0.37, most: 0.6 }; // of the width of a column of bars; the most where bars have their usual width
const ROW = { least: 16, most: 42 };
const GUTTER = { usual: 126, large: 88 }; // the width of the names beside the bars
const LABEL = { font: 17, most: 104, edge: 18 };
const [LOWEST, HIGHEST] = [0.6, 1.5]; // by which the bars are taller than usual

/**
 * The geometry of the stage with the heatmap beside the bars, as high as `height` if it can be; null if it is too narrow.
 * `large` (presenter view): type is larger, so the minimum widths, in units of the font size, are smaller, and row names are short.
 * `least`: the smallest font size of a number in pixels, whatever u.
 * @param {Omit<LayOutOptions, "v" | "targets"> & { height: number, target: string[], large?: boolean }} given
 * @returns {Geometry | null}
 */
export function layOutBeside({ width, height, u, source, gloss, target, rows, farthest, measure, large = false, least: smallest = 0 }) {
  const n = Math.max(source.length, 1);
  const gutter = Math.round(Math.max((large ? GUTTER.large : GUTTER.usual) * u, NAMES * smallest));
  const edge = Math.round(6 * u);
  const [leastBar, leastCell] = [BAR, CELL].map((one) => (large ? one.large : one.least) * u);
  const spare = spareOf(farthest, n);
  const length = lengthsOf(source, gloss, u, measure);
  const alone = { ...length, gloss: 0, each: length.each.map((one) => ({ ...one, gloss: 0 })) };
  const words = Math.max(...target.map((word) => measure(word, LABEL.font * u)), 0);
  const label = Math.min(words, LABEL.most * u) + LABEL.edge * u;
  /** The widths of the columns, with this much room beyond the last bar and the last cell. */
  const widths = (/** @type {number} */ overBars, /** @type {number} */ overCells) => {
    const free = width - gutter - 2 * edge - label - overBars - overCells;
    const [least, most] = [large ? SHARE.large : SHARE.least, SHARE.most].map((share) => (free / (n + spare + share * n)) * share);
    const left = (free - (n + spare) * BAR.usual * u) / n;
    const cell = Math.min(Math.max(least, Math.min(most, left)), CELL.most * u);
    return { cell, col: Math.min((free - n * cell) / (n + spare), WIDEST * u) };
  };
  const loose = widths(0, 0); // how far words lean over the edge depends on the columns
  const lean = wordsIn(loose.col, length, u, false).lean;
  const { cell, col } = widths(lean, wordsIn(loose.cell, alone, u, false).lean);
  if (col < leastBar || cell < leastCell) return null;

  const end = edge + col * (n + spare) + lean;
  const inBars = { ...wordsIn(col, length, u, false), gloss, end };
  const [base, usual] = [0, 1].map((v) => column({ u, v, rows, words: inBars }).split);
  const v = Math.min(Math.max((height - base - rows.length) / (usual - base), LOWEST), HIGHEST);
  const placed = column({ u, v, rows, words: inBars });

  const start = end + label;
  const overMap = { ...wordsIn(cell, alone, u, false), y: Math.round(6 * u), end: width - gutter };
  const y = overMap.y + overMap.h + Math.round(5 * u);
  const rowHeight = Math.floor(Math.min(Math.max((height - y - 10 * u) / Math.max(target.length, 1), ROW.least * u), ROW.most * u));
  const mapX = (/** @type {number} */ s) => start + (s + 0.5) * cell;
  const mapLeft = (/** @type {number} */ s) => start + s * cell;
  return {
    u, narrow: large, gutter, edge, col, n, numbers: numbered(col, u, smallest), least: smallest, ...placed,
    x: (s) => edge + (s + 0.5) * col,
    left: (s) => edge + s * col,
    place: (at) => (at - edge) / col - 0.5,
    map: { x: mapX, left: mapLeft, col: cell, y, rowHeight, rows: target.length, words: overMap },
    targets: { right: start - 12 * u, most: label - 14 * u },
    width: width - gutter,
    content: width - gutter,
    height: Math.max(placed.split, y + rowHeight * target.length + Math.round(10 * u)),
  };
}
