// Keys of a stage that do what its buttons do.

import { hasModifier, onKey } from "../../../attn_core/browser/player/dom/typing.js";

/**
 * Run the action of a key pressed in a frame, unless the focused element has a use of its own for it.
 * @param {HTMLElement} frame
 * @param {Record<string, () => void>} actions by key
 */
export function onActionKey(frame, actions) {
  onKey(frame, (event) => {
    if (event.defaultPrevented || hasModifier(event) || !actions[event.key]) return;
    const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    if (tagName === "SELECT" || type === "range" || type === "radio") return;
    const isPressedBySpace = tagName === "BUTTON" || tagName === "SUMMARY" || type === "checkbox";
    if (event.key === " " && isPressedBySpace) return;
    event.preventDefault(); // the page must not scroll
    actions[event.key]();
  });
}
