// What a page does in lecture layout, in front of a class: the question is on top, and the figure as large as the
// window allows. Page Up and Page Down, the keys of a presenter's remote, lead through the steps of the page and from
// page to page.

import { enterFullScreen } from "../../attn_core/browser/player/dom/full-screen.js";
import { hasModifier, isComposing } from "../../attn_core/browser/player/dom/typing.js";
import { addressBeside } from "./beside.js";
import { inLecture, PRESENT, turnsPage } from "./layout.js";
import { notesOn } from "./notes.js";
import { showCode } from "./share.js";

/** @import { Way } from "./layout.js" */

const NOTES_WINDOW = "attention-notes"; // one, for all pages
const TYPED =
  "textarea, select, [contenteditable]:not([contenteditable=false]), input:not([type=range], [type=checkbox], " +
  "[type=radio])";

/**
 * Follow keys, full screen and links of a page, until the returned function is called.
 * @param {HTMLElement} root gets the panel with the QR code
 * @param {{ set: (on: boolean) => void, turn: (way: Way) => void }} page `set` begins and ends the layout, `turn` goes
 * on past the last step or back before the first
 */
export function followLecture(root, { set, turn }) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (isComposing(event) || event.defaultPrevented || hasModifier(event) || isElsewhere(event, root)) return;
    const act = actOf(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  };
  /** @param {string} key */
  const actOf = (key) => {
    if (key === "f" || key === "F") return () => switchLecture(!inLecture(), set);
    if (!inLecture()) return null;
    if (key === "Escape") return () => switchLecture(false, set);
    if (key === "q" || key === "Q") return () => showCode(root);
    if (key === "n" || key === "N")
      return () => {
        document.dispatchEvent(new Event("view-link"));
        window.open(notesOn(location.href), NOTES_WINDOW);
      };
    const way = /** @type {Way | undefined} */ ({ PageDown: 1, PageUp: -1 }[key]);
    return way
      ? () => {
          if (turnsPage(way)) turn(way);
        }
      : null;
  };
  const carry = (/** @type {MouseEvent} */ event) => carryOn(event); // a listener of this page alone
  const onFullScreen = () => {
    if (!document.fullscreenElement && inLecture()) set(false);
  };
  document.addEventListener("keydown", press);
  document.addEventListener("click", carry, true);
  document.addEventListener("fullscreenchange", onFullScreen);
  return () => {
    document.removeEventListener("keydown", press);
    document.removeEventListener("click", carry, true);
    document.removeEventListener("fullscreenchange", onFullScreen);
  };
}

/**
 * Begin or end the layout, with full screen where the browser has it.
 * @param {boolean} on
 * @param {(on: boolean) => void} set
 */
export function switchLecture(on, set) {
  set(on);
  if (on) enterFullScreen(document.documentElement);
}

/** Whether a key belongs to a text field or an open dialog. @param {KeyboardEvent} event @param {HTMLElement} root */
function isElsewhere(event, root) {
  if (/** @type {Document | ShadowRoot} */ (root.getRootNode()).querySelector("dialog:modal")) return true;
  return event.composedPath().some((element) => element instanceof Element && element.matches(`dialog, ${TYPED}`));
}

/** A link to another page keeps the layout. @param {MouseEvent} event */
function carryOn(event) {
  const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement);
  if (
    !inLecture() ||
    !(link instanceof HTMLAnchorElement) ||
    !link.getAttribute("href") ||
    link.origin !== location.origin
  )
    return;
  const before = /** @type {string} */ (link.getAttribute("href"));
  link.href = withLecture(link.href);
  setTimeout(() => link.setAttribute("href", before)); // it may be followed without the layout later
}

/** @param {string} address */
function withLecture(address) {
  const url = new URL(address, location.href);
  url.searchParams.set(PRESENT, "1");
  return url.href;
}

/**
 * Open the page or stop of the tour before or after the current one, if there is one.
 * @param {Way} way
 * @param {number | null} stop
 * @param {string} ending of the addresses of pages
 */
export function openBeside(way, stop, ending) {
  const address = addressBeside(way, stop, ending);
  if (address) location.assign(withLecture(address));
}
