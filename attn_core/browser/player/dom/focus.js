// The keyboard's focus when the element that has it is hidden or built again.

/** The element with the focus in the document or shadow tree of an element. @param {Element} element */
export const activeElementAround = (element) =>
  /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;

/** @param {Element} element */
const hasFocus = (element) => activeElementAround(element) === element;

/**
 * Hide or show an element. If it is hidden while it has the focus, `next` gets the focus.
 * @param {HTMLElement} element
 * @param {boolean} hidden
 * @param {HTMLElement} next
 */
export function setHidden(element, hidden, next) {
  const losesFocus = hidden && hasFocus(element);
  element.hidden = hidden;
  if (losesFocus) next.focus();
}

/**
 * Replace the children of `list`. If one of its buttons had the focus, the new button with the same index gets it.
 * @param {HTMLElement} list
 * @param {Node[]} children
 * @param {HTMLElement} [otherwise] gets the focus if the list has no button any more
 */
export function refill(list, children, otherwise) {
  const buttonsBefore = /** @type {(Element | null)[]} */ ([...list.querySelectorAll("button")]);
  const focused = buttonsBefore.indexOf(activeElementAround(list));
  list.replaceChildren(...children);
  if (focused < 0) return;
  const buttons = list.querySelectorAll("button");
  (buttons[Math.min(focused, buttons.length - 1)] ?? otherwise)?.focus({ preventScroll: true });
}
