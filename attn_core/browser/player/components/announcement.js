// The description of a step for screen readers, spoken once a reader stays at the step.

import { html } from "../dom/html.js";
import { useLater } from "./use-later.js";

/** @param {{ text: string }} props */
export const Announcement = ({ text }) =>
  html`<div class="ap-hidden" aria-live="polite">${useLater(text, 250, "")}</div>`;
