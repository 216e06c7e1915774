// The Share button, as a Streamlit component (v2).

import { setUpShareButton } from "./share.js";

/**
 * @import { Streamlit } from "../../attn_core/browser/hosts/types.d.ts"
 * @param {Streamlit<unknown>} component
 */
export default function ({ parentElement }) {
  const button = /** @type {HTMLElement} */ (parentElement.querySelector("button"));
  setUpShareButton(button, /** @type {HTMLElement} */ (button.querySelector("span")));
}
