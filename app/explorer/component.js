// The Explorer as a Streamlit component (v2). The server does what the page cannot do itself (server.js).

import { readData } from "../../attn_core/browser/hosts/component-data.js";
import { SERVER_FILES } from "./server-files.js";
import { serve } from "./server.js";
import { createExplorer } from "./stage.js";

/**
 * @import { End, Streamlit } from "../../attn_core/browser/hosts/types.d.ts"
 * @import { Stage } from "../shell/types.d.ts"
 * @import { Page } from "./types.d.ts"
 *
 * @typedef {{ calls: number, text?: string, stage?: Stage }} Kept
 */

/**
 * Called again at every run of the page; the Explorer is created anew only with other data.
 * @param {Streamlit<Page>} component
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const page = readData(data);
  const host = /** @type {HTMLElement & { kept?: Kept }} */ (parentElement.querySelector(".ap-host"));
  const kept = (host.kept ??= { calls: 0 });
  const call = ++kept.calls;
  const text = JSON.stringify(page);
  if (kept.text === text) kept.stage?.update();
  else {
    kept.stage?.destroy();
    Object.assign(kept, { text, stage: createExplorer(host, page, { serve, serverFiles: SERVER_FILES }) });
  }
  return () => {
    if (call !== kept.calls) return; // only the latest call may destroy the Explorer
    kept.stage?.destroy();
    delete host.kept;
  };
}
