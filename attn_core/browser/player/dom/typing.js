// What a reader types, once it stands: text that an input method composes (Pinyin, Kana, dead keys) is half a word
// until the composition ends, and the keys pressed meanwhile belong to the input method.

/**
 * Call `listener` after each change of a field by the reader, and once after a composition.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {() => void} listener
 */
export function onTyped(field, listener) {
  // What was just reported: some browsers send another "input" right after the end of a composition.
  /** @type {string | null} */
  let composed = null;
  field.addEventListener("input", (event) => {
    if (/** @type {InputEvent} */ (event).isComposing || field.value === composed) return;
    listener();
  });
  field.addEventListener("compositionend", () => {
    composed = field.value;
    setTimeout(() => {
      composed = null;
    });
    listener();
  });
}

/** Whether a key or an input is part of a composition. @param {Event} event */
export function isComposing(event) {
  const { isComposing: composing, keyCode } = /** @type {KeyboardEvent} */ (event);
  return composing || keyCode === 229; // Safari sends the key that ends a composition after its end
}

/** Whether a key is pressed with Ctrl, Meta or Alt, and so is the browser's. @param {KeyboardEvent} event */
export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

/**
 * Call `listener` for each key pressed inside an element that no input method takes.
 * @param {HTMLElement} element
 * @param {(event: KeyboardEvent) => void} listener
 */
export function onKey(element, listener) {
  element.addEventListener("keydown", (event) => {
    if (!isComposing(event)) listener(event);
  });
}
