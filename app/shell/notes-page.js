// The speaker's notes of a lab page, as a Streamlit component (v2).

import { readData } from "../../attn_core/browser/hosts/component-data.js";
import { createNotes } from "./notes.js";

/** @import { End, Streamlit } from "../../attn_core/browser/hosts/types.d.ts" */
/** @import { Notes } from "./types.d.ts" */

/**
 * @param {Streamlit<Notes>} component
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const host = /** @type {HTMLElement} */ (parentElement.querySelector(".ap-host"));
  return createNotes(host, readData(data)).destroy;
}
