// The attention map of one sentence at one update of a training, on a canvas, with the probability of each target word.

import { shade } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { fit, fontOf } from "../../../attn_core/browser/player/draw/text.js";

/** @import { Pen, Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Recorded, Sentence } from "./types.d.ts" */

const [LOWEST, TALLEST] = [15, 19]; // of a row, in sixteenths of the font size
const WIDEST = 44; // of a column
const EDGE = 0.34; // of the width, for the longest target word
const BAR = 34; // for a probability of 1
const LONG = 13; // more source words take a line of the page to themselves
const SLANT = Math.PI / 4; // of source words that do not fit above their column

/** A map; a pointer over a cell shows its numbers below. */
export class AttentionMap {
  constructor() {
    this.canvas = el("canvas", { role: "img" });
    this.numbers = el("figcaption", { class: "tr-numbers" });
    this.root = el("figure", { class: "tr-map" }, this.canvas, this.numbers);
    /** @type {{ sentence: Sentence, recorded: Recorded, layout: Layout } | null} */
    this.shown = null;
    this.canvas.addEventListener("pointermove", (event) => this.showNumbers(event));
    this.canvas.addEventListener("click", (event) => this.showNumbers(event)); // a tap sends no pointermove
    this.canvas.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType === "mouse") this.numbers.textContent = ""; // a lifted finger leaves too
    });
  }

  /**
   * Show a sentence at an update.
   * @param {Sentence} sentence
   * @param {Recorded} recorded
   * @param {number} update
   * @param {Theme} theme
   */
  draw(sentence, recorded, update, theme) {
    this.root.classList.toggle("tr-long", sentence.source.length > LONG);
    const style = getComputedStyle(this.root);
    const width = this.root.clientWidth;
    if (!width) return;
    const pen = { ...penOf(style, theme), ctx: context2d(this.canvas) };
    const layout = layOutMap(pen, sentence, width, unitOf(style));
    this.shown = { sentence, recorded, layout };
    fitCanvas(this.canvas, pen.ctx, width, layout.bottom + 2);
    drawSource(pen, sentence.source, layout);
    sentence.target.forEach((word, i) => drawRow(pen, word, recorded, i, layout));
    drawProbabilityHead(pen, layout);
    this.canvas.setAttribute("aria-label", description(sentence, recorded, update));
  }

  /** @param {MouseEvent} event */
  showNumbers({ offsetX, offsetY }) {
    if (!this.shown) return;
    const { sentence, recorded, layout } = this.shown;
    const { source, target } = sentence;
    const i = Math.floor((offsetY - layout.top) / layout.row);
    const j = Math.floor((offsetX - layout.left) / layout.column);
    this.numbers.textContent =
      i in target && j in source
        ? t("“{target}” to “{source}”: weight {weight}; p(“{target}”) = {p}", {
            target: target[i],
            source: source[j],
            weight: short(recorded.weights[i][j]),
            p: short(probability(recorded, i)),
          })
        : "";
  }
}

/**
 * Where the parts of a map are in a width.
 * @param {Pen} pen
 * @param {Sentence} sentence
 * @param {number} width
 * @param {number} u
 */
function layOutMap(pen, { source, target }, width, u) {
  pen.ctx.font = fontOf(pen, 14 * u);
  const widest = (/** @type {string[]} */ words) => Math.max(...words.map((word) => pen.ctx.measureText(word).width));
  const left = Math.min(widest(target), width * EDGE) + 8 * u;
  const column = Math.min((width - left - (BAR + 14) * u) / source.length, WIDEST * u);
  const upright = widest(source) < column - 4 * u;
  const top = upright ? 24 * u : Math.min(widest(source), 110 * u) * Math.sin(SLANT) + 18 * u;
  const row = Math.min(Math.max(column, LOWEST * u), TALLEST * u);
  return {
    u,
    left,
    top,
    column,
    row,
    upright,
    right: left + source.length * column,
    bottom: top + row * target.length,
  };
}

/** @typedef {ReturnType<typeof layOutMap>} Layout */

/**
 * The source words above their columns, slanted unless there is room for them.
 * @param {Pen} pen
 * @param {string[]} source
 * @param {Layout} layout
 */
function drawSource(pen, source, { left, top, column, u, upright }) {
  const { ctx, colors } = pen;
  ctx.font = fontOf(pen, 14 * u);
  ctx.textBaseline = "middle";
  ctx.fillStyle = colors.ink;
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
 * A target word with its weights, its probability and its p_t.
 * @param {Pen} pen
 * @param {string} word
 * @param {Recorded} recorded
 * @param {number} i
 * @param {Layout} layout
 */
function drawRow({ ctx, colors, heat }, word, recorded, i, { left, top, column, row, right, u }) {
  const y = top + i * row;
  ctx.textAlign = "right";
  ctx.fillStyle = colors.ink;
  ctx.fillText(fit(ctx, word, left - 8 * u), left - 6 * u, y + row / 2);
  recorded.weights[i].forEach((weight, j) => {
    ctx.fillStyle = heat.fill[shade(weight, 1)];
    ctx.fillRect(left + j * column, y, column - 1, row - 1);
  });
  ctx.fillStyle = colors.outside;
  ctx.fillRect(right + 8 * u, y + row * 0.3, BAR * u, row * 0.4);
  ctx.fillStyle = colors.score;
  ctx.fillRect(right + 8 * u, y + row * 0.3, BAR * u * probability(recorded, i), row * 0.4);
  if (!recorded.centers) return;
  ctx.fillStyle = colors.window;
  ctx.fillRect(left + (recorded.centers[i] + 0.5) * column - 1.5 * u, y, 3 * u, row - 1);
}

/** The name of the column of probabilities. @param {Pen} pen @param {Layout} layout */
function drawProbabilityHead({ ctx, colors }, { right, top, u }) {
  ctx.fillStyle = colors.dim;
  ctx.textAlign = "left";
  ctx.fillText("p", right + 8 * u, top - 10 * u);
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
