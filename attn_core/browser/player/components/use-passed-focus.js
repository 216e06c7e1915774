// The keyboard's focus, where the element that has it is hidden.

import { useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { focusBeside } from "../dom/focus.js";

/**
 * A ref for an element that passes the focus on when it is hidden.
 * @param {boolean} hidden
 * @param {{ current: HTMLElement | null }} next gets it
 */
export function usePassedFocus(hidden, next) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const { current } = element;
  // Once hidden, it has lost it
  const passes = hidden && current !== null && !current.hidden && focusBeside(current) === current;
  useLayoutEffect(() => {
    if (passes) next.current?.focus();
  }, [passes]);
  return element;
}
