// The theme of the page around the player: light or dark.

import { luminance } from "../core/heat.js";

/** The theme that suits the host: its own word, else the darkness of its background, else the system's wish. */
export function themeOf(element, wish) {
  if (wish === "light" || wish === "dark") return wish;
  const jupyter = document.body?.dataset?.jpThemeLight;
  if (jupyter) return jupyter === "true" ? "light" : "dark";
  const host = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  if (host) {
    const probe = document.createElement("span");
    probe.style.color = host;
    element.append(probe);
    const rgb = getComputedStyle(probe).color.match(/[\d.]+/g);
    probe.remove();
    if (rgb) return luminance(rgb.slice(0, 3).map((v) => v / 255)) < 0.3 ? "dark" : "light";
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
