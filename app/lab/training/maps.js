// The attention map of one sentence at one update of a training, on a canvas, with the probability of each target word.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { fit, fontOf } from "../../../attn_core/browser/player/draw/text.js";

/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Recorded, Sentence } from "./types.d.ts" */

const [LOWEST, TALLEST] = [15, 19]; // of a row, in sixteenths of the font size
const WIDEST = 44; // of a column
const EDGE = 0.34; // of the width, for the longest target word
const BAR = 34; // for a probability of 1
const LONG = 13; // more source words take a line of the page to themselves
const SLANT = Math.PI / 4; // of source words that do not fit above their column

/** A map; `draw` shows a sentence at an update, and a pointer over a cell shows its numbers below. */
export function attentionMap() {
  const canvas = el("canvas", { role: "img" });
  const numbers = el("figcaption", { class: "tr-numbers" });
  const figure = el("figure", { class: "tr-map" }, canvas, numbers);
  const ctx = context2d(canvas);
  /**
   * @type {{ sentence: Sentence, recorded: Recorded, left: number, top: number, column: number, row: number } | null}
   */
  let layout = null;

  /**
   * @param {Sentence} sentence
   * @param {Recorded} recorded
   * @param {number} update
   * @param {Theme} theme
   */
  function draw(sentence, recorded, update, theme) {
    figure.classList.toggle("tr-long", sentence.source.length > LONG);
    const style = getComputedStyle(figure);
    const [pen, u, width] = [penOf(style, theme), unitOf(style), figure.clientWidth];
    if (!width) return;
    const { source, target } = sentence;
    ctx.font = fontOf(pen, 14 * u);
    const widths = (/** @type {string[]} */ words) => Math.max(...words.map((word) => ctx.measureText(word).width));
    const left = Math.min(widths(target), width * EDGE) + 8 * u;
    const column = Math.min((width - left - (BAR + 14) * u) / source.length, WIDEST * u);
    const upright = widths(source) < column - 4 * u;
    const top = upright ? 24 * u : Math.min(widths(source), 110 * u) * Math.sin(SLANT) + 18 * u;
    const row = Math.min(Math.max(column, LOWEST * u), TALLEST * u);
    const bottom = top + row * target.length;
    fitCanvas(canvas, ctx, width, bottom + 2);
    layout = { sentence, recorded, left, top, column, row };

    ctx.font = fontOf(pen, 14 * u);
    ctx.textBaseline = "middle";
    ctx.fillStyle = pen.colors.ink;
    drawSource(ctx, source, { left, top, column, u, upright });
    const { fill } = heat(theme);
    const right = left + source.length * column;
    target.forEach((word, i) => {
      const y = top + i * row;
      ctx.textAlign = "right";
      ctx.fillStyle = pen.colors.ink;
      ctx.fillText(fit(ctx, word, left - 8 * u), left - 6 * u, y + row / 2);
      recorded.weights[i].forEach((weight, j) => {
        ctx.fillStyle = fill[shade(weight, 1)];
        ctx.fillRect(left + j * column, y, column - 1, row - 1);
      });
      ctx.fillStyle = pen.colors.outside;
      ctx.fillRect(right + 8 * u, y + row * 0.3, BAR * u, row * 0.4);
      ctx.fillStyle = pen.colors.score;
      ctx.fillRect(right + 8 * u, y + row * 0.3, BAR * u * probability(recorded, i), row * 0.4);
      if (!recorded.centers) return;
      ctx.fillStyle = pen.colors.window;
      ctx.fillRect(left + (recorded.centers[i] + 0.5) * column - 1.5 * u, y, 3 * u, row - 1);
    });
    ctx.fillStyle = pen.colors.dim;
    ctx.textAlign = "left";
    ctx.font = fontOf(pen, 14 * u);
    ctx.fillText("p", right + 8 * u, top - 10 * u);
    canvas.setAttribute("aria-label", description(sentence, recorded, update));
  }

  const showNumbers = (/** @type {MouseEvent} */ { offsetX, offsetY }) => {
    if (!layout) return;
    const {
      sentence: { source, target },
      recorded,
      left,
      top,
      column,
      row,
    } = layout;
    const [i, j] = [Math.floor((offsetY - top) / row), Math.floor((offsetX - left) / column)];
    numbers.textContent =
      i in target && j in source
        ? t("“{target}” to “{source}”: weight {weight}; p(“{target}”) = {p}", {
            target: target[i],
            source: source[j],
            weight: short(recorded.weights[i][j]),
            p: short(probability(recorded, i)),
          })
        : "";
  };
  canvas.addEventListener("pointermove", showNumbers);
  canvas.addEventListener("click", showNumbers); // a tap sends no pointermove
  canvas.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") numbers.textContent = "";
  }); // a lifted finger leaves too

  return { figure, draw };
}

/**
 * The source words above their columns, slanted unless there is room for them.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string[]} source
 * @param {{ left: number, top: number, column: number, u: number, upright: boolean }} layout
 */
function drawSource(ctx, source, { left, top, column, u, upright }) {
  source.forEach((word, j) => {
    ctx.save();
    ctx.translate(left + (j + 0.5) * column, top - (upright ? 12 : 6) * u);
    ctx.textAlign = upright ? "center" : "left";
    if (!upright) ctx.rotate(-SLANT);
    ctx.fillText(fit(ctx, word, 112 * u), 0, 0);
    ctx.restore();
  });
}

/**
 * @param {Recorded} recorded
 * @param {number} i
 */
const probability = ({ log_probs }, i) => Math.exp(log_probs[i] ?? -Infinity);

/**
 * The map in words: the largest weight of each row.
 * @param {Sentence} sentence
 * @param {Recorded} recorded
 * @param {number} update
 */
function description({ source, target }, { weights }, update) {
  const rows = target.map((word, i) => {
    const most = Math.max(...weights[i]);
    return t("{target} to {source} {weight}", {
      target: word,
      source: source[weights[i].indexOf(most)],
      weight: short(most),
    });
  });
  return t("Attention after update {update}, largest weights: {rows}", { update, rows: rows.join("; ") });
}
