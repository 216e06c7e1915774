// Set the weights of the current step by hand in the heatmap: drag across its cells, or click on one, which then has
// all the weight.

import { hitMap } from "../core/map-layout.js";
import { pointInPlot } from "./places.js";

/** @import { MapGeometry, Painted } from "../core/types.d.ts" */
/** @import { Gesture, Point } from "./gestures.js" */

/**
 * @param {() => { geometry: MapGeometry | null, step: number, canPaint: boolean, onPaint: (painted: Painted) => void }}
 * readMap the heatmap as it is now; `canPaint`: whether weights can be set
 * @returns {Gesture}
 */
export function createBrushing(readMap) {
  /** @type {number[] | null} the source positions that the current drag has passed, the last one at the end */
  let brushed = null;
  let wasDragged = false; // the click that ends a drag opens nothing

  /**
   * The source position of the cell at a point; null outside the row of the current step.
   * @param {Point} point
   * @param {HTMLElement} plot
   */
  function cellAt(point, plot) {
    const { geometry, step, canPaint } = readMap();
    const spot = geometry && canPaint && hitMap(geometry, ...pointInPlot(plot, point));
    return spot && spot.part === "map" && spot.row === step ? spot.column : null;
  }

  /** The column closest to a point at any height. @param {Point} point @param {HTMLElement} plot */
  function nearestColumn(point, plot) {
    const { geometry: g } = readMap();
    return g && Math.min(Math.max(Math.floor((pointInPlot(plot, point)[0] - g.left(0)) / g.col), 0), g.n - 1);
  }

  /** @param {number | null} position */
  function brushTo(position) {
    if (position === null || !brushed || position === brushed.at(-1)) return;
    brushed = extendTo(brushed, position);
    readMap().onPaint({ position, weight: null, positions: brushed, phase: wasDragged ? "move" : "start" });
    wasDragged = true;
  }

  return {
    down(event, plot) {
      const cell = cellAt(event, plot);
      wasDragged = false; // a finger's drag ends without a click
      if (event.button !== 0 || cell === null) return;
      brushed = [cell];
      plot.setPointerCapture(event.pointerId);
    },
    move(event, plot) {
      plot.classList.toggle("ap-plot-brush", brushed !== null || cellAt(event, plot) !== null);
      if (brushed) brushTo(nearestColumn(event, plot));
      return brushed !== null;
    },
    up({ type, pointerType }) {
      const last = wasDragged ? brushed?.at(-1) : undefined;
      // onTouchStart prevents the click of a tap
      const tapped = type === "pointerup" && brushed && !wasDragged && pointerType === "touch" ? brushed[0] : null;
      brushed = null;
      if (last !== undefined) readMap().onPaint({ position: last, weight: 0, phase: "end" });
      if (tapped !== null) readMap().onPaint({ position: tapped, weight: null, phase: "end" });
    },
    click(event, plot) {
      const clicked = wasDragged ? null : cellAt(event, plot);
      const endsDrag = wasDragged;
      wasDragged = false;
      if (clicked !== null) readMap().onPaint({ position: clicked, weight: null, phase: "end" });
      return endsDrag || clicked !== null;
    },
    touch: (finger, plot) => cellAt(finger, plot) !== null,
  };
}

/**
 * The positions that a drag has passed once it goes on to `position`; one that it passes again moves to the end.
 * @param {number[]} passed
 * @param {number} position
 */
function extendTo(passed, position) {
  const last = passed[passed.length - 1];
  const direction = Math.sign(position - last);
  const added = Array.from({ length: Math.abs(position - last) }, (_, i) => last + (i + 1) * direction);
  return [...passed.filter((earlier) => !added.includes(earlier)), ...added];
}
