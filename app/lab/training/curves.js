// Curves over the updates of a training in log scale, with a marker, or two. Drag to zoom in, click to move the marker.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { grouped } from "../../../attn_core/web/player/core/numbers.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";

/** @import { Panel } from "./types.d.ts" */

const [LEFT, RIGHT, TOP, BETWEEN, BOTTOM] = [40, 12, 30, 42, 44]; // pixels around the panels
const TICKS = 7; // most on the axis of updates, in steps of 1, 2 and 5
const CLICK = 6; // pixels that the pointer may move in a click

/**
 * Curves that call `choose(update)` at a click.
 * @param {(update: number) => void} choose
 */
export function trainingCurves(choose) {
  const picture = svg("svg", { class: "tr-curves", role: "img" });
  const readout = el("output", { class: "tr-readout" });
  const whole = el("button", { type: "button", class: "live-button", text: t("Show all"), hidden: true });
  const root = el("div", { class: "tr-plot" }, picture, el("div", { class: "tr-under" }, readout, whole));
  /** @type {{ panels: Panel[], updates: number, until: number, marked: number, kept: number | null, height: number } | null} */
  let shown = null;
  /** @type {[number, number] | null} */
  let zoom = null;
  /** @type {number | null} */
  let dragged = null; // the pixel where a drag began
  /** @type {number | null} */
  let over = null; // the pixel that the pointer is over

  const range = () => zoom ?? [1, Math.max(shown?.updates ?? 1, 2)];
  const inner = () => Math.max(picture.clientWidth - LEFT - RIGHT, 1);
  const x = (/** @type {number} */ update) => {
    const [low, high] = range();
    return LEFT + (Math.log(update / low) / Math.log(high / low)) * inner();
  };
  const updateAt = (/** @type {number} */ pixel) => {
    const [low, high] = range();
    return Math.min(Math.max(low * (high / low) ** ((pixel - LEFT) / inner()), low), high);
  };

  function draw() {
    if (!shown || !picture.clientWidth) return;
    const { panels, until, marked, kept, height } = shown;
    picture.replaceChildren();
    picture.setAttribute("height", String(height));
    const each = (height - TOP - BOTTOM - BETWEEN * (panels.length - 1)) / panels.length;
    const [low, high] = range();
    const right = LEFT + inner();
    panels.forEach((panel, place) => {
      const top = TOP + place * (each + BETWEEN);
      const y = (/** @type {number} */ value) => top + each * (1 - Math.min(value / panel.most, 1));
      legend(panel, top - 12);
      for (const value of [0, panel.most / 2, panel.most]) {
        line(LEFT, y(value), right, y(value), "tr-grid");
        words(LEFT - 6, y(value), String(value), "end");
      }
      for (const { kind, points } of panel.curves) {
        /** @type {[number, number][]} */
        const inside = [];
        points.forEach(([update, value], i) => {
          const near = (points[i + 1]?.[0] ?? update) >= low && (points[i - 1]?.[0] ?? update) <= high;
          if (value !== null && near) inside.push([x(update), y(value)]);
        });
        const path = inside.map(([a, b], i) => `${i ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`).join("");
        picture.append(svg("path", { d: path, class: `tr-line tr-${kind}`, "clip-path": "url(#tr-clip)" }));
        if (inside.length < 40) for (const [a, b] of inside) if (a >= LEFT - 1 && a <= right + 1) picture.append(svg("circle", { cx: a, cy: b, r: 3, class: `tr-dot tr-${kind}` }));
      }
    });
    const bottom = height - BOTTOM;
    for (const tick of ticks(low, high)) words(x(tick), bottom + 15, grouped(tick), x(tick) > right - 24 ? "end" : "middle");
    words(right, bottom + 34, t("update, log scale"), "end");
    const clip = svg("clipPath", { id: "tr-clip" });
    clip.append(svg("rect", { x: LEFT, y: 0, width: inner(), height }));
    picture.append(clip);
    if (kept !== null && kept >= low && kept <= high) line(x(kept), TOP - 4, x(kept), bottom, "tr-kept");
    if (marked >= low && marked <= high) {
      line(x(marked), TOP - 4, x(marked), bottom, "tr-marker");
      picture.append(svg("path", { d: `M${x(marked) - 6} ${bottom + 1}h12l-6 -8z`, class: "tr-grip" }));
    }
    if (over !== null) line(over, TOP - 4, over, bottom, "tr-over");
    if (over !== null && dragged !== null && Math.abs(over - dragged) > CLICK) {
      picture.append(svg("rect", { x: Math.min(over, dragged), y: TOP, width: Math.abs(over - dragged), height: bottom - TOP, class: "tr-range" }));
    }
    picture.setAttribute("aria-label", told(marked));
    readout.textContent = told(over === null ? marked : Math.min(updateAt(over), until));
    whole.hidden = zoom === null;
  }

  /**
   * The values of all curves at an update, or at the last point before it.
   * @param {number} update
   */
  function told(update) {
    const values = (shown?.panels ?? []).flatMap(({ curves, digits }) => curves.flatMap(({ label, points }) => {
      const last = points.findLast(([at, value]) => at <= update + 0.5 && value !== null);
      return last ? [`${label} ${/** @type {number} */ (last[1]).toFixed(digits)}`] : [];
    }));
    return [t("Update {update}", { update: grouped(Math.round(update)) }), ...values].join(" · ");
  }

  /**
   * @param {Panel} panel
   * @param {number} y
   */
  function legend(panel, y) {
    let at = LEFT;
    words(at, y, panel.title, "start", "tr-title");
    at += 8 + /** @type {SVGTextElement} */ (picture.lastChild).getComputedTextLength();
    for (const { label, kind } of panel.curves) {
      line(at, y, at + 16, y, `tr-line tr-${kind}`);
      words(at + 21, y, label, "start");
      at += 34 + /** @type {SVGTextElement} */ (picture.lastChild).getComputedTextLength();
    }
  }

  /**
   * @param {number} x1
   * @param {number} y1
   * @param {number} x2
   * @param {number} y2
   * @param {string} kind
   */
  const line = (x1, y1, x2, y2, kind) => picture.append(svg("line", { x1, y1, x2, y2, class: kind }));

  /**
   * @param {number} left
   * @param {number} y
   * @param {string} text
   * @param {"start" | "middle" | "end"} anchor
   * @param {string} [kind]
   */
  function words(left, y, text, anchor, kind = "tr-tick") {
    const node = svg("text", { x: left, y, "text-anchor": anchor, "dominant-baseline": "middle", class: kind });
    node.textContent = text;
    picture.append(node);
  }

  const pixel = (/** @type {PointerEvent} */ event) => Math.min(Math.max(event.clientX - picture.getBoundingClientRect().left, LEFT), LEFT + inner());
  picture.addEventListener("pointerdown", (event) => {
    if (event.button) return; // not the main one
    dragged = over = pixel(event);
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    over = pixel(event);
    draw();
  });
  picture.addEventListener("pointerup", (event) => {
    if (dragged === null) return;
    const ends = [updateAt(dragged), updateAt(pixel(event))].sort((a, b) => a - b);
    if (Math.abs(pixel(event) - dragged) <= CLICK) choose(ends[0]);
    else if (ends[1] / ends[0] > 1.02) zoom = [ends[0], ends[1]];
    dragged = null;
    draw();
  });
  picture.addEventListener("pointercancel", () => { // the page is scrolled by touch
    dragged = over = null;
    draw();
  });
  const all = () => {
    zoom = null;
    draw();
  };
  picture.addEventListener("dblclick", all);
  whole.addEventListener("click", all);
  picture.addEventListener("pointerleave", () => {
    over = null;
    draw();
  });

  return {
    root,
    picture,
    draw,
    all,
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
      shown = { panels, updates, until, marked, kept, height };
      draw();
    },
  };
}

/**
 * Round updates from `low` to `high`: powers of ten, with 2 and 5 between them if there is room.
 * @param {number} low
 * @param {number} high
 */
function ticks(low, high) {
  /** @type {number[]} */
  const found = [];
  for (let power = 1; power <= high; power *= 10) for (const k of [1, 2, 5]) if (k * power >= low && k * power <= high) found.push(k * power);
  const tens = found.filter((value) => Number.isInteger(Math.log10(value)));
  if (found.length <= TICKS && found.length > 1) return found;
  return tens.length > 1 ? tens : [Math.ceil(low), Math.floor(high)];
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElementTagNameMap[Tag]}
 */
function svg(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}
