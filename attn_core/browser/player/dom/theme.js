// The theme of the page around the player: light or dark.

import { asRGB, luminance } from "../core/heat.js";
import { isPrinting } from "./print.js";

/** @import { Theme } from "../core/types.d.ts" */

/**
 * The theme of the host: the wish if it is one, else by the brightness of the host's background, else the system's
 * preference.
 * @param {HTMLElement} element
 * @param {string} wish "auto", "light" or "dark"
 * @returns {Theme}
 */
export function themeOf(element, wish) {
  if (isPrinting()) return "light"; // on white paper
  if (wish === "light" || wish === "dark") return wish;
  const jupyter = document.body?.dataset?.jpThemeLight;
  if (jupyter) return jupyter === "true" ? "light" : "dark";
  const host = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  if (host) {
    const probe = document.createElement("span");
    probe.style.color = host;
    element.append(probe);
    const rgb = getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      ?.map(Number);
    probe.remove();
    if (rgb) return luminance(asRGB(rgb.map((v) => v / 255))) < 0.3 ? "dark" : "light";
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
