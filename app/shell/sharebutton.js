// The Share button, as a Streamlit component (v2).

import { shares } from "./share.js";

/**
 * @import { Streamlit } from "../../attn_core/browser/hosts/types.d.ts"
 * @param {Streamlit<unknown>} given
 */
export default function ({ parentElement }) {
  const button = /** @type {HTMLElement} */ (parentElement.querySelector("button"));
  shares(button, /** @type {HTMLElement} */ (button.querySelector("span")));
}
