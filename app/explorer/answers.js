// What the server answers to the Explorer's stage (component.js), as an invisible Streamlit component (v2) of its own: the
// data of the stage are large, and Streamlit sends them again only if they change.

import { sent } from "../../attn_core/web/hosts/sent.js";
import { ANSWERED } from "./answered.js";

/**
 * @import { Streamlit } from "../../attn_core/web/hosts/types.d.ts"
 * @import { Answers } from "./types.d.ts"
 */

/** @param {Streamlit<Answers>} given */
export default function ({ data }) {
  document.dispatchEvent(new CustomEvent(ANSWERED, { detail: sent(data) }));
}
