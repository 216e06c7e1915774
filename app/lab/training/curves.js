// Curves over the updates of a training in log scale, with a marker, or two. Drag to zoom in, click to move the marker.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { grouped } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { svg } from "../kit/svg.js";

/** @import { Panel } from "./types.d.ts" */

const [LEFT, RIGHT, TOP, BETWEEN, BOTTOM] = [40, 12, 30, 42, 44]; // pixels around the panels
const TICKS = 7; // most on the axis of updates, in steps of 1, 2 and 5
const CLICK = 6; // pixels that the pointer may move in a click

/** Curves that call `choose(update)` at a click. */
export class TrainingCurves {
  /** @param {(update: number) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.picture = svg("svg", { class: "tr-curves", role: "img" });
    this.readout = el("output", { class: "tr-readout" });
    this.showAll = el("button", { type: "button", class: "live-button", text: t("Show all"), hidden: true });
    this.root = el(
      "div",
      { class: "tr-plot" },
      this.picture,
      el("div", { class: "tr-under" }, this.readout, this.showAll),
    );
    /**
     * @type {{ panels: Panel[], updates: number, until: number, marked: number, kept: number | null, height: number } |
     * null}
     */
    this.shown = null;
    /** @type {[number, number] | null} */
    this.zoom = null;
    /** @type {number | null} */
    this.dragStart = null; // the pixel where a drag began
    /** @type {number | null} */
    this.pointerAt = null; // the pixel that the pointer is over
    this.listen();
  }

  /** @param {number} update */
  x(update) {
    const [low, high] = this.range();
    return LEFT + (Math.log(update / low) / Math.log(high / low)) * this.innerWidth();
  }

  /** @param {number} pixel */
  updateAt(pixel) {
    const [low, high] = this.range();
    return Math.min(Math.max(low * (high / low) ** ((pixel - LEFT) / this.innerWidth()), low), high);
  }

  listen() {
    this.picture.addEventListener("pointerdown", (event) => {
      if (event.button) return; // not the main one
      this.dragStart = this.pointerAt = this.pixelOf(event);
      this.picture.setPointerCapture(event.pointerId);
    });
    this.picture.addEventListener("pointermove", (event) => {
      this.pointerAt = this.pixelOf(event);
      this.draw();
    });
    this.picture.addEventListener("pointerup", (event) => {
      if (this.dragStart === null) return;
      const ends = [this.updateAt(this.dragStart), this.updateAt(this.pixelOf(event))].sort((a, b) => a - b);
      if (Math.abs(this.pixelOf(event) - this.dragStart) <= CLICK) this.choose(ends[0]);
      else if (ends[1] / ends[0] > 1.02) this.zoom = [ends[0], ends[1]];
      this.dragStart = null;
      this.draw();
    });
    this.picture.addEventListener("pointercancel", () => {
      // the page is scrolled by touch
      this.dragStart = this.pointerAt = null;
      this.draw();
    });
    this.picture.addEventListener("dblclick", () => this.zoomOut());
    this.showAll.addEventListener("click", () => this.zoomOut());
    this.picture.addEventListener("pointerleave", () => {
      this.pointerAt = null;
      this.draw();
    });
  }

  draw() {
    if (!this.shown || !this.picture.clientWidth) return;
    const { panels, until, marked, kept, height } = this.shown;
    this.picture.replaceChildren();
    this.picture.setAttribute("height", String(height));
    const panelHeight = (height - TOP - BOTTOM - BETWEEN * (panels.length - 1)) / panels.length;
    const [low, high] = this.range();
    const right = LEFT + this.innerWidth();
    panels.forEach((panel, place) => this.drawPanel(panel, TOP + place * (panelHeight + BETWEEN), panelHeight));
    const bottom = height - BOTTOM;
    for (const tick of ticks(low, high))
      this.drawText(this.x(tick), bottom + 15, grouped(tick), this.x(tick) > right - 24 ? "end" : "middle");
    this.drawText(right, bottom + 34, t("update, log scale"), "end");
    this.picture.append(
      svg("clipPath", { id: "tr-clip" }, svg("rect", { x: LEFT, y: 0, width: this.innerWidth(), height })),
    );
    if (kept !== null && kept >= low && kept <= high)
      this.drawLine(this.x(kept), TOP - 4, this.x(kept), bottom, "tr-kept");
    if (marked >= low && marked <= high) {
      this.drawLine(this.x(marked), TOP - 4, this.x(marked), bottom, "tr-marker");
      this.picture.append(svg("path", { d: `M${this.x(marked) - 6} ${bottom + 1}h12l-6 -8z`, class: "tr-grip" }));
    }
    if (this.pointerAt !== null) this.drawLine(this.pointerAt, TOP - 4, this.pointerAt, bottom, "tr-over");
    if (this.pointerAt !== null && this.dragStart !== null && Math.abs(this.pointerAt - this.dragStart) > CLICK) {
      this.picture.append(
        svg("rect", {
          x: Math.min(this.pointerAt, this.dragStart),
          y: TOP,
          width: Math.abs(this.pointerAt - this.dragStart),
          height: bottom - TOP,
          class: "tr-range",
        }),
      );
    }
    this.picture.setAttribute("aria-label", this.valuesAt(marked));
    this.readout.textContent = this.valuesAt(
      this.pointerAt === null ? marked : Math.min(this.updateAt(this.pointerAt), until),
    );
    this.showAll.hidden = this.zoom === null;
  }

  /**
   * @param {Panel} panel
   * @param {number} top
   * @param {number} panelHeight the height of a panel
   */
  drawPanel(panel, top, panelHeight) {
    const [low, high] = this.range();
    const right = LEFT + this.innerWidth();
    const y = (/** @type {number} */ value) => top + panelHeight * (1 - Math.min(value / panel.most, 1));
    this.drawLegend(panel, top - 12);
    for (const value of [0, panel.most / 2, panel.most]) {
      this.drawLine(LEFT, y(value), right, y(value), "tr-grid");
      this.drawText(LEFT - 6, y(value), String(value), "end");
    }
    for (const { kind, points } of panel.curves) {
      /** @type {[number, number][]} */
      const inside = [];
      points.forEach(([update, value], i) => {
        const near = (points[i + 1]?.[0] ?? update) >= low && (points[i - 1]?.[0] ?? update) <= high;
        if (value !== null && near) inside.push([this.x(update), y(value)]);
      });
      const path = inside.map(([a, b], i) => `${i ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`).join("");
      this.picture.append(svg("path", { d: path, class: `tr-line tr-${kind}`, "clip-path": "url(#tr-clip)" }));
      if (inside.length < 40)
        for (const [a, b] of inside)
          if (a >= LEFT - 1 && a <= right + 1)
            this.picture.append(svg("circle", { cx: a, cy: b, r: 3, class: `tr-dot tr-${kind}` }));
    }
  }

  /**
   * The values of all curves at an update, or at the last point before it.
   * @param {number} update
   */
  valuesAt(update) {
    const values = (this.shown?.panels ?? []).flatMap(({ curves, digits }) =>
      curves.flatMap(({ label, points }) => {
        const last = points.findLast(([at, value]) => at <= update + 0.5 && value !== null);
        return last ? [`${label} ${/** @type {number} */ (last[1]).toFixed(digits)}`] : [];
      }),
    );
    return [t("Update {update}", { update: grouped(Math.round(update)) }), ...values].join(" · ");
  }

  /**
   * @param {Panel} panel
   * @param {number} y
   */
  drawLegend(panel, y) {
    let at = LEFT;
    this.drawText(at, y, panel.title, "start", "tr-title");
    at += 8 + /** @type {SVGTextElement} */ (this.picture.lastChild).getComputedTextLength();
    for (const { label, kind } of panel.curves) {
      this.drawLine(at, y, at + 16, y, `tr-line tr-${kind}`);
      this.drawText(at + 21, y, label, "start");
      at += 34 + /** @type {SVGTextElement} */ (this.picture.lastChild).getComputedTextLength();
    }
  }

  /**
   * @param {number} left
   * @param {number} y
   * @param {string} text
   * @param {"start" | "middle" | "end"} anchor
   * @param {string} [kind]
   */
  drawText(left, y, text, anchor, kind = "tr-tick") {
    this.picture.append(
      svg("text", { x: left, y, "text-anchor": anchor, "dominant-baseline": "middle", class: kind }, text),
    );
  }

  zoomOut() {
    this.zoom = null;
    this.draw();
  }

  range() {
    return this.zoom ?? [1, Math.max(this.shown?.updates ?? 1, 2)];
  }

  innerWidth() {
    return Math.max(this.picture.clientWidth - LEFT - RIGHT, 1);
  }

  /**
   * @param {number} x1
   * @param {number} y1
   * @param {number} x2
   * @param {number} y2
   * @param {string} kind
   */
  drawLine(x1, y1, x2, y2, kind) {
    return this.picture.append(svg("line", { x1, y1, x2, y2, class: kind }));
  }

  /** @param {PointerEvent} event */
  pixelOf(event) {
    return Math.min(
      Math.max(event.clientX - this.picture.getBoundingClientRect().left, LEFT),
      LEFT + this.innerWidth(),
    );
  }

  /**
   * Show other curves, which end at `until`, over `updates` updates, with the marker at `marked` and that of the kept
   * moment, in `height` pixels.
   * @param {Panel[]} panels
   * @param {number} updates
   * @param {number} until
   * @param {number} marked
   * @param {number | null} kept
   * @param {number} height
   */
  show(panels, updates, until, marked, kept, height) {
    this.shown = { panels, updates, until, marked, kept, height };
    this.draw();
  }
}

/**
 * Round updates from `low` to `high`: powers of ten, with 2 and 5 between them if there is room.
 * @param {number} low
 * @param {number} high
 */
function ticks(low, high) {
  /** @type {number[]} */
  const candidates = [];
  for (let power = 1; power <= high; power *= 10)
    for (const k of [1, 2, 5]) if (k * power >= low && k * power <= high) candidates.push(k * power);
  const tens = candidates.filter((value) => Number.isInteger(Math.log10(value)));
  if (candidates.length <= TICKS && candidates.length > 1) return candidates;
  return tens.length > 1 ? tens : [Math.ceil(low), Math.floor(high)];
}
