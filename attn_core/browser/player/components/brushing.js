// Set the weights of the current step by hand in the heatmap: drag across its cells, or click on one, which then has
// all the weight.

import { hitMap } from "../core/map-layout.js";
import { within } from "./places.js";

/** @import { MapGeometry, Painted } from "../core/types.d.ts" */
/** @import { Gesture, Point } from "./gestures.js" */

/**
 * @param {() => { geometry: MapGeometry | null, step: number, paint: boolean, onPaint: (painted: Painted) => void }}
 * shown the heatmap; `paint`: whether weights can be set
 * @returns {Gesture}
 */
export function brushing(shown) {
  /** @type {number[] | null} the cells that a drag across the current step has touched, in their order */
  let brushed = null;
  let dragged = false; // the click at the end opens nothing

  /**
   * The column of a cell of the current step at a point; null elsewhere.
   * @param {Point} point
   * @param {HTMLElement} plot
   */
  function cellAt(point, plot) {
    const { geometry: g, step, paint } = shown();
    const spot = g && paint && hitMap(g, ...within(plot, point));
    return spot && spot.part === "map" && spot.row === step ? spot.column : null;
  }

  /** The column closest to a point, wherever it is above or below. @param {Point} point @param {HTMLElement} plot */
  function nearestColumn(point, plot) {
    const { geometry: g } = shown();
    return g && Math.min(Math.max(Math.floor((within(plot, point)[0] - g.left(0)) / g.col), 0), g.n - 1);
  }

  /** The cells up to a column are touched too. @param {number | null} column */
  function brush(column) {
    if (column === null || !brushed || column === brushed.at(-1)) return;
    brushed = extended(brushed, column);
    shown().onPaint({ place: column, weight: null, places: brushed, phase: dragged ? "move" : "start" });
    dragged = true;
  }

  return {
    down(event, plot) {
      const cell = cellAt(event, plot);
      dragged = false; // a finger's drag ends without a click
      if (event.button !== 0 || cell === null) return;
      brushed = [cell];
      plot.setPointerCapture(event.pointerId);
    },
    move(event, plot) {
      plot.classList.toggle("ap-plot-brush", brushed !== null || cellAt(event, plot) !== null);
      if (brushed) brush(nearestColumn(event, plot));
      return brushed !== null;
    },
    up({ type, pointerType }) {
      const place = dragged ? brushed?.at(-1) : undefined;
      // No click follows
      const tapped = type === "pointerup" && brushed && !dragged && pointerType === "touch" ? brushed[0] : null;
      brushed = null;
      if (place !== undefined) shown().onPaint({ place, weight: 0, phase: "end" });
      if (tapped !== null) shown().onPaint({ place: tapped, weight: null, phase: "end" });
    },
    click(event, plot) {
      const place = dragged ? null : cellAt(event, plot);
      const ended = dragged;
      dragged = false;
      if (place !== null) shown().onPaint({ place, weight: null, phase: "end" });
      return ended || place !== null;
    },
    touch: (finger, plot) => cellAt(finger, plot) !== null,
  };
}

/**
 * The touched cells in their order, after a drag on to `column`: a cell that is touched again is the last.
 * @param {number[]} cells
 * @param {number} column
 */
function extended(cells, column) {
  const last = cells[cells.length - 1];
  const towards = Math.sign(column - last);
  const passed = Array.from({ length: Math.abs(column - last) }, (_, i) => last + (i + 1) * towards);
  return [...cells.filter((cell) => !passed.includes(cell)), ...passed];
}
