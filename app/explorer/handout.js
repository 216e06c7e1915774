// The button for a handout, as a Streamlit component (v2): the server makes the file of what the stage shows, and the
// browser downloads it.

import { sent } from "../../attn_core/web/hosts/sent.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { save } from "../shell/save.js";
import { addressFor, asServed } from "../shell/share.js";

/**
 * @import { End, Streamlit } from "../../attn_core/web/hosts/types.d.ts"
 *
 * @typedef {{ page: string | null, name: string }} Data
 * @typedef {HTMLElement & { calls?: number, asked?: boolean }} Place
 */

/**
 * @param {Streamlit<Data>} given
 * @returns {End}
 */
export default function ({ data: given, parentElement, setTriggerValue }) {
  const data = sent(given);
  const button = /** @type {Place} */ (parentElement.querySelector("button"));
  const call = (button.calls = (button.calls ?? 0) + 1);
  button.title = t("Download an HTML page that opens at this step and, if the model runs in the browser, translates offline");
  /** @type {HTMLElement} */ (button.querySelector("span")).textContent = t("Handout");
  button.onclick = async () => {
    button.asked = true;
    document.dispatchEvent(new Event("view-link")); // the page brings its address up to date
    const served = await asServed();
    setTriggerValue("asked", { address: served ? addressFor(location, served) : "" });
  };
  if (button.asked && data.page !== null) {
    button.asked = false;
    save(data.name, "text/html", data.page);
  }
  return () => {
    if (call === button.calls) button.onclick = null;
  };
}
