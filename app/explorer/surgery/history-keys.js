// The keys that undo and redo an edit.

import { isComposing } from "../../../attn_core/browser/player/dom/typing.js";

/**
 * The action of Ctrl+Z or Ctrl+Shift+Z (on a Mac with Cmd); null for other keys, and in a field of text, which has a
 * history of its own.
 * @param {KeyboardEvent} event
 * @returns {"edits undone" | "edits redone" | null}
 */
export function historyKey(event) {
  const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
  const inText = tagName === "INPUT" && type === "text";
  if (isComposing(event) || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || inText) return null;
  return event.shiftKey ? "edits redone" : "edits undone";
}
