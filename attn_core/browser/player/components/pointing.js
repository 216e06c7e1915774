// Point at a number of a picture, and click on it.

import { pointedColumn, within } from "./places.js";

/**
 * @import { Gesture } from "./gestures.js"
 * @import { PointedColumn, Spot } from "../core/types.d.ts"
 *
 * @typedef {object} Pointed
 * @property {(x: number, y: number) => Spot | null} spotAt the part of the picture at a point
 * @property {(spot: Spot) => { left: number, right: number, top: number }} columnOf the column of a spot, and where its
 * words end
 * @property {HTMLElement} stage what places of the tooltip are relative to
 * @property {(hover: Spot & PointedColumn | null) => void} onHover
 * @property {(spot: Spot, y: number) => void} onSpot a click; `y`: its height in the picture
 */

/** @param {() => Pointed} shown @returns {Gesture} */
export function pointing(shown) {
  /** @param {PointerEvent} event @param {HTMLElement} plot */
  function point(event, plot) {
    const { spotAt, columnOf, stage, onHover } = shown();
    const spot = spotAt(...within(plot, event));
    onHover(spot && { ...spot, ...pointedColumn(event, plot, stage, columnOf(spot)) });
  }

  return {
    move(event, plot) {
      if (event.pointerType === "mouse") point(event, plot);
    },
    leave({ pointerType }) {
      if (pointerType === "mouse") shown().onHover(null);
    },
    click(event, plot) {
      const [x, y] = within(plot, event);
      const spot = shown().spotAt(x, y);
      if (spot) shown().onSpot(spot, y);
      point(event, plot);
    },
  };
}
