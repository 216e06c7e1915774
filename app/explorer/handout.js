// The button for a handout, as a Streamlit component (v2). Only the page knows at which step the reader is: the click
// sends the step, the server makes the file that opens there, and the browser downloads it.

import { t } from "../../attn_core/web/player/core/messages.js";

/**
 * @import { End, Streamlit } from "../../attn_core/web/hosts/types.d.ts"
 *
 * @typedef {{ step: number, look: string | null }} Where
 * @typedef {{ page: string | null, name: string }} Data
 * @typedef {HTMLElement & { where?: Where, calls?: number, asked?: boolean }} Place
 */

/**
 * @param {Streamlit<Data>} given
 * @returns {End}
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const button = /** @type {Place} */ (parentElement.querySelector("button"));
  const call = (button.calls = (button.calls ?? 0) + 1);
  button.title = t("Download a page with the model and the player at this step, which translates without a network");
  /** @type {HTMLElement} */ (button.querySelector("span")).textContent = t("Handout");
  const follow = (/** @type {Event} */ event) => { button.where = /** @type {CustomEvent<Where>} */ (event).detail; };
  document.addEventListener("attention-player", follow);
  button.onclick = () => {
    button.asked = true;
    setTriggerValue("asked", { step: button.where?.step ?? 0, look: button.where?.look ?? null });
  };
  if (button.asked && data.page !== null) {
    button.asked = false;
    save(data.name, data.page);
  }
  return () => {
    document.removeEventListener("attention-player", follow);
    if (call === button.calls) button.onclick = null;
  };
}

/**
 * Download `text` as a file.
 * @param {string} name
 * @param {string} text
 */
function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
