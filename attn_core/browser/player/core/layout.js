// The layout of the picture of a step: a column for each source word, and what the columns flow into.

import { t } from "./messages.js";

/** @import { BarRow, Geometry, Kind, LayOutOptions, Measure, Word } from "./types.d.ts" */

// Of words that are wider than their columns: the least at which they do not touch
const SLANTS = [30, 42, 62].map((degrees) => (degrees * Math.PI) / 180);
const UPRIGHT = Math.PI / 2; // where even the last would
const LINE = 0.9; // the distance of two words that do not touch each other, relative to their font size
// In sixteenths of the font size.
const MOST = { word: 132, glossed: 176 }; // the width of a slanted word, alone and with its gloss
export const GLOSS = { font: 14, gap: 6 };
const NARROWEST = { touch: 17, presented: 12 }; // minimum column width; the picture scrolls if there is less room
const WIDEST = 210; // a column
export const NARROW = 560; // CSS pixels: the least width of a picture that is not a phone's
const SMALLEST = 12; // CSS pixels: numbers on a phone
const READABLE = 14; // CSS pixels: words
const NUMBERED = 36; // the narrowest column with a number over its bar, in sixteenths of the font size
const ROOMY = 2.4; // the same where numbers have a smallest font size, relative to it
const QUERY = { narrow: 18, usual: 26 }; // the room of the query to the left of the columns
const ZONE = { narrow: 32, usual: 150 }; // the width of the context vector's part, to the right of the columns
// The heights of the encoder states, of their comparison with the query, and of the flow into the context vector
const STATE = 44;
const COMPARED = 34;
const FLOW = 96;
const FED = { usual: 26, least: 16 }; // of what the step before feeds to this one
const ALONE = 1.6; // without attention the flow is taller, relative to that
const NAMES = 6.2; // the width of the names beside the bars, which have numbers under them, relative to it

/**
 * The geometry of the picture in CSS pixels: under each source word its encoder state, its bars, and the flow of its
 * state into the context vector, which is to the right of all columns. `width`: room for gutter and columns; `u`: 1/16
 * of the font size; `v`: the factor by which the bars are taller than usual; `rows`: the bar rows to show (see
 * `barRows`): {key, name}, and height and aside if not the default; none: there is no attention; `vectors`: whether
 * states are drawn; `flow`: whether the way from the weights to the next word is; `feeding`: whether what the step
 * before feeds to this one is; `farthest`: the largest p_t, which may lie beyond the last word; `least`, in lecture
 * layout: the smallest font size of numbers in pixels, whatever u; 0: the usual one (12 on phones, elsewhere none).
 * @param {LayOutOptions} layOutOptions
 * @returns {Geometry}
 */
export function layOut({
  width,
  u,
  v,
  source,
  gloss,
  words = null,
  rows,
  farthest,
  measure,
  vectors = false,
  flow = false,
  feeding = false,
  least = 0,
}) {
  const n = Math.max(source.length, 1);
  const narrow = width < NARROW;
  const gutter = Math.round(Math.max((narrow ? 82 : 138) * u, NAMES * least));
  const edge = Math.round(6 * u);
  // Beside the columns, to the left
  const query = vectors && rows.length ? Math.round((narrow ? QUERY.narrow : QUERY.usual) * u) : 0;
  const zone = flow ? Math.round((narrow ? ZONE.narrow : ZONE.usual) * u) : 0;
  const room = width - gutter - 2 * edge - query - zone;
  const spare = spareOf(farthest, n);
  const length = lengthsOf(source, gloss, u, measure, words);
  const narrowest = least ? NARROWEST.presented : NARROWEST.touch;
  const widest = (/** @type {number} */ space) => Math.min(Math.max(space / (n + spare), narrowest), WIDEST * u);
  let col = widest(room);
  const { angle, lean } = wordsIn(col, length, u, narrow);
  // The slanted last words extend to the right, over the context vector's part or, on a phone, with an ellipsis.
  if (angle) col = widest(room - Math.max(Math.min(lean, room * 0.15) - zone, 0));
  const start = edge + query;
  const content = Math.max(width - gutter, Math.ceil(start + edge + col * (n + spare) + zone));
  const placed = column({
    u,
    v,
    rows,
    vectors,
    flow,
    feeding,
    words: { ...wordsIn(col, length, u, narrow), gloss, end: content },
  });
  return {
    u,
    narrow,
    gutter,
    edge,
    col,
    n,
    numbers: numbered(col, u, least),
    least: least || (narrow ? SMALLEST : 0),
    ...placed,
    x: (s) => start + (s + 0.5) * col,
    left: (s) => start + s * col,
    place: (at) => (at - start) / col - 0.5,
    width: width - gutter,
    content,
    zone: { left: content - zone, right: content },
  };
}

/**
 * Whether a column is wide enough for a number over its bar.
 * @param {number} col
 * @param {number} u
 * @param {number} least
 */
const numbered = (col, u, least) => col > (least ? ROOMY * least : NUMBERED * u);

/**
 * The part of a column that a p_t beyond the last of `n` words needs.
 * @param {number} farthest
 * @param {number} n
 */
const spareOf = (farthest, n) => Math.min(Math.max(farthest - (n - 0.5) + 0.15, 0), 0.65);

/**
 * The texts over the columns: a word over each or, with `words`, over all columns of its pieces. `at`: the column of
 * its middle.
 * @param {string[]} source
 * @param {string[] | undefined} gloss
 * @param {Word[] | null} [words]
 */
