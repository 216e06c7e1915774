// A round button with an icon, and its keyboard shortcut.

import { html } from "../dom/html.js";
import { ICONS, withKeys } from "../dom/elements.js";

/** @typedef {import("../../vendor/preact.js").ComponentChildren} ComponentChildren */

/**
 * @param {{ icon: keyof typeof ICONS, label: string, keys: string, title?: string, kind?: string, tab?: number, off?:
 * boolean, pressed?: boolean, hidden?: boolean, onClick: () => void, children?: ComponentChildren }} props `tab`: its
 * tabindex; a button whose keys work wherever the focus is in the player need not be a stop of the Tab key. `off`: it
 * does nothing, and keeps the focus, so that the keys still work
 */
export const IconButton = ({
  icon,
  label,
  keys,
  title = withKeys(label, keys),
  kind = "",
  tab = -1,
  off,
  pressed,
  hidden = false,
  onClick,
  children,
}) => html`
  <button type="button" tabindex=${tab} class=${kind ? `ap-icon ${kind}` : "ap-icon"} aria-label=${label}
    title=${title} aria-keyshortcuts=${keys}
      aria-disabled=${off} aria-pressed=${pressed} hidden=${hidden} onClick=${() => off || onClick()}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[icon]} /></svg>${children}
  </button>`;
