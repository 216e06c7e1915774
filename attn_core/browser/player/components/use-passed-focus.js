// The keyboard's focus when the element that has it is hidden.

import { useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { activeElementAround } from "../dom/focus.js";

/**
 * A ref for an element. If the element is hidden while it has the focus, `next` gets the focus.
 * @param {boolean} hidden
 * @param {{ current: HTMLElement | null }} next
 */
export function usePassedFocus(hidden, next) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const { current } = element;
  // Asked before the element is hidden, since it loses the focus then
  const passesFocus = hidden && current !== null && !current.hidden && activeElementAround(current) === current;
  useLayoutEffect(() => {
    if (passesFocus) next.current?.focus();
  }, [passesFocus]);
  return element;
}
