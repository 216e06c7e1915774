// The keyboard's focus, where the element that has it is hidden or built again.

/** The element with the focus in the document or shadow tree of an element. @param {Element} element */
export const focusBeside = (element) => /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;

/** @param {Element} element */
const hasFocus = (element) => focusBeside(element) === element;

/**
 * Hide or show an element; if it is hidden while it has the focus, `next` gets it.
 * @param {HTMLElement} element
 * @param {boolean} yes
 * @param {HTMLElement} next
 */
export function hide(element, yes, next) {
  const had = yes && hasFocus(element);
  element.hidden = yes;
  if (had) next.focus();
}

/**
 * Replace the children of `list`; if one of its buttons had the focus, the button in its place gets it.
 * @param {HTMLElement} list
 * @param {Node[]} children
 * @param {HTMLElement} [otherwise] gets it if there is no button any more
 */
export function refill(list, children, otherwise) {
  const place = /** @type {(Element | null)[]} */ ([...list.querySelectorAll("button")]).indexOf(focusBeside(list));
  list.replaceChildren(...children);
  if (place < 0) return;
  const buttons = list.querySelectorAll("button");
  (buttons[Math.min(place, buttons.length - 1)] ?? otherwise)?.focus({ preventScroll: true });
}
