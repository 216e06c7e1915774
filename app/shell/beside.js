// The page or stop of the tour before and after the one on show.

import { STOPS } from "./stops.js";
import { addressOf } from "./tour.js";

/** @import { Way } from "./layout.js" */

/**
 * The address of the stop of the tour or, without one, of the page of the menu that comes before or after the current one; null if
 * there is none. The last stop leads to the last page, the quiz.
 * @param {Way} way
 * @param {number | null} stop
 * @param {string} ending of the addresses of pages
 */
export function addressBeside(way, stop, ending) {
  const pages = (document.documentElement.dataset.pages ?? "").split(" ").filter(Boolean);
  if (stop === null) return pages[pages.findIndex((page) => pathOf(page) === pathOf(location.href)) + way] ?? null;
  if (stop + way > STOPS.length) return pages[pages.length - 1] ?? null;
  return STOPS[stop + way - 1] ? addressOf(stop + way, ending) : null;
}

/** @param {string} address */
const pathOf = (address) => new URL(address, location.href).pathname.replace(/index\.html$/, "");
