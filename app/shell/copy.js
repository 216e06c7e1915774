// The button for a link to the view, as a Streamlit component (v2).

import { copies } from "./copylink.js";

/**
 * @import { Streamlit } from "../../attn_core/web/hosts/types.d.ts"
 * @param {Streamlit<unknown>} given
 */
export default function ({ parentElement }) {
  const button = /** @type {HTMLElement} */ (parentElement.querySelector("button"));
  copies(button, /** @type {HTMLElement} */ (button.querySelector("span")));
}
