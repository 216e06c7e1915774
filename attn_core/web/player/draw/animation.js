// The picture of a step, drawn in the next frame; while playing, it glides there from the picture before.

import { between } from "../core/rows.js";
import { printing } from "../dom/print.js";
import { makePainter } from "./painter.js";

/**
 * @import { Geometry, Picture, View } from "../core/types.d.ts"
 * @import { Canvases } from "./painter.js"
 *
 * @typedef {{ row: Picture | null, at: number }} Place a picture and its step; both may be interpolated
 * @typedef {Place & { start: number, time: number }} Glide where a transition begins, when, and the ms that it takes
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
  /** @type {Glide | null} the current transition */
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
    const passing = glide && onTheWay(glide, goal, time);
    if (!passing) glide = null;
    shown = passing ?? goal;
    geometry = painter.paint(view, shown.row, shown.at);
    if (follows && geometry && goal.row) scrollToRow(scroll, geometry, goal.row, follows);
    follows = null;
    if (glide) ask();
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

/** The picture of a transition; null at its end. @param {Glide} from @param {Place} goal @param {number} now @returns {Place | null} */
function onTheWay({ row, at, start, time }, goal, now) {
  const share = Math.min(Math.max(now - start, 0) / time, 1);
  if (share === 1 || !row || !goal.row) return null;
  const eased = 1 - (1 - share) ** 3;
  return { row: { ...between(row, goal.row, eased), goal: goal.row }, at: at + (goal.at - at) * eased };
}

/** Scroll to the position of a step if the plot is wider than its room. @param {HTMLElement} scroll @param {Geometry} g @param {Picture} row @param {ScrollBehavior} behavior */
function scrollToRow(scroll, g, row, behavior) {
  if (g.content <= scroll.clientWidth + 1) return;
  const place = row.center ?? row.weights.indexOf(Math.max(...row.weights));
  scroll.scrollTo({ left: g.x(place) - scroll.clientWidth / 2, behavior });
}
