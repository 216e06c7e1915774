// Scrolls to the card of a link, and keeps it in view while the page around it is still growing.

const PATIENCE = 10_000; // ms for the page to take its final size on a slow machine
const HANDS = ["wheel", "touchstart", "pointerdown", "keydown"];

import { sent } from "../../../attn_core/web/hosts/sent.js";

/** @import { End, Streamlit } from "../../../attn_core/web/hosts/types.d.ts" */

/** @typedef {HTMLElement & { calls?: number, arrived?: string, end?: () => void }} Place with the state of earlier calls */

/**
 * Called again at every run of the page. The clean-up function of a call does nothing once there has been a later call.
 * @param {Streamlit<{ card: string }>} given
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const { card } = sent(data);
  const place = /** @type {Place} */ (parentElement.querySelector("span"));
  const call = (place.calls = (place.calls ?? 0) + 1);
  if (place.arrived !== card) {
    place.arrived = card;
    place.end?.();
    place.end = keepInView(/** @type {ShadowRoot} */ (place.getRootNode()).host?.closest(".st-key-cards") ?? place);
  }
  return () => {
    if (call === place.calls) place.end?.();
  };
}

/** @param {Element} target */
function keepInView(target) {
  const end = () => {
    watch.disconnect();
    clearTimeout(later);
    HANDS.forEach((name) => window.removeEventListener(name, end, true));
  };
  const watch = new ResizeObserver(() => target.scrollIntoView({ block: "start" })); // called at once and at every change
  watch.observe(target.closest("[data-testid=stMainBlockContainer]") ?? target);
  const later = setTimeout(end, PATIENCE);
  HANDS.forEach((name) => window.addEventListener(name, end, true)); // stop when the reader scrolls
  return end;
}
