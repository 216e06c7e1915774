// The keys of a player on a page that has no other use for them.

const KEYS = [" ", "ArrowLeft", "ArrowRight", "Home", "End", "Enter", "f", "F"];

/**
 * Send keys that nothing else on the page handles to the player, so that it needs no click first.
 * @param {HTMLElement} host
 * @param {{ keys?: string[], playing?: () => HTMLElement | null }} [given] `playing`: the player that gets them; null if
 *   none does now
 */
export function takeKeys(host, { keys = KEYS, playing = () => host.querySelector(".ap") } = {}) {
  const take = (/** @type {KeyboardEvent} */ event) => {
    const free = event.target === document.body && !event.defaultPrevented && keys.includes(event.key);
    const frame = free ? playing() : null;
    if (!frame || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    frame.focus({ preventScroll: true });
    frame.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, composed: true }));
  };
  document.addEventListener("keydown", take);
  return () => document.removeEventListener("keydown", take);
}
