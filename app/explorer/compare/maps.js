// The three maps of a comparison, on the same rows: the attention of each translation, and the difference.

import { lengthsOf, wordsIn } from "../../../attn_core/browser/player/core/layout.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { drawMap } from "../../../attn_core/browser/player/draw/heatmap.js";
import { fitCanvas } from "../../../attn_core/browser/player/draw/pen.js";
import { fit, fontOf } from "../../../attn_core/browser/player/draw/text.js";
import { drawWords } from "../../../attn_core/browser/player/draw/words.js";

/**
 * @import { MapGeometry, Pen, Row, WordsRow } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Difference, Label } from "./types.d.ts"
 *
 * @typedef {{ u: number, words: WordsRow, map: Omit<MapGeometry, "u" | "n" | "targets" | "width" | "height">, label:
 * number, n: number, width: number, height: number }} Layout where the parts of a map are
 * @typedef {{ row: number, column: number }} Cell
 */

const ROW = { least: 17, most: 24 };
const LABEL = { font: 14, most: 92, edge: 12 };
const SHARES = 44; // the width of the percentages beside the differences
const HEIGHT = 250; // of the rows, if there are many
const LARGE = { least: 15, most: 30 }; // a row where the rows have a given height

/**
 * `height`: that of the map with its words, as far as its rows allow; null: the usual one.
 * @param {{ width: number, height: number | null, u: number, source: string[], labels: string[], rows: number, ctx:
 * CanvasRenderingContext2D, family: string }} given
 * @returns {Layout}
 */
export function layOutBoard({ width, height, u, source, labels, rows, ctx, family }) {
  const measure = (/** @type {string} */ text, /** @type {number} */ size) => {
    ctx.font = `700 100px ${family}`;
    return (ctx.measureText(text).width / 100) * size;
  };
  const n = Math.max(source.length, 1);
  const longest = Math.max(...labels.map((text) => measure(text, LABEL.font * u)), 0);
  const label = Math.min(longest, LABEL.most * u) + LABEL.edge * u;
  const length = lengthsOf(source, undefined, u, measure);
  const slanted = wordsIn(20 * u, length, u, true).lean;
  const col = Math.max((width - label - Math.max(SHARES * u, slanted)) / n, 8);
  const words = { ...wordsIn(col, length, u, true), y: 0, end: width };
  const y = words.h + Math.round(5 * u);
  const { least, most } = height === null ? ROW : LARGE;
  const rowHeight = Math.floor(
    Math.min(Math.max((height === null ? HEIGHT * u : height - y) / Math.max(rows, 1), least * u), most * u),
  );
  const left = (/** @type {number} */ s) => label + s * col;
  const map = { x: (/** @type {number} */ s) => left(s + 0.5), left, col, y, rowHeight, rows, words };
  return { u, words, map, label, n, width, height: y + rowHeight * rows + 4 };
}

/**
 * The attention of one translation at all steps, which are compared; a row is null where it has no word. `now`: the row
 * of the current step; -1: there is none.
 * @param {HTMLCanvasElement} canvas
 * @param {Pen} pen
 * @param {Layout} board
 * @param {{ source: string[], unknown: Set<number>, labels: (Label | null)[], rows: (Row | null)[], now: number, cell:
 * Cell | null }} given
 */
export function drawAttention(canvas, pen, board, { source, unknown, labels, rows, now, cell }) {
  fitCanvas(canvas, pen.ctx, board.width, board.height);
  if (!rows.some(Boolean)) {
    drawNothing(pen, board);
    drawLabels(pen, board, labels, now);
    return;
  }
  const drawn = rows.map((row) => row ?? EMPTY);
  const current = rows[now];
  drawWords(pen, columnsOf(board), current?.weights ?? source.map(() => 0), current?.span ?? null, {
    source,
    unknown,
    scale: 1,
  });
  drawMap(pen, { ...board.map, u: board.u }, drawn, {
    step: rows.length,
    heat: "weights",
    scale: 1,
    local: false,
    cell,
  });
  drawLabels(pen, board, labels, now);
  outline(pen, board, now);
}

/**
 * Squares with the difference as their area: full where the first translation has more weight, hollow where the other
 * one has. Beside each row is the share of the attention that moved. A row is null where the words differ.
 * @param {HTMLCanvasElement} canvas
 * @param {Pen} pen
 * @param {Layout} board
 * @param {{ source: string[], unknown: Set<number>, labels: (Label | null)[], rows: (Difference | null)[], now: number,
 * cell: Cell | null }} given
 */
