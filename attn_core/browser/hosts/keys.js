// The keys of a player work wherever on its page the focus is.

import { hasModifier, isComposing } from "../player/dom/typing.js";

export const PLAYER_KEYS = [" ", "ArrowLeft", "ArrowRight", "Home", "End", "Enter"];
const KEYS = [...PLAYER_KEYS, "f", "F"];
const BUTTONS = "button, a[href], summary, [role=button]"; // they use the space bar and Enter
const FIELDS =
  // They use all keys
  "input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=slider], [role=radio], " +
  "[role=tab], [role=option], [role^=menu]";

/**
 * Send keys that nothing else on the page handles to the player, so that it needs no click first. A button of the
 * page's tools that was clicked with the pointer loses the focus, because the space bar would otherwise press it again.
 * Ends when the returned function is called.
 * @param {HTMLElement} host
 * @param {{ keys?: string[], findPlayer?: () => HTMLElement | null }} [options] `findPlayer`: the player that gets them
 */
export function forwardKeys(host, { keys = KEYS, findPlayer = () => host.querySelector(".ap") } = {}) {
  const forwardKey = (/** @type {KeyboardEvent} */ event) => {
    if (isComposing(event) || event.defaultPrevented || hasModifier(event) || !keys.includes(event.key)) return;
    const frame = isUsed(event, host) ? null : findPlayer();
    if (!frame || event.composedPath().includes(frame)) return;
    event.preventDefault();
    frame.focus({ preventScroll: true });
    frame.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, composed: true }));
  };
  const releaseFocus = (/** @type {MouseEvent} */ event) => {
    const button = event
      .composedPath()
      .find((element) => element instanceof HTMLButtonElement && element.matches(".live-button"));
    if (button instanceof HTMLElement && event.detail) button.blur(); // `detail` is 0 if the keyboard pressed it
  };
  document.addEventListener("keydown", forwardKey);
  document.addEventListener("click", releaseFocus);
  return () => {
    document.removeEventListener("keydown", forwardKey);
    document.removeEventListener("click", releaseFocus);
  };
}

/**
 * Whether the focused element or an open dialog has a use of its own for the key.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} host
 */
function isUsed(event, host) {
  const page = /** @type {Document | ShadowRoot} */ (host.getRootNode());
  // The focus may be on none of the dialog's parts
  if ([document, page].some((root) => root.querySelector(":modal"))) return true;
  const isPress = event.key === " " || event.key === "Enter";
  const selector = ["[role=dialog]", FIELDS, ...(isPress ? [BUTTONS] : [])].join();
  return event.composedPath().some((element) => element instanceof Element && element.matches(selector));
}
