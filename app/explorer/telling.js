// What the page shows is told to the server only when a download is near: the files are made from it.

/** @import { Shown } from "./types.d.ts" */

const DOWNLOADS = ".st-key-downloads"; // the container of the buttons, in page.py

/**
 * Tells the server what the page shows as soon as a pointer or the focus is on the downloads. A click that comes before the
 * server's answer is repeated after it; it takes what was shown when it was made, whatever is shown since.
 * @param {(name: "shown", shown: Shown & { id: number }) => void} send
 */
export function telling(send) {
  /** @type {(Shown & { id: number }) | null} */
  let now = null;
  let last = 0; // sent
  let known = 0; // to the server
  /** @type {{ id: number, target: HTMLElement } | null} */
  let clicked = null;
  let repeated = false;
  const near = (/** @type {Event} */ event) => {
    const outer = /** @type {Element | null} */ (event.target);
    if (!outer?.closest?.(DOWNLOADS) || !now || known >= now.id || repeated) return;
    if (event.type === "click") {
      event.preventDefault();
      event.stopImmediatePropagation();
      const target = /** @type {HTMLElement} */ (event.composedPath()[0]); // the handout's button is in a shadow tree
      clicked = { id: now.id, target: target.closest("button, summary") ?? target };
    }
    if (last === now.id) return;
    last = now.id;
    send("shown", now);
  };
  const again = () => {
    if (!clicked || known < clicked.id) return;
    const { target } = clicked;
    clicked = null;
    repeated = true;
    target.click();
    repeated = false;
  };
  for (const name of ["pointerover", "focusin", "click"]) document.addEventListener(name, near, true);
  return {
    /** @param {Shown} shown */
    shown(shown) {
      now = { ...shown, id: Math.max((now?.id ?? 0) + 1, Date.now()) }; // by the clock: the server may know an earlier page's
    },
    /** @param {number} id */
    known(id) {
      known = id;
      if (clicked) setTimeout(again); // when Streamlit has drawn the button with its new file
    },
    stop() {
      for (const name of ["pointerover", "focusin", "click"]) document.removeEventListener(name, near, true);
    },
  };
}
