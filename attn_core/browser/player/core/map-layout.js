// The layout of the heatmap: a row for each target word, a column for each source word.

import { lengthsOf, wordsIn } from "./layout.js";

/** @import { MapGeometry, MapOptions, Spot } from "./types.d.ts" */

// In sixteenths of the font size.
const CELL = 40; // the widest column
const WORDS = 9; // the narrowest column with a word over it
const ROW = { crowded: 4, least: 9, usual: 22, most: 36 }; // heights of a row
const LABEL = { font: 15, most: 92, edge: 18 }; // the target words, and the room beside them
const SHARE = 0.34; // of the width, that target words may take

/**
 * The geometry of the heatmap in CSS pixels. `height`: that to fit into; rows have a least height, so it may be higher.
 * `plain`: the source words are not written over its columns, and rows may be lower than a target word.
 * @param {MapOptions} options
 * @returns {MapGeometry}
 */
export function layOutMap({ width, height, u, source, target, measure, plain = false }) {
  const n = Math.max(source.length, 1);
  const edge = Math.round(3 * u);
  const longest = Math.max(...target.map((word) => measure(word, LABEL.font * u)), 0);
  const label = Math.min(longest + LABEL.edge * u, LABEL.most * u + LABEL.edge * u, width * SHARE);
  const length = lengthsOf(source, undefined, u, measure);
  const cellIn = (/** @type {number} */ lean) => Math.min((width - label - edge - lean) / n, CELL * u);
  const loose = cellIn(0);
  const hasWords = loose >= WORDS * u && !plain;
  const cell = hasWords ? cellIn(wordsIn(loose, length, u, false).lean) : loose;
  const words = hasWords ? { ...wordsIn(cell, length, u, false), y: Math.round(2 * u), end: width } : null;
  const y = words ? words.y + words.h + Math.round(5 * u) : edge;
  const most = Math.min(Math.max(cell, ROW.usual * u), ROW.most * u);
  const rowHeight = Math.floor(
    Math.min(Math.max((height - y - 4 * u) / Math.max(target.length, 1), (plain ? ROW.crowded : ROW.least) * u), most),
  );
  return {
    u,
    n,
    y,
    rowHeight,
    words,
    col: cell,
    rows: target.length,
    width,
    x: (s) => label + (s + 0.5) * cell,
    left: (s) => label + s * cell,
    targets: { right: label - 12 * u, most: label - 14 * u },
    height: y + rowHeight * target.length + Math.round(4 * u),
  };
}

/**
 * The part of the heatmap at a point: a cell or a target word.
 * @param {MapGeometry} g
 * @param {number} x
 * @param {number} y
 * @returns {Spot | null}
 */
export function hitMap({ y: top, rowHeight, rows, left, col, n }, x, y) {
  const row = Math.floor((y - top) / rowHeight);
  if (row < 0 || row >= rows) return null;
  const column = Math.floor((x - left(0)) / col);
  if (column < 0) return { part: "target", row };
  return column < n ? { part: "map", row, column } : null;
}
