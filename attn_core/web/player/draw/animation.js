// The picture of a step, drawn in the next frame; while playing, it glides there from the picture before.

import { between } from "../core/rows.js";
import { printing } from "../dom/print.js";
import { makePainter } from "./painter.js";

/**
 * @import { Geometry, Picture, View } from "../core/types.d.ts"
 * @import { Canvases } from "./painter.js"
 *
 * @typedef {{ row: Picture | null, at: number }} Place a picture and its step; both may be interpolated
 */

const GLIDE = 260; // ms of the transition between steps while playing

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
  /** @type {Place} what was drawn last */
  let shown = { row: null, at: 0 };
  /** @type {(Place & { start: number, time: number }) | null} the start of the current transition */
  let glide = null;
  /** @type {ScrollBehavior | null} how to scroll to the step after the next picture */
  let follows = null;
  let frame = 0;

  const ask = () => { frame ||= requestAnimationFrame(draw); };

  /** @param {number} time */
  function draw(time) {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!view?.targets.length || !plots.clientWidth) return;
    const { step } = view.look;
    const goal = { row: view.rows[step] ?? null, at: step };
    shown = (glide && goal.row && onTheWay(goal.row, step, time)) || goal;
    geometry = painter.paint(view, shown.row, shown.at);
    if (follows) follow(view, step, follows);
    follows = null;
    if (glide) ask();
  }

  /** The picture between two steps; null at the end of the transition. @param {Picture} row @param {number} at @param {number} time @returns {Place | null} */
  function onTheWay(row, at, time) {
    const share = glide ? Math.min(Math.max(time - glide.start, 0) / glide.time, 1) : 1;
    const eased = 1 - (1 - share) ** 3;
    if (share < 1 && glide?.row) return { row: { ...between(glide.row, row, eased), goal: row }, at: glide.at + (at - glide.at) * eased };
    glide = null;
    return null;
  }

  /** Scroll to the step's position if the plot is wider than its room. @param {View} view @param {number} step @param {ScrollBehavior} behavior */
  function follow({ rows }, step, behavior) {
    const row = rows[step];
    if (!geometry || !row || geometry.content <= scroll.clientWidth + 1) return;
    const place = row.center ?? row.weights.indexOf(Math.max(...row.weights));
    scroll.scrollTo({ left: geometry.x(place) - scroll.clientWidth / 2, behavior });
  }

  /** Another step of a view. @param {number} from @param {View} next @param {number} pace */
  function move(from, { look: { step } }, pace) {
    const plays = pace > 0 && step === from + 1 && !still.matches;
    follows = plays ? "smooth" : "auto";
    glide = plays ? { ...shown, start: performance.now(), time: Math.min(GLIDE, pace / 2) } : null;
  }

  return {
    /** Draw in the next frame. */
    ask,

    /** Draw at once: no frame comes before paper. */
    drawNow: () => draw(performance.now()),

    /** The layout of the last picture; null before it, and without attention. */
    geometry: () => geometry,

    /**
     * @param {View} next
     * @param {number} pace the time of a step in ms while playing, else 0
     */
    show(next, pace) {
      const before = view;
      view = next;
      if (before && before.rows !== next.rows) glide = null;
      if (!before || before.source !== next.source && String(before.source) !== String(next.source)) scroll.scrollLeft = 0;
      else if (before.look.step !== next.look.step) move(before.look.step, next, pace);
      if (printing()) draw(performance.now());
      else ask();
    },

    stop() {
      cancelAnimationFrame(frame);
      view = null; // no more pictures, even if fonts arrive later
    },
  };
}
