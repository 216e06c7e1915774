// Set the weights of the current step by hand: drag a bar, or click on a source word, which then has all the weight.

import { weightAt } from "../draw/bars.js";
import { columnAt, inRow, within } from "./places.js";

/** @import { Geometry, Painted } from "../core/types.d.ts" */
/** @import { Gesture, Point } from "./gestures.js" */

/**
 * @param {() => { geometry: Geometry | null, paint: boolean, onHover: (hover: null) => void, onPaint: (painted:
 * Painted) => void }} shown the picture; `paint`: whether weights can be set
 * @returns {Gesture}
 */
export function painting(shown) {
  /** @type {number | null} the word whose bar is held */
  let held = null;
  let dragged = false; // the click at the end opens nothing

  /**
   * The word at a point of the bars, and the weight that a bar up to there has.
   * @param {Point} point
   * @param {HTMLElement} plot
   */
  function barAt(point, plot) {
    const { geometry: g, paint } = shown();
    const row = paint && g?.bars.find(({ key }) => key === "weights");
    if (!g || !row) return null;
    const [x, y] = within(plot, point);
    const place = Math.round(g.place(x));
    return { isNear: place >= 0 && place < g.n && inRow(g, "weights", y), place, weight: weightAt(g, row, y) };
  }

  /** The source word at a point. @param {Point} point @param {HTMLElement} plot */
  function wordAt(point, plot) {
    const { geometry: g, paint } = shown();
    if (!g || !paint) return null;
    const [x, y] = within(plot, point);
    return y >= g.words.y && y <= g.words.y + g.words.h ? columnAt(g, x) : null;
  }

  return {
    down(event, plot) {
      const bar = barAt(event, plot);
      dragged = false; // a finger's drag ends without a click
      if (event.button !== 0 || !bar?.isNear) return;
      held = bar.place;
      dragged = true;
      plot.setPointerCapture(event.pointerId);
      shown().onHover(null);
      shown().onPaint({ place: bar.place, weight: bar.weight, phase: "start" });
    },
    move(event, plot) {
      const bar = barAt(event, plot);
      plot.classList.toggle("ap-plot-paint", held !== null || Boolean(bar?.isNear));
      if (held !== null && bar) shown().onPaint({ place: held, weight: bar.weight, phase: "move" });
      return held !== null;
    },
    up() {
      const place = held;
      held = null;
      if (place !== null) shown().onPaint({ place, weight: 0, phase: "end" });
    },
    click(event, plot) {
      const place = dragged ? null : wordAt(event, plot);
      const ended = dragged;
      dragged = false;
      if (place !== null) shown().onPaint({ place, weight: null, phase: "end" });
      return ended || place !== null;
    },
    touch: (finger, plot) => Boolean(barAt(finger, plot)?.isNear),
  };
}
