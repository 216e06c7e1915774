// The keys of the player, where no control inside it has them for itself.

import { valueIn } from "../../engine/lookup.js";
import { hasModifier, isComposing } from "../dom/typing.js";

const MOVES = ["ArrowLeft", "ArrowRight", "Home", "End"];

/**
 * @param {KeyboardEvent} event
 * @param {Record<string, () => void>} actions by key
 * @param {() => void} open for Enter, where no control has the focus
 */
export function pressedKey(event, actions, open) {
  if (isComposing(event) || event.defaultPrevented || hasModifier(event)) return;
  const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
  const moves = type === "range" || type === "radio" || tagName === "SELECT";
  const presses = ["BUTTON", "SELECT", "SUMMARY"].includes(tagName) || type === "radio" || type === "checkbox";
  const taken = event.key === " " ? presses : MOVES.includes(event.key) ? moves : tagName === "SELECT";
  const action = event.key === "Enter" && event.target === event.currentTarget ? open : valueIn(actions, event.key);
  if (taken || !action) return;
  event.preventDefault(); // the page must not scroll
  action();
}
