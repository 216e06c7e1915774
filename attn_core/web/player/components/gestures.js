// What readers do on the figure with a mouse, a finger or a pen: they drag p_t, set weights by hand, point at numbers and
// click on them. Each event belongs to the first of these that takes it.

import { centerDrag } from "./center-drag.js";
import { painting } from "./painting.js";
import { pointing } from "./pointing.js";

/**
 * @import { Clicked, Geometry, Hover, Painted } from "../core/types.d.ts"
 *
 * @typedef {object} Shown the picture on show, and the callbacks of the gestures
 * @property {Geometry | null} geometry
 * @property {HTMLElement} stage
 * @property {boolean} map whether there is a heatmap
 * @property {"weights" | "alignment"} heat what it shows
 * @property {number} step
 * @property {boolean} paint whether weights can be set by hand
 * @property {number | null} place p_t of the step, if it can be dragged
 * @property {(place: number) => void} onPlace
 * @property {(step: number) => void} jump
 * @property {(hover: Hover | null) => void} onHover
 * @property {(clicked: Clicked) => void} onNumber
 * @property {(painted: Painted) => void} onPaint
 *
 * @typedef {{ clientX: number, clientY: number }} Point
 * @typedef {Partial<Record<"down" | "move" | "up" | "leave" | "click", (event: PointerEvent, plot: HTMLElement) => boolean | void>>
 *   & { touch?: (finger: Touch, plot: HTMLElement) => boolean }} Gesture each returns whether it takes the event
 */

/** @param {() => Shown} shown */
export function gestures(shown) {
  const all = [centerDrag(shown), painting(shown), pointing(shown)];
  const offer = (/** @type {"down" | "move" | "up" | "leave" | "click"} */ kind) => (/** @type {PointerEvent} */ event) => {
    all.some((each) => each[kind]?.(event, /** @type {HTMLElement} */ (event.currentTarget)));
  };
  return {
    onPlot: {
      onPointerDown: offer("down"), onPointerMove: offer("move"), onPointerUp: offer("up"), onPointerCancel: offer("up"), onPointerLeave: offer("leave"), onClick: offer("click"),
      /** A finger on what can be dragged does not scroll the page. @param {TouchEvent} event */
      onTouchStart(event) {
        const [finger] = event.touches;
        if (all.some(({ touch }) => touch?.(finger, /** @type {HTMLElement} */ (event.currentTarget)))) event.preventDefault();
      },
    },
    /** A click on a target word beside the heatmap. @param {MouseEvent} event */
    onGutter({ offsetY }) {
      const { geometry: g, jump } = shown();
      const row = g && !g.map.words ? Math.floor((offsetY - g.map.y) / g.map.rowHeight) : -1;
      if (g && row >= 0 && row < g.map.rows) jump(row);
    },
  };
}
