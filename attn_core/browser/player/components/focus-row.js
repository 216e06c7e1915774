// A row of controls that is one stop of the Tab key: arrow keys move the focus within the row.

import { activeElementAround } from "../dom/focus.js";
import { html } from "../dom/html.js";
import { useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { hasModifier } from "../dom/typing.js";

const CONTROLS = "a[href]:not([hidden]), button:not([hidden]), [role=button]";

/** @typedef {import("../../vendor/preact.js").ComponentChildren} ComponentChildren */

/**
 * @param {{ back?: string, forward?: string, children?: ComponentChildren } & Record<string, unknown>} props `back` and
 * `forward`: the keys; the rest are attributes of the element around the controls
 */
export function FocusRow({ back = "ArrowLeft", forward = "ArrowRight", children, ...attributes }) {
  const row = /** @type {{ current: HTMLElement }} */ (useRef(/** @type {any} */ (null)));
  const lastFocused = useRef(/** @type {HTMLElement | null} */ (null)); // gets the focus when a reader comes back
  const controls = () =>
    /** @type {HTMLElement[]} */ (
      [...row.current.querySelectorAll(CONTROLS)].filter((control) => !control.closest("dialog"))
    );
  const setTabStop = () => {
    const all = controls();
    const stop =
      all.find((control) => control === lastFocused.current) ??
      all.find((control) => control.ariaSelected === "true") ??
      all[0];
    for (const control of all) control.tabIndex = control === stop ? 0 : -1;
  };
  useLayoutEffect(setTabStop);
  const rememberFocus = (/** @type {FocusEvent} */ { target }) => {
    lastFocused.current = /** @type {HTMLElement} */ (target);
    setTabStop();
  };
  const moveFocus = (/** @type {KeyboardEvent} */ event) => {
    if (![back, forward].includes(event.key) || hasModifier(event) || event.defaultPrevented) return;
    event.preventDefault(); // at the ends of the row too, since the keys have other uses elsewhere
    event.stopPropagation();
    const all = controls();
    const current = all.indexOf(/** @type {HTMLElement} */ (activeElementAround(row.current)));
    all[current + (event.key === forward ? 1 : -1)]?.focus();
  };
  return html`<div ...${attributes} ref=${row} onFocusIn=${rememberFocus} onKeyDown=${moveFocus}>${children}</div>`;
}
