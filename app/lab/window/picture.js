// The picture of a step: words, scores, Gaussian and weights as rows of bars, and handles that change the window.

import { layOut, NARROW } from "../../../attn_core/browser/player/core/layout.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { scoreRange } from "../../../attn_core/browser/player/core/rows.js";
import { NARROWEST } from "../../../attn_core/browser/player/core/settings.js";
import { pointInPlot } from "../../../attn_core/browser/player/components/places.js";
import { bell } from "../../../attn_core/browser/engine/vectors.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { placeTip } from "../../../attn_core/browser/player/dom/tip.js";
import { drawNames, scoreName } from "../../../attn_core/browser/player/draw/names.js";
import { drawPicture } from "../../../attn_core/browser/player/draw/picture.js";
import { RowPlot } from "../kit/row-plot.js";
import { wordNumbers } from "./numbers.js";
import { TREATMENTS } from "./treatment-table.js";

/** @import { BarRow, Display, Geometry, Theme, Trace } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { AdjustedAttention, AdjustedWindow, ColumnSpot, HandleName, WindowView } from "./types.d.ts" */

/**
 * @typedef {object} PictureActions
 * @property {(center: number) => void} moveCenter
 * @property {(words: number) => void} changeHalfWidth
 * @property {(words: number) => void} changeSigma
 * @property {(spot: ColumnSpot | null) => void} point the pointer is over the column of a word, or over none
 */

const [SHORTEST, TALLEST] = [0.5, 1.25]; // the rows of bars, relative to their usual height
/** @type {Record<HandleName, string>} */
const HANDLES = {
  center: t("Drag to move p_t"),
  lo: t("Drag to change D"),
  hi: t("Drag to change D"),
  sigma: t("Drag to change σ"),
};
const PULLING = "wl-pulling"; // class of the picture while a handle is dragged

export class WindowPicture {
  /** @param {PictureActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.handles = buildHandles();
    this.rowPlot = new RowPlot(...Object.values(this.handles));
    this.plot = this.rowPlot.plot;
    this.plot.classList.add("wl-plot");
    this.tip = el("div", { class: "ap-tip", role: "tooltip", hidden: true });
    this.root = el("div", { class: "ap-picture" }, this.rowPlot.root, this.tip);
    /** @type {Geometry | null} */
    this.geometry = null;
    /** @type {AdjustedWindow | null} */
    this.adjusted = null;
    this.scrolledTo = "";
    this.listen();
  }

  /** Handles are dragged; elsewhere the pointer shows the numbers of a word. */
  listen() {
    /** @type {{ handle: HandleName, offset: number } | null} `offset`: from the handle's centre to the pointer */
    let drag = null;
    const xOf = (/** @type {MouseEvent} */ event) => pointInPlot(this.plot, event)[0];
    const pointAt = (/** @type {MouseEvent} */ event) =>
      this.actions.point(this.rowPlot.columnUnder(event, this.geometry, this.root));
    for (const [name, handle] of Object.entries(this.handles)) {
      handle.addEventListener("pointerdown", (event) => {
        if (event.button) return; // not the main one
        const { left, width } = handle.getBoundingClientRect();
        drag = { handle: /** @type {HandleName} */ (name), offset: event.clientX - (left + width / 2) };
        handle.setPointerCapture(event.pointerId);
        this.root.classList.add(PULLING);
        this.actions.point(null);
        event.preventDefault();
      });
      handle.addEventListener("pointermove", (event) => drag && this.dragHandle(drag.handle, xOf(event) - drag.offset));
      const endDrag = () => {
        drag = null;
        this.root.classList.remove(PULLING);
      };
      handle.addEventListener("pointerup", endDrag);
      handle.addEventListener("pointercancel", endDrag);
    }
    this.plot.addEventListener("pointermove", (event) => event.pointerType === "mouse" && !drag && pointAt(event));
    this.plot.addEventListener("pointerleave", () => !drag && this.actions.point(null));
    this.plot.addEventListener("click", (event) => event.target === this.rowPlot.bars && !drag && pointAt(event));
    this.rowPlot.scroll.addEventListener("scroll", () => this.actions.point(null), { passive: true });
  }

  /**
   * Move a handle to `x` pixels of the plot.
   * @param {HandleName} handle
   * @param {number} x
   */
  dragHandle(handle, x) {
    if (!this.geometry || !this.adjusted) return;
    const position = (x - this.geometry.edge) / this.geometry.col - 0.5;
    const { center, rule } = this.adjusted;
    const middle = rule === "real" ? center : Math.floor(center);
    if (handle === "center") this.actions.moveCenter(position);
    else if (handle === "sigma") this.actions.changeSigma(Math.abs(position - center));
    else {
      const halfWidth = handle === "lo" ? middle - position - 0.5 : position - 0.5 - middle;
      this.actions.changeHalfWidth(rule === "real" ? Math.abs(halfWidth) : halfWidth);
    }
  }

  /**
   * Draw a step in the width of the element and in `room` pixels of height.
   * @param {Trace} trace
   * @param {number} step
   * @param {WindowView} view
   * @param {{ hover: ColumnSpot | null, theme: Theme, room: number }} shownIn
   */
  draw(trace, step, view, { hover, theme, room }) {
    const { source, unknown, settings } = trace;
    const { row, adjusted, attention } = view;
    const { pen, u, measure } = this.rowPlot.styleOf(this.root, theme);
    const { width } = this.rowPlot;
    const rows = barRowsOf(attention, adjusted, width < NARROW, settings.score);
    const geometryOf = (/** @type {number} */ v) =>
      layOut({ width, u, v, source, rows, farthest: source.length, measure });
    // Words, scores, Gaussian and weights are in sight at once, so that all change under the reader's eyes.
    const g = geometryOf(width < NARROW ? 1 : heightFactor(geometryOf, room));
    const { alignment, gaussian, span, treatments } = attention;
    const others = Object.fromEntries(treatments.map(({ mode, weights }) => [TREATMENTS[mode].key, weights]));
    const picture = {
      scores: row.scores,
      alignment,
      gaussian,
      span,
      center: adjusted.center,
      weights: others.weights,
      others,
    };
    /** @type {Display} */
    const shown = {
      step,
      local: true,
      bell: true,
      mode: "after_softmax",
      sigma: adjusted.sigma,
      heat: "weights",
      scale: 1,
      range: scoreRange([row]),
      source,
      unknown: new Set(unknown),
      hover: hover?.column ?? null,
    };
    drawNames(this.rowPlot.clear(pen, g), g, picture, shown);
    drawPicture(pen, g, picture, shown);
    this.geometry = g;
    this.adjusted = adjusted;
    this.placeHandles(view, g);
    this.scrollToCenter(`${step} ${adjusted.center}`, g.x(adjusted.center));
    this.showNumbers(source, view, hover);
  }

  /**
   * Place the handles: at the label p_t, at the ends of the window, and on the Gaussian at one sigma.
   * @param {WindowView} view
   * @param {Geometry} g
   */
  placeHandles({ adjusted: { center, sigma }, attention: { span } }, g) {
    const { handles } = this;
    const bellRow = g.bars.find(({ key }) => key === "gaussian") ?? g.bars[0];
    const move = (/** @type {HTMLElement} */ handle, /** @type {number} */ x, /** @type {number} */ y) => {
      handle.style.transform = `translate(${x}px, ${y}px)`;
    };
    const x = (/** @type {number} */ position) => Math.min(Math.max(g.x(position), 0), g.content);
    move(handles.center, x(center), bellRow.y - g.u);
    move(handles.lo, g.left(span ? span.lo : 0), g.ruler.y + 6 * g.u);
    move(handles.hi, g.left(span ? span.hi + 1 : 0), g.ruler.y + 6 * g.u);
    handles.lo.hidden = handles.hi.hidden = !span;
    const side = center + sigma <= g.n - 0.5 ? 1 : -1;
    move(handles.sigma, x(center + side * sigma), bellRow.y + bellRow.h - bell(1, 1) * (bellRow.h - 4 * g.u));
    handles.sigma.hidden = sigma < NARROWEST;
    handles.sigma.dataset.side = String(side);
  }

  /**
   * Scroll p_t into view when it has moved and the picture is wider than the screen.
   * @param {string} center the step and p_t
   * @param {number} x of p_t in pixels of the plot
   */
  scrollToCenter(center, x) {
    const isWider = this.geometry !== null && this.geometry.content > this.rowPlot.scroll.clientWidth + 1;
    if (!isWider || this.root.classList.contains(PULLING) || center === this.scrolledTo) return;
    this.scrolledTo = center;
    this.rowPlot.scrollTo(x);
  }

  /**
   * Show the numbers of the word under the pointer, beside its column.
   * @param {string[]} source
   * @param {WindowView} view
   * @param {ColumnSpot | null} hover
   */
  showNumbers(source, view, hover) {
    this.tip.hidden = !hover;
    if (!hover) return;
    const { column, ...spot } = hover;
    this.tip.replaceChildren(...wordNumbers(source, view, column));
    placeTip(this.tip, spot);
  }
}

