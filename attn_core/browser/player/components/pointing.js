// Point at a number of a picture, and click on it.

import { pointedColumn, pointInPlot } from "./places.js";

/**
 * @import { Gesture } from "./gestures.js"
 * @import { PointedColumn, Spot } from "../core/types.d.ts"
 *
 * @typedef {object} Pointable a picture, and what pointing at it does
 * @property {(x: number, y: number) => Spot | null} spotAt the part of the picture at a point
 * @property {(spot: Spot) => { left: number, right: number, top: number }} columnOf the column of a spot, and where its
 * words end
 * @property {HTMLElement} tipParent the element around the tooltip
 * @property {(hover: Spot & PointedColumn | null) => void} onHover
 * @property {(spot: Spot, y: number) => void} onSpot a click; `y`: its height in the picture
 */

/** @param {() => Pointable} readPicture the picture as it is now @returns {Gesture} */
export function createPointing(readPicture) {
  /** @param {PointerEvent} event @param {HTMLElement} plot */
  function point(event, plot) {
    const { spotAt, columnOf, tipParent, onHover } = readPicture();
    const spot = spotAt(...pointInPlot(plot, event));
    onHover(spot && { ...spot, ...pointedColumn(event, plot, tipParent, columnOf(spot)) });
  }

  return {
    move(event, plot) {
      if (event.pointerType === "mouse") point(event, plot);
    },
    leave({ pointerType }) {
      if (pointerType === "mouse") readPicture().onHover(null);
    },
    click(event, plot) {
      const [x, y] = pointInPlot(plot, event);
      const spot = readPicture().spotAt(x, y);
      if (spot) readPicture().onSpot(spot, y);
      point(event, plot);
    },
  };
}
