// Point at a number of the figure, and click on it; a click in the heatmap or on a target word goes to its step.

import { hit } from "../core/layout.js";
import { inRow, within } from "./places.js";

/** @import { Gesture, Shown } from "./gestures.js" */

/** @param {() => Shown} shown @returns {Gesture} */
export function pointing(shown) {
  /** @param {MouseEvent} event @param {HTMLElement} plot */
  function spotAt(event, plot) {
    const { geometry } = shown();
    return geometry && hit(geometry, ...within(plot, event));
  }

  /** @param {MouseEvent} event @param {HTMLElement} plot */
  function point(event, plot) {
    const { stage, onHover } = shown();
    const spot = spotAt(event, plot);
    const [x, y] = within(stage, event);
    onHover(spot && spot.part !== "target" ? { ...spot, x, y } : null);
  }

  /** The row of bars at a height. @param {number} y */
  function rowAt(y) {
    const { geometry: g } = shown();
    return g?.bars.findLast(({ key }) => inRow(g, key, y))?.key ?? "weights";
  }

  return {
    move(event, plot) {
      if (event.pointerType === "mouse") point(event, plot);
    },
    leave({ pointerType }) {
      if (pointerType === "mouse") shown().onHover(null);
    },
    click(event, plot) {
      const { heat, jump, onNumber } = shown();
      const spot = spotAt(event, plot);
      if (spot?.part === "map") onNumber({ key: heat, place: spot.column, row: spot.row });
      if (spot?.part === "column") onNumber({ key: rowAt(within(plot, event)[1]), place: spot.column, row: null });
      if (spot && spot.part !== "column") jump(spot.row);
      point(event, plot);
    },
  };
}
