// Scrolls to the card of a link, and keeps it in view while the page around it is still growing.

const PATIENCE = 10_000; // ms for the page to take its final size on a slow machine
const READER_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"];

import { readData } from "../../../attn_core/browser/hosts/component-data.js";

/** @import { End, Streamlit } from "../../../attn_core/browser/hosts/types.d.ts" */

/**
 * @typedef {HTMLElement & { calls?: number, arrived?: string, end?: () => void }} Anchor with the state of earlier
 * calls
 */

/**
 * Called again at every run of the page. The clean-up function of a call does nothing once there has been a later call.
 * @param {Streamlit<{ card: string }>} component
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const { card } = readData(data);
  const anchor = /** @type {Anchor} */ (parentElement.querySelector("span"));
  const call = (anchor.calls = (anchor.calls ?? 0) + 1);
  if (anchor.arrived !== card) {
    anchor.arrived = card;
    anchor.end?.();
    anchor.end = keepInView(/** @type {ShadowRoot} */ (anchor.getRootNode()).host?.closest(".st-key-cards") ?? anchor);
  }
  return () => {
    if (call === anchor.calls) anchor.end?.();
  };
}

/** @param {Element} target */
function keepInView(target) {
  const end = () => {
    observer.disconnect();
    clearTimeout(patienceTimer);
    READER_EVENTS.forEach((name) => window.removeEventListener(name, end, true));
  };
  // Called at once and at every change
  const observer = new ResizeObserver(() => target.scrollIntoView({ block: "start" }));
  observer.observe(target.closest("[data-testid=stMainBlockContainer]") ?? target);
  const patienceTimer = setTimeout(end, PATIENCE);
  READER_EVENTS.forEach((name) => window.addEventListener(name, end, true)); // stop when the reader scrolls
  return end;
}
