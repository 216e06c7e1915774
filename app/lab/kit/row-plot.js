// A plot of rows of bars under the source words. It scrolls beside a gutter with the names of the rows.

import {
  columnAt,
  columnBox,
  pointedColumn,
  pointInPlot,
} from "../../../attn_core/browser/player/components/places.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { context2d, fitCanvas, styleReader } from "../../../attn_core/browser/player/draw/pen.js";

/** @import { Geometry, Hover, Pen } from "../../../attn_core/browser/player/core/types.d.ts" */

/** Rows of bars over the same positions: a gutter with their labels, and a canvas that may be wider than the screen. */
export class RowPlot {
  /** @param {...Node} handles elements over the bars */
  constructor(...handles) {
    this.gutter = el("canvas", { class: "ap-gutter", "aria-hidden": "true" });
    this.bars = el("canvas", { class: "ap-bars" });
    this.plot = el("div", { class: "ap-plot", role: "img" }, this.bars, ...handles);
    this.scroll = el("div", { class: "ap-scroll" }, this.plot);
    this.root = el("div", { class: "ap-plots" }, this.gutter, this.scroll);
    /** Reads the colours and the font of an element for drawing on the bars. */
    this.styleOf = styleReader(context2d(this.bars));
  }

  get width() {
    return this.root.clientWidth;
  }

  /**
   * Size and clear both canvases for a layout, and return the pen for the gutter.
   * @param {Pen} pen that of the bars
   * @param {Geometry} g
   * @param {number} [height]
   * @returns {Pen}
   */
  clear(pen, g, height = g.height) {
    const ctx = context2d(this.gutter);
    fitCanvas(this.gutter, ctx, g.gutter, height);
    fitCanvas(this.bars, pen.ctx, g.content, height);
    return { ...pen, ctx };
  }

  /** Scroll `x` pixels of the plot to the middle. @param {number} x */
  scrollTo(x) {
    this.scroll.scrollLeft = x - this.scroll.clientWidth / 2;
  }

  /**
   * The column under the pointer, for its tooltip; null beside all columns.
   * @param {MouseEvent} event
   * @param {Geometry | null} g
   * @param {HTMLElement} tipParent the element around the tooltip
   * @returns {(Hover & { part: "column" }) | null}
   */
  columnUnder(event, g, tipParent) {
    const column = g && columnAt(g, pointInPlot(this.plot, event)[0]);
    if (!g || column === null) return null;
    const spot = { part: /** @type {const} */ ("column"), column };
    return { ...spot, ...pointedColumn(event, this.plot, tipParent, columnBox(g, spot, g.words.y + g.words.h)) };
  }
}
