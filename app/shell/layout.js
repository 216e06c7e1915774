// The layout of a page: usual, or lecture layout for a class (lecture.js). It is a class of the document, which style
// sheets and stages (onpage.js) follow, and `present` in the address.

import { leaveFullScreen } from "../../attn_core/browser/player/dom/full-screen.js";

/** @typedef {1 | -1} Way forwards or backwards */

export const PRESENT = "present"; // its name in a link
const TURNS = { 1: "lecture-forward", "-1": "lecture-back" }; // events of the document
const CLASS = "lecture";

/** Whether the page is in lecture layout. */
export const inLecture = () => document.documentElement.classList.contains(CLASS);

/**
 * Whether a link opens a page in lecture layout; the layout lasts when the dashboard changes its page.
 * @param {URLSearchParams} link
 */
export const presentsIn = (link) => link.has(PRESENT) || inLecture();

/**
 * Begin or end the layout of the document, which ends full screen too.
 * @param {boolean} on
 * @param {number} [part] of the page, from 1
 */
export function showLecture(on, part = 1) {
  if (!on && inLecture()) leaveFullScreen();
  document.documentElement.classList.toggle(CLASS, on);
  document.documentElement.dataset.part = String(part);
}

/** Ask for the next step, forwards or backwards; returns whether no part of the page has one. @param {Way} way */
export const turnsPage = (way) => document.dispatchEvent(new Event(TURNS[way], { cancelable: true }));

/**
 * Call `turn` when the next step is asked for, until the returned function is called. A part that has one prevents the
 * event's default.
 * @param {(way: Way, event: Event) => void} turn
 * @param {boolean} [isFirst] whether it is called before the other parts
 */
export function onTurn(turn, isFirst = false) {
  const listeners = /** @type {const} */ ([1, -1]).map(
    (way) => /** @type {const} */ ([TURNS[way], (/** @type {Event} */ event) => turn(way, event)]),
  );
  for (const [name, listener] of listeners) document.addEventListener(name, listener, isFirst);
  return () => {
    for (const [name, listener] of listeners) document.removeEventListener(name, listener, isFirst);
  };
}
