// The heatmap by words, for a vocabulary of word pieces: the weights of a source word's pieces are summed, and those of
// a target word's pieces, which are chosen one a step, are averaged over their steps.

import { joinedWords } from "./pieces.js";
import { scaleOf } from "./rows.js";
import { sum } from "../../engine/vectors.js";

/** @import { Clicked, Row, Span, Trace, View, Word, WordsOfPieces } from "./types.d.ts" */

/**
 * The words of a translation, from the marks of its tokenizer; null if each token is a word.
 * @param {Pick<Trace, "source"> & { steps: { token: string }[] }} trace with tokens as in the vocabulary
 * @returns {WordsOfPieces | null}
 */
export function wordsOfPieces({ source, steps }) {
  const words = { source: joinedWords(source), target: joinedWords(steps.map(({ token }) => token)) };
  return [...words.source, ...words.target].some(({ count }) => count > 1) ? words : null;
}

/**
 * What the heatmap shows by words. A window and its centre are between the words as they are between their pieces;
 * those of a target word cover the windows of its pieces, and are in the middle of their centres.
 * @param {View} view by pieces
 * @param {WordsOfPieces} words
 * @param {Row[]} rows by words: see joinedRows
 * @returns {View}
 */
export function viewByWords({ targets, display, ...view }, { source, target }, rows) {
  const shown = target.filter(({ first }) => first < targets.length);
  const texts = source.map(({ text }) => text);
  return {
    ...view,
    rows,
    source: texts,
    targets: shown.map(({ text }) => text),
    display: {
      ...display,
      step: shown.findLastIndex(({ first }) => first <= display.step),
      source: texts,
      unknown: new Set(unknownWords(source, display.unknown)),
      words: null,
      scale: display.hard ? 1 : scaleOf(rows),
    },
  };
}

/**
 * The places of the words with an unknown piece.
 * @param {Word[]} words
 * @param {Set<number>} unknown the places of pieces
 */
export const unknownWords = (words, unknown) =>
  words.flatMap(({ first, count }, place) =>
    tokensOf(first, count).some((token) => unknown.has(token)) ? [place] : [],
  );

/**
 * The rows by words: each adds up to the mean of its pieces' rows. They have no scores and no Gaussian, which belong to
 * pieces.
 * @param {Row[]} rows by pieces
 * @param {WordsOfPieces} words
 * @returns {Row[]}
 */
export function joinedRows(rows, { source, target }) {
  const edge = edges(source);
  return target.map(({ first, count }) => {
    const steps = rows.slice(first, first + count);
    const of = (/** @type {"alignment" | "weights"} */ key) =>
      source.map(
        (word) => sum(steps.map((row) => sum(row[key].slice(word.first, word.first + word.count)))) / steps.length,
      );
    const centers = steps.flatMap(({ center }) => (center === null ? [] : [placeOf(center, edge)]));
    return {
      scores: [],
      gaussian: [],
      alignment: of("alignment"),
      weights: of("weights"),
      span: spanOf(steps, edge),
      center: centers.length ? sum(centers) / centers.length : null,
    };
  });
}

/**
 * The number of the model that a cell by words stands for when it is opened: that of the word's first step and, of the
 * source word's pieces, the one with the largest value there.
 * @param {View} view by pieces
 * @param {WordsOfPieces} words
 * @param {{ row: number, column: number }} cell
 * @returns {Extract<Clicked, { key: string }>}
 */
export function openedNumber({ rows, display: { heat } }, { source, target }, { row, column }) {
  const step = target[row].first;
  const values = rows[step][heat];
  const { first, count } = source[column];
  return {
    key: heat,
    position: tokensOf(first, count).reduce((best, s) => (values[s] > values[best] ? s : best)),
    row: step,
  };
}

/** @param {number} first @param {number} count */
const tokensOf = (first, count) => Array.from({ length: count }, (_, i) => first + i);

/**
 * The left edge of each piece, and the right edge of the last one, where each word is 1 wide and its pieces are equally
 * wide.
 * @param {Word[]} words
 */
const edges = (words) => [
  ...words.flatMap(({ count }, w) => tokensOf(0, count).map((i) => w + i / count)),
  words.length,
];

/**
 * A centre between the words; positions are those of the middles of pieces, then of words. It may lie beyond the last
 * one.
 * @param {number} center
 * @param {number[]} edge
 */
function placeOf(center, edge) {
  const at = center + 0.5;
  const piece = Math.min(Math.max(Math.floor(at), 0), edge.length - 2);
  return edge[piece] + (at - piece) * (edge[piece + 1] - edge[piece]) - 0.5;
}

/**
 * From the first to the last piece in view at any of these steps; null: none is.
 * @param {Row[]} steps
 * @param {number[]} edge
 * @returns {Span | null}
 */
function spanOf(steps, edge) {
  const spans = steps.flatMap(({ span }) => (span ? [span] : []));
  if (!spans.length) return null;
  return { lo: edge[Math.min(...spans.map(({ lo }) => lo))], hi: edge[Math.max(...spans.map(({ hi }) => hi)) + 1] - 1 };
}