export function labelsOf(source, gloss, words) {
  const whole = words ?? source.map((text, first) => ({ text, first, count: 1 }));
  return whole.map(({ text, first, count }) => ({
    text,
    first,
    count,
    gloss: gloss?.[first] ?? "",
    at: first + (count - 1) / 2,
  }));
}

/**
 * The width of each word at a font size of 1, and of its gloss in its own font (none: 0); `after`: the columns after
 * its middle; and the largest of both widths, of a whole word and for each column of it.
 * @param {string[]} source
 * @param {string[] | undefined} gloss
 * @param {number} u
 * @param {Measure} measure
 * @param {Word[] | null} [words]
 */
export function lengthsOf(source, gloss, u, measure, words) {
  const each = labelsOf(source, gloss, words).map((label) => ({
    word: measure(label.text, 1),
    gloss: label.gloss ? measure(label.gloss, GLOSS.font * u) : 0,
    count: label.count,
    after: source.length - label.at - 0.5,
  }));
  const most = (/** @type {(one: typeof each[number]) => number} */ lengthIn) => Math.max(...each.map(lengthIn), 0);
  return {
    each,
    word: most(({ word }) => word),
    gloss: most((label) => label.gloss),
    column: { word: most(({ word, count }) => word / count), gloss: most((label) => label.gloss / label.count) },
  };
}

/**
 * How the source words fit into columns of `col` pixels: their font, their angle, how many columns each needs
 * (`every`), the height of their row, and how far they lean over the right edge of the last column.
 * @param {number} col
 * @param {ReturnType<typeof lengthsOf>} longest
 * @param {number} u
 * @param {boolean} narrow
 */
export function wordsIn(col, { each, word, gloss, column }, u, narrow) {
  const usual = (narrow ? 16 : 19) * u;
  const room = col - 6 * u;
  const small = column.word * 14 * u <= room && column.gloss <= room;
  const fits = column.word * usual <= room - 2 * u && column.gloss <= room;
  const slant = !fits && !small;
  const font = fits
    ? usual
    : small
      ? 14 * u
      : Math.min(16.5 * u, Math.max(col * 0.72, 14 * u), Math.max(col / LINE, READABLE));
  const angle = slant ? (SLANTS.find((slope) => col * Math.sin(slope) > LINE * font) ?? UPRIGHT) : 0;
  const every = angle === UPRIGHT ? Math.ceil((LINE * font) / col) : 1;
  const most = (gloss ? MOST.glossed : MOST.word) * u;
  const lengthOf = (/** @type {{ word: number, gloss: number }} */ label) =>
    Math.min(label.word * font + (label.gloss && label.gloss + GLOSS.gap * u), most);
  const h = slant ? lengthOf({ word, gloss }) * Math.sin(angle) + 1.5 * font + 12 * u : 46 * u;
  const beyond = each.map((label) => lengthOf(label) * Math.cos(angle) - label.after * col + 4 * u);
  return {
    h: Math.round(h),
    angle,
    font,
    every,
    most,
    bar: Math.round(12 * u),
    lean: slant && angle !== UPRIGHT ? Math.max(...beyond, 0) : 0,
  };
}

/**
 * Whether a row or column has a label where each label needs `every` of them: the first of every few, and the
 * strongest.
 * @param {number} at
 * @param {number} strongest -1: there is none
 * @param {number} every
 */
export const isLabelled = (at, strongest, every) =>
  at === strongest || (at % every === 0 && (strongest < 0 || Math.abs(at - strongest) >= every));

/**
 * The words, the states, the bar rows, the ruler and the flow, from top to bottom; `height` is where they end. Feeding
 * is below what it enters: the query or, without attention, the state beside the flow.
 * @param {Pick<LayOutOptions, "u" | "v" | "rows"> & { vectors: boolean, flow: boolean, feeding: boolean, words:
 * ReturnType<typeof wordsIn> & { gloss?: string[], end: number } }} parts
 */
function column({ u, v, rows, vectors, flow, feeding, words }) {
  const attends = rows.length > 0;
  let y = Math.round(4 * u);
  /** A part of this height, and the room below it. @param {number} height @param {number} below */
  const part = (height, below) => {
    const placed = { y, h: Math.round(height) };
    y += placed.h + Math.round(below);
    return placed;
  };
  const fed = () =>
    feeding ? part(Math.max(FED.usual * Math.min(v, 1), FED.least) * u, 8 * u * Math.min(v, 1)) : null;
  const placedWords = { ...words, ...part(words.h, 6 * u) };
  const states = vectors ? part(STATE * u * v, 4 * u) : null;
  const query = vectors && attends ? part(COMPARED * u * v, 10 * u) : null;
  const fedToQuery = attends ? fed() : null;
  const bars = rows.map((row) => {
    if (row.key === "gaussian") y += Math.round(10 * u); // for the name of p_t
    return { ...row, ...part((row.height ?? HEIGHTS[row.key]) * u * v, 14 * u * v) };
  });
  const ruler = part(attends ? 30 * u : 0, 0);
  const placedFlow = flow ? part(FLOW * u * v * (attends ? 1 : ALONE), (attends ? 4 : 12) * u) : null;
  return {
    words: placedWords,
    states,
    query,
    bars,
    ruler,
    flow: placedFlow,
    feeding: fedToQuery ?? (attends ? null : fed()),
    height: y,
  };
}

const PAINTED = 110; // of weights that are set by hand
/** @type {Record<string, number>} */
const HEIGHTS = { scores: 76, alignment: 76, gaussian: 72, weights: 88 };

/**
 * The bar rows of one attention step. `kind`: {bell, mode, hard, mean, paint, edited}. Without a Gaussian the attention
 * weights are the alignment weights; those of hard attention are 1 at one word. A mean over heads has weights only.
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
