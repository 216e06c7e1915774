// The speaker's notes of a lab page, as a Streamlit component (v2).

import { sent } from "../../attn_core/browser/hosts/sent.js";
import { createNotes } from "./notes.js";

/** @import { End, Streamlit } from "../../attn_core/browser/hosts/types.d.ts" */
/** @import { Notes } from "./types.d.ts" */

/**
 * @param {Streamlit<Notes>} given
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const host = /** @type {HTMLElement} */ (parentElement.querySelector(".ap-host"));
  return createNotes(host, sent(data)).destroy;
}
