// The page or stop of the tour before and after the current one.

import { pageIn } from "./address.js";
import { STOPS } from "./stops.js";
import { addressAfter, addressOf } from "./tour.js";

/** @import { Direction } from "./layout.js" */

/**
 * The address of the stop of the tour or, without one, of the page of the menu that comes before or after the current
 * one; null if there is none.
 * @param {Direction} direction
 * @param {number | null} stop
 * @param {string} ending of the addresses of pages
 */
export function neighbourAddress(direction, stop, ending) {
  if (stop !== null && direction > 0) return addressAfter(stop, ending);
  if (stop !== null) return STOPS[stop + direction - 1] ? addressOf(stop + direction, ending) : null;
  const pages = (document.documentElement.dataset.pages ?? "").split(" ").filter(Boolean);
  const nameOf = (/** @type {string} */ address) => pageIn(new URL(address, location.href)).name;
  return pages[pages.findIndex((page) => nameOf(page) === pageIn(location).name) + direction] ?? null;
}
