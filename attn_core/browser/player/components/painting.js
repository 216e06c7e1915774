// Set the weights of the current step by hand: drag a bar, or click on a source word, which then has all the weight.

import { weightAt } from "../draw/bars.js";
import { columnAt, isInRow, pointInPlot } from "./places.js";

/** @import { Geometry, Painted } from "../core/types.d.ts" */
/** @import { Gesture, Point } from "./gestures.js" */

/**
 * @param {() => { geometry: Geometry | null, canPaint: boolean, onHover: (hover: null) => void, onPaint: (painted:
 * Painted) => void }} readPicture the picture as it is now; `canPaint`: whether weights can be set
 * @returns {Gesture}
 */
export function createPainting(readPicture) {
  /** @type {number | null} the source position whose bar is held */
  let held = null;
  let wasDragged = false; // the click that ends a drag opens nothing

  /**
   * The source position at a point, whether the point is on its bar, and the weight of a bar of that height.
   * @param {Point} point
   * @param {HTMLElement} plot
   */
  function barAt(point, plot) {
    const { geometry: g, canPaint } = readPicture();
    const row = canPaint && g?.bars.find(({ key }) => key === "weights");
    if (!g || !row) return null;
    const [x, y] = pointInPlot(plot, point);
    const position = Math.round(g.place(x));
    const isNear = position >= 0 && position < g.n && isInRow(g, "weights", y);
    return { isNear, position, weight: weightAt(g, row, y) };
  }

  /** The position of the source word at a point; null elsewhere. @param {Point} point @param {HTMLElement} plot */
  function wordAt(point, plot) {
    const { geometry: g, canPaint } = readPicture();
    if (!g || !canPaint) return null;
    const [x, y] = pointInPlot(plot, point);
    return y >= g.words.y && y <= g.words.y + g.words.h ? columnAt(g, x) : null;
  }

  return {
    down(event, plot) {
      const bar = barAt(event, plot);
      wasDragged = false; // a finger's drag ends without a click
      if (event.button !== 0 || !bar?.isNear) return;
      held = bar.position;
      wasDragged = true;
      plot.setPointerCapture(event.pointerId);
      readPicture().onHover(null);
      readPicture().onPaint({ position: bar.position, weight: bar.weight, phase: "start" });
    },
    move(event, plot) {
      const bar = barAt(event, plot);
      plot.classList.toggle("ap-plot-paint", held !== null || Boolean(bar?.isNear));
      if (held !== null && bar) readPicture().onPaint({ position: held, weight: bar.weight, phase: "move" });
      return held !== null;
    },
    up() {
      const released = held;
      held = null;
      if (released !== null) readPicture().onPaint({ position: released, weight: 0, phase: "end" });
    },
    click(event, plot) {
      const clicked = wasDragged ? null : wordAt(event, plot);
      const endsDrag = wasDragged;
      wasDragged = false;
      if (clicked !== null) readPicture().onPaint({ position: clicked, weight: null, phase: "end" });
      return endsDrag || clicked !== null;
    },
    touch: (finger, plot) => Boolean(barAt(finger, plot)?.isNear),
  };
}