/** @returns {Record<HandleName, HTMLElement>} */
function buildHandles() {
  const handles = Object.entries(HANDLES).map(([name, title]) => [
    name,
    el("span", { class: `wl-grip wl-grip-${name}`, "data-grip": name, title }),
  ]);
  return Object.fromEntries(handles);
}

/**
 * The factor of the bars' height with which a picture is as high as its room; the height is linear in it.
 * @param {(v: number) => Geometry} geometryOf
 * @param {number} room in CSS pixels
 */
function heightFactor(geometryOf, room) {
  const [fixed, usual] = [geometryOf(0).height, geometryOf(1).height];
  return Math.min(Math.max((room - fixed) / (usual - fixed), SHORTEST), TALLEST);
}

/**
 * The rows of bars: those common to all treatments, then one for each treatment.
 * @param {AdjustedAttention} attention
 * @param {AdjustedWindow} adjusted
 * @param {boolean} narrow
 * @param {string | null} [score] the score function
 * @returns {BarRow[]}
 */
function barRowsOf(attention, adjusted, narrow, score) {
  const sigma = adjusted.sigma ? `σ = ${Number(adjusted.sigma.toFixed(2))}` : t("σ = 0: one word");
  return [
    { key: "scores", name: t("score"), height: 96, aside: scoreName(score) },
    { key: "alignment", name: t("alignment"), height: 64, aside: narrow ? "softmax" : t("softmax in window") },
    { key: "gaussian", name: t("× Gaussian"), short: t("× Gauss"), height: 88, aside: sigma },
    ...attention.treatments.map(({ mode, massKept }) => ({
      key: TREATMENTS[mode].key,
      name: TREATMENTS[mode].row,
      height: 64,
      aside: narrow ? `Σ ${massKept.toFixed(2)}` : t("sum {total}", { total: massKept.toFixed(2) }),
    })),
  ];
}
