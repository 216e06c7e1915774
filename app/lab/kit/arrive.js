// Brings the card that a link names into view, and keeps it there while the page around it is still growing.

const PATIENCE = 10_000; // ms until the last part of a page has its size, on a slow machine
const HANDS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** @import { End, Streamlit } from "../../../attn_core/web/hosts/types.d.ts" */

/** @typedef {HTMLElement & { calls?: number, arrived?: string, end?: () => void }} Place it keeps what an earlier call began */

/**
 * Called again at every run of the page; the end of a call that a later one has overtaken ends nothing.
 * @param {Streamlit<{ card: string }>} given
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const place = /** @type {Place} */ (parentElement.querySelector("span"));
  const call = (place.calls = (place.calls ?? 0) + 1);
  if (place.arrived !== data.card) {
    place.arrived = data.card;
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
  const watch = new ResizeObserver(() => target.scrollIntoView({ block: "start" })); // calls at once, and at every change
  watch.observe(target.closest("[data-testid=stMainBlockContainer]") ?? target);
  const later = setTimeout(end, PATIENCE);
  HANDS.forEach((name) => window.addEventListener(name, end, true)); // a reader who scrolls is not pulled back
  return end;
}
