// Keys, links and full screen in lecture layout, in front of a class: the question is on top, and the picture as large
// as the window allows. Page Up and Page Down, the keys of a presenter's remote, lead through the steps of the page and
// from page to page.

import { enterFullScreen } from "../../attn_core/browser/player/dom/full-screen.js";
import { hasModifier, isComposing } from "../../attn_core/browser/player/dom/typing.js";
import { neighbourAddress } from "./neighbours.js";
import { inLecture, PRESENT, askForStep } from "./layout.js";
import { notesAddress } from "./notes.js";
import { showQrCode } from "./share.js";

/** @import { Direction } from "./layout.js" */

const NOTES_WINDOW = "attention-notes"; // the same for all pages
const TEXT_FIELDS =
  "textarea, select, [contenteditable]:not([contenteditable=false]), input:not([type=range], [type=checkbox], " +
  "[type=radio])";

/**
 * Follow keys, full screen and links of a page, until the returned function is called.
 * @param {HTMLElement} root gets the panel with the QR code
 * @param {{ setLecture: (on: boolean) => void, turnPage: (direction: Direction) => void }} page `setLecture` begins and
 * ends the layout, `turnPage` goes on after the last step or back before the first
 */
export function followLecture(root, { setLecture, turnPage }) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (isComposing(event) || event.defaultPrevented || hasModifier(event) || isUsed(event, root)) return;
    const action = actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  };
  /** @param {string} key */
  const actionOf = (key) => {
    if (key === "f" || key === "F") return () => switchLecture(!inLecture(), setLecture);
    if (!inLecture()) return null;
    if (key === "Escape") return () => switchLecture(false, setLecture);
    if (key === "q" || key === "Q") return () => showQrCode(root);
    if (key === "n" || key === "N")
      return () => {
        document.dispatchEvent(new Event("view-link"));
        window.open(notesAddress(location.href), NOTES_WINDOW);
      };
    const direction = /** @type {Direction | undefined} */ ({ PageDown: 1, PageUp: -1 }[key]);
    return direction
      ? () => {
          if (!askForStep(direction)) turnPage(direction);
        }
      : null;
  };
  const keepLayout = (/** @type {MouseEvent} */ event) => keepLayoutOfLink(event); // so that each call can be ended
  const onFullScreen = () => {
    if (!document.fullscreenElement && inLecture()) setLecture(false);
  };
  document.addEventListener("keydown", press);
  document.addEventListener("click", keepLayout, true);
  document.addEventListener("fullscreenchange", onFullScreen);
  return () => {
    document.removeEventListener("keydown", press);
    document.removeEventListener("click", keepLayout, true);
    document.removeEventListener("fullscreenchange", onFullScreen);
  };
}

/**
 * Begin or end the layout. It begins in full screen if the browser allows that.
 * @param {boolean} on
 * @param {(on: boolean) => void} setLecture
 */
export function switchLecture(on, setLecture) {
  setLecture(on);
  if (on) enterFullScreen(document.documentElement);
}

/** Whether a key belongs to a text field or an open dialog. @param {KeyboardEvent} event @param {HTMLElement} root */
function isUsed(event, root) {
  if (/** @type {Document | ShadowRoot} */ (root.getRootNode()).querySelector("dialog:modal")) return true;
  return event
    .composedPath()
    .some((element) => element instanceof Element && element.matches(`dialog, ${TEXT_FIELDS}`));
}

/** Let a link that is clicked open its page in lecture layout too. @param {MouseEvent} event */
function keepLayoutOfLink(event) {
  const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement);
  if (
    !inLecture() ||
    !(link instanceof HTMLAnchorElement) ||
    !link.getAttribute("href") ||
    link.origin !== location.origin
  )
    return;
  const usualAddress = /** @type {string} */ (link.getAttribute("href"));
  link.href = withLecture(link.href);
  setTimeout(() => link.setAttribute("href", usualAddress)); // for clicks after the lecture
}

/** @param {string} address */
function withLecture(address) {
  const url = new URL(address, location.href);
  url.searchParams.set(PRESENT, "1");
  return url.href;
}

/**
 * Open the page or stop of the tour before or after the current one, if there is one.
 * @param {Direction} direction
 * @param {number | null} stop
 * @param {string} ending of the addresses of pages
 */
export function openNeighbour(direction, stop, ending) {
  const address = neighbourAddress(direction, stop, ending);
  if (address) location.assign(withLecture(address));
}
