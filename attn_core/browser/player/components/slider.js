// A slider of the window, with its symbol and its value.

import { withValue } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { WithSubscripts } from "../dom/parts.js";

/**
 * @typedef {object} Props
 * @property {string} symbol
 * @property {string} label
 * @property {string} [title]
 * @property {number} step
 * @property {number} min
 * @property {number} max
 * @property {number} value
 * @property {string} text of the value
 * @property {string} [spoken] the same for screen readers
 * @property {boolean} isOwn whether the value is the window's own, not one set by hand
 * @property {boolean} [hidden]
 * @property {(value: number) => void} onMove
 */

/** @param {Props} props */
export const Slider = ({
  symbol,
  label,
  title = "",
  step,
  min,
  max,
  value,
  text,
  spoken = text,
  isOwn,
  hidden = false,
  onMove,
}) => html`
  <div class="ap-knob-row" hidden=${hidden}>
    <span class="ap-symbol"><${WithSubscripts} text=${symbol} /></span>
    <input type="range" class=${`ap-knob${isOwn ? " ap-linked" : ""}`} aria-label=${label} title=${title}
      aria-valuetext=${spoken}
      step=${step} min=${min} max=${max} value=${value} onInput=${withValue((value) => onMove(Number(value)))} />
    <output class="ap-value">${text}</output>
  </div>`;
