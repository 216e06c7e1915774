// Drag p_t by its line; not where the line crosses weights that can be set by hand.

import { onGrid } from "../core/settings.js";
import { tagRow } from "../draw/ruler.js";
import { inRow, within } from "./places.js";

/** @import { Geometry } from "../core/types.d.ts" */
/** @import { Gesture, Point } from "./gestures.js" */

const REACH = 14; // on either side of the line, in sixteenths of the font size

/**
 * @param {() => { geometry: Geometry | null, place: number | null, paint: boolean, onPlace: (place: number) => void,
 * onHover: (hover: null) => void }} shown the picture; `place`: p_t, if it can be dragged
 * @returns {Gesture}
 */
export function centerDrag(shown) {
  let held = false;
  let dragged = false; // the click at the end chooses no step

  /** @param {Point} point @param {HTMLElement} plot */
  function near(point, plot) {
    const { geometry: g, place, paint } = shown();
    if (!g || place === null) return false;
    const [x, y] = within(plot, point);
    return (
      y > tagRow(g).y - 11 * g.u &&
      y < g.ruler.y + g.ruler.h &&
      !(paint && inRow(g, "weights", y)) &&
      Math.abs(x - g.x(place)) < REACH * g.u
    );
  }

  return {
    down(event, plot) {
      dragged = false; // a finger's drag ends without a click
      if (event.button !== 0 || !near(event, plot)) return false;
      held = dragged = true;
      plot.setPointerCapture(event.pointerId);
      shown().onHover(null);
      return true;
    },
    move(event, plot) {
      plot.classList.toggle("ap-plot-grip", held || near(event, plot));
      const { geometry: g, onPlace } = shown();
      if (!held || !g) return false;
      const place = Math.min(Math.max(g.place(within(plot, event)[0]), 0), g.n);
      onPlace(onGrid(place));
      return true;
    },
    up() {
      held = false;
    },
    click() {
      const ended = dragged;
      dragged = false;
      return ended;
    },
    touch: near,
  };
}
