// Drag p_t by its line, except where the line crosses weights that can be set by hand.

import { onGrid } from "../core/settings.js";
import { tagRow } from "../draw/ruler.js";
import { isInRow, pointInPlot } from "./places.js";

/** @import { Geometry } from "../core/types.d.ts" */
/** @import { Gesture, Point } from "./gestures.js" */

const REACH = 14; // on either side of the line, in sixteenths of the font size

/**
 * @param {() => { geometry: Geometry | null, center: number | null, canPaint: boolean, onCenter: (center: number) =>
 * void, onHover: (hover: null) => void }} readPicture the picture as it is now; `center`: p_t, null if it cannot be
 * dragged; `canPaint`: whether weights can be set by hand
 * @returns {Gesture}
 */
export function createCenterDrag(readPicture) {
  let isHeld = false;
  let wasDragged = false; // the click that ends a drag chooses no step

  /** @param {Point} point @param {HTMLElement} plot */
  function isNearLine(point, plot) {
    const { geometry: g, center, canPaint } = readPicture();
    if (!g || center === null) return false;
    const [x, y] = pointInPlot(plot, point);
    return (
      y > tagRow(g).y - 11 * g.u &&
      y < g.ruler.y + g.ruler.h &&
      !(canPaint && isInRow(g, "weights", y)) &&
      Math.abs(x - g.x(center)) < REACH * g.u
    );
  }

  return {
    down(event, plot) {
      wasDragged = false; // a finger's drag ends without a click
      if (event.button !== 0 || !isNearLine(event, plot)) return false;
      isHeld = wasDragged = true;
      plot.setPointerCapture(event.pointerId);
      readPicture().onHover(null);
      return true;
    },
    move(event, plot) {
      plot.classList.toggle("ap-plot-grip", isHeld || isNearLine(event, plot));
      const { geometry: g, onCenter } = readPicture();
      if (!isHeld || !g) return false;
      onCenter(onGrid(Math.min(Math.max(g.place(pointInPlot(plot, event)[0]), 0), g.n)));
      return true;
    },
    up() {
      isHeld = false;
    },
    click() {
      const endsDrag = wasDragged;
      wasDragged = false;
      return endsDrag;
    },
    touch: isNearLine,
  };
}
