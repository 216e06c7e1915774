// The Explorer as a Streamlit component (v2). What the page cannot do itself, it asks of the server (server.js).

import { readData } from "../../attn_core/browser/hosts/component-data.js";
import { fetchFile, serve } from "./server.js";
import { createExplorer } from "./stage.js";

/**
 * @import { End, Streamlit } from "../../attn_core/browser/hosts/types.d.ts"
 * @import { Stage } from "../shell/types.d.ts"
 * @import { Page } from "./types.d.ts"
 *
 * @typedef {{ calls: number, text?: string, stage?: Stage }} Kept
 */

/**
 * @param {Streamlit<Page>} given
 * @returns {End}
 */
export default function ({ data: given, parentElement }) {
  const page = readData(given);
  const host = /** @type {HTMLElement & { kept?: Kept }} */ (parentElement.querySelector(".ap-host"));
  const kept = (host.kept ??= { calls: 0 });
  const call = ++kept.calls;
  const text = JSON.stringify(page);
  if (kept.text === text) kept.stage?.update();
  else {
    kept.stage?.destroy();
    Object.assign(kept, { text, stage: createExplorer(host, page, { serve, fetchFile }) });
  }
  return () => {
    if (call !== kept.calls) return; // there has been a later call
    kept.stage?.destroy();
    delete host.kept;
  };
}
