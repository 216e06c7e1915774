// Lecture layout of a page of the lab: its question and one stage at a time, or one card of the quiz.

import { t } from "../../attn_core/web/player/core/messages.js";
import { withKeys } from "../../attn_core/web/player/dom/elements.js";
import { fromAddress, numberIn } from "./address.js";
import { inLecture, PRESENT, presentsIn, showLecture } from "./layout.js";
import { followLecture, openBeside, switchLecture } from "./lecture.js";
import { sendToNotes } from "./notes.js";
import { stopIn } from "./tour.js";

/** @import { Way } from "./layout.js" */

const PARTS = ".part, [class*=st-key-part_]"; // the sections with a stage, on the site and in the dashboard
const MOST = 4; // of them on a page, as in the style sheets

/**
 * Follow the layout of the address, and a button that begins it, until the returned function is called.
 * @param {HTMLElement} button
 * @param {HTMLElement} root gets the panel with the QR code
 */
export function startLecture(button, root) {
  const { pathname } = location;
  const [name = "", ending = ""] = /([^/]*?)(\.html)?$/.exec(pathname)?.slice(1) ?? [];
  let part = numberIn(fromAddress(PRESENT), 1, MOST) ?? 1;

  /** @param {boolean} on */
  function set(on) {
    showLecture(on, part);
    button.setAttribute("aria-pressed", String(on));
    scrollTo({ top: 0 });
    if (on) sendToNotes(location.href);
    const url = new URL(location.href);
    if (on) url.searchParams.set(PRESENT, String(part));
    else url.searchParams.delete(PRESENT);
    if (url.href !== location.href && location.pathname === pathname) history.replaceState(history.state, "", url);
  }

  /** @param {Way} way */
  function turn(way) {
    const stop = stopIn(new URLSearchParams(location.search), name);
    const next = part + way;
    if (stop !== null || next < 1 || next > document.querySelectorAll(PARTS).length) {
      openBeside(way, stop, ending);
      return;
    }
    part = next;
    set(true);
  }

  button.textContent = t("Present");
  button.title = withKeys(t("Lecture layout"), "F");
  button.onclick = () => switchLecture(!inLecture(), set);
  if (presentsIn(new URLSearchParams(location.search))) set(true);
  return followLecture(root, { set, turn });
}
