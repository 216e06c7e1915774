// A setting with its name, in a line of settings.

import { el } from "../../../attn_core/browser/player/dom/elements.js";

/**
 * A setting in the line of settings.
 * @param {string} name
 * @param {HTMLElement} control
 * @param {string} title
 * @param {string} short what is written in the chip
 */
export function chip(name, control, title = "", short = name) {
  control.setAttribute("aria-label", name); // the text of a label would include all options of a list
  return el("label", { class: "live-chip", title }, el("span", { text: short }), control);
}
