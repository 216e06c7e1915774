// The layout of a page: usual, or lecture layout for a class (lecture.js). It is a class of the document, which style sheets and
// stages (onpage.js) follow, and `present` in the address.

/** @typedef {1 | -1} Way forwards or backwards */

export const PRESENT = "present"; // its name in a link
export const TURN = "lecture-turn"; // a cancelable event of the document: a stage that has another step takes it
const CLASS = "lecture";

/** Whether the page is in lecture layout. */
export const inLecture = () => document.documentElement.classList.contains(CLASS);

/** Whether a link opens a page in lecture layout; the layout lasts when the dashboard changes its page. @param {URLSearchParams} link */
export const presentsIn = (link) => link.has(PRESENT) || inLecture();

/** Begin or end the layout of the document. @param {boolean} on @param {number} [part] of the page, from 1 */
export function showLecture(on, part = 1) {
  document.documentElement.classList.toggle(CLASS, on);
  document.documentElement.dataset.part = String(part);
}
