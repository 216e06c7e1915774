// A round button with an icon, and its keyboard shortcut.

import { html } from "../dom/html.js";
import { ICONS, withKeys } from "../dom/elements.js";

/** @typedef {import("../../vendor/preact.js").ComponentChildren} ComponentChildren */

/**
 * @param {{ icon: keyof typeof ICONS, label: string, keys: string, title?: string, className?: string, tabIndex?:
 * number, isOff?: boolean, pressed?: boolean, hidden?: boolean, onClick: () => void, children?: ComponentChildren }}
 * props `tabIndex`: -1 by default, since its keys work wherever the focus is in the player. `isOff`: it does nothing,
 * but keeps the focus, so that the keys still work
 */
export const IconButton = ({
  icon,
  label,
  keys,
  title = withKeys(label, keys),
  className = "",
  tabIndex = -1,
  isOff,
  pressed,
  hidden = false,
  onClick,
  children,
}) => html`
  <button type="button" tabindex=${tabIndex} class=${className ? `ap-icon ${className}` : "ap-icon"}
    aria-label=${label} title=${title} aria-keyshortcuts=${keys}
      aria-disabled=${isOff} aria-pressed=${pressed} hidden=${hidden} onClick=${() => isOff || onClick()}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[icon]} /></svg>${children}
  </button>`;
