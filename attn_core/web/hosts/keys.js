// The keys of a player, wherever on its page the focus is.

const KEYS = [" ", "ArrowLeft", "ArrowRight", "Home", "End", "Enter", "f", "F"];
const PRESSED = "button, a[href], summary, [role=button]"; // what the space bar or Enter presses
const MOVED = "input, textarea, select, [contenteditable], [role=slider], [role=radio], [role=tab], [role=option], [role^=menu]";

/**
 * Send keys that nothing else on the page handles to the player, so that it needs no click first. A button that was
 * clicked with the pointer loses the focus, because the space bar would otherwise press it again.
 * @param {HTMLElement} host
 * @param {{ keys?: string[], playing?: () => HTMLElement | null }} [given] `playing`: the player that gets them; null if
 *   none does now
 */
export function takeKeys(host, { keys = KEYS, playing = () => host.querySelector(".ap") } = {}) {
  const take = (/** @type {KeyboardEvent} */ event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keys.includes(event.key)) return;
    const frame = used(event) ? null : playing();
    if (!frame || event.composedPath().includes(frame)) return;
    event.preventDefault();
    frame.focus({ preventScroll: true });
    frame.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, composed: true }));
  };
  const release = (/** @type {MouseEvent} */ event) => {
    const path = event.composedPath();
    const button = path.find((one) => one instanceof HTMLButtonElement);
    if (event.detail && !path.includes(/** @type {EventTarget} */ (playing()))) button?.blur(); // 0: the keyboard pressed it
  };
  document.addEventListener("keydown", take);
  document.addEventListener("click", release);
  return () => {
    document.removeEventListener("keydown", take);
    document.removeEventListener("click", release);
  };
}

/** Whether the focused element or a modal dialog has a use of its own for the key. @param {KeyboardEvent} event */
function used(event) {
  const around = event.composedPath().filter((one) => one instanceof Element);
  const presses = event.key === " " || event.key === "Enter";
  return around.some((one) => one.matches(presses ? `:modal, ${PRESSED}, ${MOVED}` : `:modal, ${MOVED}`));
}
