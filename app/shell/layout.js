// The layout of a page: the usual one, or lecture layout in front of a class (lecture.js). It is a class of the
// document, which style sheets and stages (onpage.js) follow, and `present` in the address.

import { leaveFullScreen } from "../../attn_core/browser/player/dom/full-screen.js";

/** @typedef {1 | -1} Direction forwards or backwards */

export const PRESENT = "present"; // the name of lecture layout in a link
const STEP_EVENTS = { 1: "lecture-forward", "-1": "lecture-back" }; // of the document
const CLASS = "lecture";

/** Whether the page is in lecture layout. */
export const inLecture = () => document.documentElement.classList.contains(CLASS);

/**
 * Whether a link opens its page in lecture layout. The layout also stays when the dashboard changes its page.
 * @param {URLSearchParams} link
 */
export const opensLecture = (link) => link.has(PRESENT) || inLecture();

/**
 * Begin or end lecture layout. Full screen ends with it.
 * @param {boolean} on
 * @param {number} [part] of the page to show, from 1
 */
export function showLecture(on, part = 1) {
  if (!on && inLecture()) leaveFullScreen();
  document.documentElement.classList.toggle(CLASS, on);
  document.documentElement.dataset.part = String(part);
}

/** Ask the page for its next step; returns whether one of its parts has taken it. @param {Direction} direction */
export const askForStep = (direction) =>
  !document.dispatchEvent(new Event(STEP_EVENTS[direction], { cancelable: true }));

/**
 * Call `takeStep` when the next step is asked for, until the returned function is called. A part that has a step takes
 * it, and prevents the event's default.
 * @param {(direction: Direction, event: Event) => void} takeStep
 * @param {boolean} [isFirst] whether it is called before the other parts
 */
export function onStepAsked(takeStep, isFirst = false) {
  const listeners = /** @type {const} */ ([1, -1]).map(
    (direction) =>
      /** @type {const} */ ([STEP_EVENTS[direction], (/** @type {Event} */ event) => takeStep(direction, event)]),
  );
  for (const [name, listener] of listeners) document.addEventListener(name, listener, isFirst);
  return () => {
    for (const [name, listener] of listeners) document.removeEventListener(name, listener, isFirst);
  };
}
