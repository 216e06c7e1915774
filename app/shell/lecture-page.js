// Lecture layout of a page of the lab: its question and one stage at a time, or one card of the quiz.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { withKeys } from "../../attn_core/browser/player/dom/elements.js";
import { readFromAddress, pageIn } from "./address.js";
import { inLecture, PRESENT, opensLecture, showLecture } from "./layout.js";
import { followLecture, openNeighbour, switchLecture } from "./lecture.js";
import { sendToNotes } from "./notes.js";
import { stopIn } from "./tour.js";

/** @import { Direction } from "./layout.js" */

/**
 * Open the layout that the address names, and let a button begin and end it, until the returned function is called.
 * @param {HTMLElement} button
 * @param {HTMLElement} root gets the panel with the QR code
 * @param {number} parts of the page, sections with a stage; 0 for the quiz
 */
export function startLecture(button, root, parts) {
  const { pathname } = location;
  const { name, ending } = pageIn(location);
  let part = partIn(readFromAddress(PRESENT), parts);

  /** @param {boolean} on */
  function setLecture(on) {
    showLecture(on, part);
    button.setAttribute("aria-pressed", String(on));
    scrollTo({ top: 0 });
    if (on) sendToNotes(location.href);
    const url = new URL(location.href);
    if (on) url.searchParams.set(PRESENT, String(part));
    else url.searchParams.delete(PRESENT);
    if (url.href !== location.href && location.pathname === pathname) history.replaceState(history.state, "", url);
  }

  /** @param {Direction} direction */
  function turnPage(direction) {
    const stop = stopIn(new URLSearchParams(location.search), name);
    const next = part + direction;
    if (stop !== null || next < 1 || next > parts) {
      openNeighbour(direction, stop, ending);
      return;
    }
    part = next;
    setLecture(true);
  }

  button.textContent = t("Present");
  button.title = withKeys(t("Lecture layout"), "F");
  button.onclick = () => switchLecture(!inLecture(), setLecture);
  if (opensLecture(new URLSearchParams(location.search))) setLecture(true);
  return followLecture(root, { setLecture, turnPage });
}

/**
 * The part that a link names, from 1, or the nearest one that the page has.
 * @param {string | null} written
 * @param {number} parts
 */
const partIn = (written, parts) => Math.max(1, Math.min(Math.trunc(Number(written)) || 1, parts));