export function drawDifference(canvas, pen, board, { source, unknown, labels, rows, now, cell }) {
  const { ctx, colors } = pen;
  const { x, left, col, y, rowHeight } = board.map;
  fitCanvas(canvas, ctx, board.width, board.height);
  drawWords(
    pen,
    columnsOf(board),
    source.map(() => 0),
    null,
    { source, unknown, scale: 1 },
  );
  const most = Math.min(col, rowHeight) - 2;
  rows.forEach((row, i) => {
    const middle = y + (i + 0.5) * rowHeight;
    if (!row) {
      ctx.fillStyle = colors.outside;
      ctx.fillRect(left(0), middle - rowHeight / 2 + 1, col * source.length, rowHeight - 2);
      return;
    }
    row.by.forEach((difference, s) => {
      const side = Math.sqrt(Math.abs(difference)) * most;
      if (side < 1) return;
      ctx.fillStyle = ctx.strokeStyle = colors.weight;
      ctx.lineWidth = 1.5;
      const inside = difference > 0 ? side : Math.max(side - 1.5, 1);
      const box = /** @type {const} */ ([x(s) - inside / 2, middle - inside / 2, inside, inside]);
      if (difference > 0) ctx.fillRect(...box);
      else ctx.strokeRect(...box);
    });
    ctx.font = fontOf(pen, 14 * board.u, i === now ? 700 : 500);
    ctx.fillStyle = i === now ? colors.ink : colors.dim;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    ctx.fillText(`${Math.round(100 * row.share)}%`, left(source.length) + 6 * board.u, middle + 0.5);
  });
  if (cell) {
    ctx.strokeStyle = colors.ink;
    ctx.strokeRect(left(cell.column) + 1, y + cell.row * rowHeight + 1.5, col - 2, rowHeight - 3);
  }
  drawLabels(pen, board, labels, now);
  outline(pen, board, now);
}

/**
 * The cell at a point of a canvas; the column is -1 beside the cells.
 * @param {Layout} board
 * @param {number} x
 * @param {number} y
 * @returns {Cell | null}
 */
export function cellAt({ map, n }, x, y) {
  const row = Math.floor((y - map.y) / map.rowHeight);
  const column = Math.floor((x - map.left(0)) / map.col);
  if (row < 0 || row >= map.rows) return null;
  return { row, column: column >= 0 && column < n ? column : -1 };
}

/**
 * What there is instead of a map of a model without attention.
 * @param {Pen} pen
 * @param {Layout} board
 */
function drawNothing(pen, { u, map, n }) {
  const { ctx, colors } = pen;
  const [left, width] = [map.left(0), n * map.col];
  ctx.fillStyle = colors.outside;
  ctx.fillRect(left, map.y, width, map.rows * map.rowHeight);
  ctx.font = fontOf(pen, LABEL.font * u, 600);
  ctx.fillStyle = colors.ink;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(fit(ctx, t("No attention"), width - 8 * u), left + width / 2, map.y + (map.rows * map.rowHeight) / 2);
}

/** @type {Row} */
const EMPTY = { center: null, span: null, scores: [], alignment: [], gaussian: [], weights: [] };

/** @param {Layout} board */
const columnsOf = ({ u, words, map: { col, x, left } }) => ({ u, words, col, x, left });

/**
 * The words of the rows; a word that the other translation does not have there is bold and underlined.
 * @param {Pen} pen
 * @param {Layout} board
 * @param {(Label | null)[]} labels
 * @param {number} now
 */
function drawLabels(pen, { u, map, label }, labels, now) {
  const { ctx, colors } = pen;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  labels.forEach((word, i) => {
    if (!word) return;
    const [right, middle] = [label - 7 * u, map.y + (i + 0.5) * map.rowHeight];
    ctx.font = fontOf(pen, LABEL.font * u, word.differs || i === now ? 700 : 450);
    ctx.fillStyle = word.differs || i === now ? colors.ink : colors.dim;
    const text = fit(ctx, word.text, label - 8 * u);
    ctx.fillText(text, right, middle + 0.5);
    if (word.differs)
      ctx.fillRect(right - ctx.measureText(text).width, middle + 8 * u, ctx.measureText(text).width, 2 * u);
  });
}

/**
 * @param {Pen} pen
 * @param {Layout} board
 * @param {number} now
 */
function outline({ ctx, colors }, { u, map, n }, now) {
  if (now < 0) return;
  ctx.strokeStyle = colors.ink;
  ctx.lineWidth = 2 * u;
  ctx.strokeRect(map.left(0) - 1, map.y + now * map.rowHeight, n * map.col + 2, map.rowHeight);
}
