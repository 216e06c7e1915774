// The keys of the player that no control inside it uses itself.

import { valueIn } from "../../engine/lookup.js";
import { hasModifier, isComposing } from "../dom/typing.js";

const MOVES = ["ArrowLeft", "ArrowRight", "Home", "End"];

/**
 * Run the action of a key, unless the focused control uses the key.
 * @param {KeyboardEvent} event
 * @param {Record<string, () => void>} actions by key
 * @param {() => void} openNumber for Enter, where no control has the focus
 */
export function handleKey(event, actions, openNumber) {
  if (isComposing(event) || event.defaultPrevented || hasModifier(event)) return;
  const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
  const usesMoves = type === "range" || type === "radio" || tagName === "SELECT";
  const usesSpace = ["BUTTON", "SELECT", "SUMMARY"].includes(tagName) || type === "radio" || type === "checkbox";
  const isUsed = event.key === " " ? usesSpace : MOVES.includes(event.key) ? usesMoves : tagName === "SELECT";
  const isEnter = event.key === "Enter" && event.target === event.currentTarget;
  const action = isEnter ? openNumber : valueIn(actions, event.key);
  if (isUsed || !action) return;
  event.preventDefault(); // the page must not scroll
  action();
}
