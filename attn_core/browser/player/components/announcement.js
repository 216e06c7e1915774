// What a screen reader says about a step, once readers stay at it.

import { html } from "../dom/html.js";
import { useLater } from "./use-later.js";

/** @param {{ text: string }} props */
export const Announcement = ({ text }) =>
  html`<div class="ap-hidden" aria-live="polite">${useLater(text, 250, "")}</div>`;
