// Point at a number of a picture, and click on it.

import { within } from "./places.js";

/**
 * @import { Gesture } from "./gestures.js"
 * @import { Spot } from "../core/types.d.ts"
 *
 * @typedef {object} Pointed
 * @property {(x: number, y: number) => Spot | null} spotAt the part of the picture at a point
 * @property {HTMLElement} stage what places of the tooltip are relative to
 * @property {(hover: Spot & { x: number, y: number } | null) => void} onHover
 * @property {(spot: Spot, y: number) => void} onSpot a click; `y`: its height in the picture
 */

/** @param {() => Pointed} shown @returns {Gesture} */
export function pointing(shown) {
  /** @param {PointerEvent} event @param {HTMLElement} plot */
  function point(event, plot) {
    const { spotAt, stage, onHover } = shown();
    const spot = spotAt(...within(plot, event));
    const [x, y] = within(stage, event);
    onHover(spot && { ...spot, x, y });
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
