// Controls that are one stop of the Tab key: arrow keys move the focus among them.

import { focusBeside } from "../dom/focus.js";
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
  const last = useRef(/** @type {HTMLElement | null} */ (null)); // it gets the focus when a reader comes back
  const controls = () =>
    /** @type {HTMLElement[]} */ (
      [...row.current.querySelectorAll(CONTROLS)].filter((control) => !control.closest("dialog"))
    );
  const setStop = () => {
    const all = controls();
    const stop =
      all.find((control) => control === last.current) ??
      all.find((control) => control.ariaSelected === "true") ??
      all[0];
    for (const control of all) control.tabIndex = control === stop ? 0 : -1;
  };
  useLayoutEffect(setStop);
  const remember = (/** @type {FocusEvent} */ { target }) => {
    last.current = /** @type {HTMLElement} */ (target);
    setStop();
  };
  const move = (/** @type {KeyboardEvent} */ event) => {
    const by = [back, forward].indexOf(event.key);
    const all = controls();
    const next = all[all.indexOf(/** @type {HTMLElement} */ (focusBeside(row.current))) + (by ? 1 : -1)];
    if (by < 0 || hasModifier(event) || event.defaultPrevented) return;
    event.preventDefault(); // at the end, too: elsewhere the keys have other uses
    event.stopPropagation();
    next?.focus();
  };
  return html`<div ...${attributes} ref=${row} onFocusIn=${remember} onKeyDown=${move}>${children}</div>`;
}
