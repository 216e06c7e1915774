// Typing through an input method (Pinyin, Kana, dead keys): the text is half a word until its composition ends, and the
// keys pressed meanwhile belong to the input method.

/**
 * Call `listener` after each change of a field by the reader, and once after a composition.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {() => void} listener
 */
export function onTyped(field, listener) {
  // Some browsers send another "input" event right after the end of a composition
  /** @type {string | null} */
  let reported = null;
  field.addEventListener("input", (event) => {
    if (/** @type {InputEvent} */ (event).isComposing || field.value === reported) return;
    listener();
  });
  field.addEventListener("compositionend", () => {
    reported = field.value;
    setTimeout(() => {
      reported = null;
    });
    listener();
  });
}

/** Whether a key or an input event is part of a composition. @param {Event} event */
export function isComposing(event) {
  const { isComposing: isMarked, keyCode } = /** @type {KeyboardEvent} */ (event);
  return isMarked || keyCode === 229; // Safari sends the key that ends a composition after its end
}

/** Whether a key is pressed with Ctrl, Meta or Alt, as for a shortcut of the browser. @param {KeyboardEvent} event */
export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

/**
 * Call `listener` for each key pressed inside an element, except those that an input method takes.
 * @param {HTMLElement} element
 * @param {(event: KeyboardEvent) => void} listener
 */
export function onKey(element, listener) {
  element.addEventListener("keydown", (event) => {
    if (!isComposing(event)) listener(event);
  });
}
