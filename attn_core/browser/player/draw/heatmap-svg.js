// The heatmap as a file of vector graphics: the numbers and colours of the player, on white, with labels that count
// positions as those of attn_core/figures/heatmap.py do.

import { heat, shade } from "../core/heat.js";
import { FIGURE } from "../core/palette.js";
import { context2d } from "./pen.js";
import { visible } from "./heatmap.js";

/**
 * @import { View } from "../core/types.d.ts"
 * @typedef {Pick<View, "rows" | "source" | "targets"> & { display: Pick<View["display"], "heat" | "scale"> }}
 * MapContent
 */

// In pixels: a cell, the text, the room between labels and cells, and the legend
const [COLUMN, ROW, FONT, GAP, WIDE, HIGH] = [38, 27, 14, 6, 16, 120];
const STYLE = "14px sans-serif";

/** Text as it is written in XML. @param {string} words */
const escaped = (words) => words.replace(/[&<]/g, (letter) => (letter === "<" ? "&lt;" : "&amp;"));

/** @param {number} x @param {number} y @param {string} words @param {string} [more] */
const text = (x, y, words, more = "") => `<text x="${x}" y="${y}"${more}>${escaped(words)}</text>`;

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} fill
 * @param {string} name
 */
const rect = (x, y, width, height, fill, name) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"><title>${escaped(name)}</title></rect>`;

/**
 * @param {MapContent} map what the heatmap shows, by tokens or by words
 * @param {string} title
 * @param {string} legend what the colours are
 * @returns {string} the SVG document
 */
export function heatmapSvg({ rows, source, targets, display }, title, legend) {
  const ctx = context2d(document.createElement("canvas"));
  ctx.font = STYLE;
  const measure = (/** @type {string} */ word) => Math.ceil(ctx.measureText(word).width);
  const [across, down] = [source, targets].map((words) => words.map((word, i) => `${i} ${word}`));
  const left = Math.max(...down.map(measure)) + 2 * GAP;
  const top = 2 * FONT + Math.max(...across.map(measure)) * 0.64 + 2 * GAP; // the labels are turned by 40 degrees
  const at = (/** @type {number} */ s) => left + s * COLUMN;
  const ends = across.map((word, s) => at(s + 0.5) + measure(word) * 0.77);
  const beside = Math.max(...ends, at(source.length)) + 2 * GAP; // the legend
  const width = Math.max(beside + measure(legend), GAP + measure(title)) + GAP;
  const height = top + Math.max(targets.length * ROW, HIGH) + GAP;
  const shades = heat("light").fill.map((color) => color.replace(/ /g, ",")); // as programs other than browsers read it
  const parts = [
    rect(0, 0, width, height, FIGURE.background, title),
    text(GAP, FONT + GAP, title),
    ...across.map((word, s) => text(0, 0, word, ` transform="translate(${at(s + 0.4)} ${top - GAP}) rotate(-40)"`)),
  ];
  /** @type {[x: number, y: number][]} of p_t */
  const spots = [];
  targets.forEach((word, i) => {
    const y = top + i * ROW;
    const { span, center } = rows[i];
    parts.push(text(left - GAP, y + 19, down[i], ' text-anchor="end"'));
    rows[i][display.heat].forEach((value, s) => {
      const fill = span && visible(span, s, value) ? shades[shade(value, display.scale)] : FIGURE.outside;
      const name = `${word}, ${source[s]}: ${value.toPrecision(3)}`;
      parts.push(rect(at(s), y, COLUMN - 1, ROW - 1, fill, name));
    });
    if (center !== null) spots.push([at(Math.min(Math.max(center + 0.5, 0), source.length)), y + ROW / 2]);
  });
  parts.push(
    `<polyline points="${spots.join(" ")}" fill="none" stroke="${FIGURE.window}" stroke-width="2"/>`,
    ...spots.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="4" fill="${FIGURE.window}"/>`),
    '<linearGradient id="w" x2="0" y1="1" y2="0">',
    ...[0, 85, 170, 255].map((i) => `<stop offset="${i / 255}" stop-color="${shades[i]}"/>`),
    "</linearGradient>",
    rect(beside, top, WIDE, HIGH, "url(#w)", legend),
    text(beside, top - GAP, legend),
    text(beside + WIDE + GAP, top + 10, `${display.scale}`),
    text(beside + WIDE + GAP, top + HIGH, "0"),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `fill="${FIGURE.ink}" style="font:${STYLE}">${parts.join("")}</svg>`
  );
}
