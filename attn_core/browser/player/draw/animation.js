// The picture of a step, drawn in the next frame; while playing, its parts change one after the other, as they are
// computed.

import { between } from "../core/rows.js";
import { isPrinting } from "../dom/print.js";
import { makePainter } from "./painter.js";

/**
 * @import { Changes, Geometry, Picture, View } from "../core/types.d.ts"
 * @import { Canvases } from "./painter.js"
 *
 * @typedef {{ row: Picture, start: number, time: number }} Transition the picture where it begins, when, and the ms
 * that it takes
 */

const LONGEST = 900; // ms of the transition between steps while playing
const SHARE = 0.7; // of the time of a step

/**
 * @param {Canvases & { scroll: HTMLElement }} canvases
 */
export function animate(canvases) {
  const { plots, scroll } = canvases;
  const painter = makePainter(canvases);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {View | null} */
  let view = null;
  /** @type {Geometry | null} */
  let geometry = null;
  /** @type {Picture | null} what was drawn last */
  let shown = null;
  /** @type {Transition | null} the current one */
  let transition = null;
  /** @type {ScrollBehavior | null} how to scroll to the step after the next picture */
  let follows = null;
  let frame = 0;
  let continues = false; // whether the next picture is of the same transition as the last

  const requestDraw = () => {
    frame ||= requestAnimationFrame(draw);
  };

  /** @param {number} time */
  function draw(time) {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!view?.targets.length || !plots.clientWidth) return;
    const goal = view.rows[view.display.step] ?? null;
    const passing = transition && pictureAt(transition, goal, time, view.vectors?.changes);
    if (!passing) transition = null;
    shown = passing ?? goal;
    geometry = painter.paint(view, shown, continues && passing !== null);
    continues = passing !== null;
    if (follows && geometry && goal) scrollToRow(scroll, geometry, goal, follows);
    follows = null;
    if (transition) requestDraw();
  }

  /** Another step of a view. @param {number} from @param {View} next @param {number} pace */
  function move(from, { display: { step } }, pace) {
    const plays = pace > 0 && step === from + 1 && !still.matches;
    follows = plays ? "smooth" : "auto";
    transition =
      plays && shown ? { row: shown, start: performance.now(), time: Math.min(LONGEST, pace * SHARE) } : null;
  }

  return {
    /** Draw in the next frame. */
    ask: requestDraw,

    /** Draw at once: no frame comes before paper. */
    drawNow: () => draw(performance.now()),

    /** The layout of the last picture; null before it. */
    geometry: () => geometry,

    /**
     * @param {View} next
     * @param {number} pace the time of a step in ms while playing, else 0
     */
    show(next, pace) {
      const before = view;
      view = next;
      if (before && before.rows !== next.rows) transition = null;
      if (!before || (before.source !== next.source && String(before.source) !== String(next.source)))
        scroll.scrollLeft = 0;
      else if (before.display.step !== next.display.step) move(before.display.step, next, pace);
      if (isPrinting()) draw(performance.now());
      else requestDraw();
    },

    stop() {
      cancelAnimationFrame(frame);
      view = null; // no more pictures, even if fonts arrive later
    },
  };
}

/**
 * The picture of a transition; null at its end.
 * @param {Transition} from
 * @param {Picture | null} goal
 * @param {number} now
 * @param {Changes} [changes]
 * @returns {Picture | null}
 */
function pictureAt({ row, start, time }, goal, now, changes) {
  const share = Math.min(Math.max(now - start, 0) / time, 1);
  return share === 1 || !goal ? null : { ...between(row, goal, share, changes), goal };
}

/**
 * Scroll to the position of a step if the plot is wider than its room.
 * @param {HTMLElement} scroll
 * @param {Geometry} g
 * @param {Picture} row
 * @param {ScrollBehavior} behavior
 */
function scrollToRow(scroll, g, row, behavior) {
  if (g.content <= scroll.clientWidth + 1) return;
  const place = row.center ?? row.weights.indexOf(Math.max(...row.weights));
  scroll.scrollTo({ left: g.x(place) - scroll.clientWidth / 2, behavior });
}
