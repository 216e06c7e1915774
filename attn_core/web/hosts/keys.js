// The keys of a player on a page that has no other use for them.

const KEYS = [" ", "ArrowLeft", "ArrowRight", "Home", "End", "f", "F"];

/**
 * Send keys that nothing else on the page handles to the player, so that it needs no click first.
 * @param {HTMLElement} host
 */
export function takeKeys(host) {
  const take = (/** @type {KeyboardEvent} */ event) => {
    const frame = /** @type {HTMLElement | null} */ (host.querySelector(".ap"));
    const free = event.target === document.body && !event.defaultPrevented;
    if (!free || !frame || !KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    frame.focus({ preventScroll: true });
    frame.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, composed: true }));
  };
  document.addEventListener("keydown", take);
  return () => document.removeEventListener("keydown", take);
}
