// The Pointer page's stage as a Streamlit component. It is kept when its data change, since they answer its requests.

import { createPointer } from "./stage.js";

/** @import { End, Streamlit } from "../../../attn_core/web/hosts/types.d.ts" */
/** @import { PointerData, PointerHooks, PointerStage } from "./types.d.ts" */

/** @typedef {{ calls: number, stage?: PointerStage }} Kept */

/**
 * @param {Streamlit<PointerData>} given
 * @returns {End}
 */
export default function ({ data, parentElement, setStateValue }) {
  const host = /** @type {HTMLElement & { kept?: Kept }} */ (parentElement.querySelector(".ap-host"));
  const kept = (host.kept ??= { calls: 0 });
  const call = ++kept.calls;
  /** @type {PointerHooks} */
  const hooks = { onAsk: (asked) => setStateValue("asked", asked) };
  if (kept.stage) kept.stage.update(data, hooks);
  else kept.stage = createPointer(host, data, hooks);
  return () => {
    if (call !== kept.calls) return; // there has been a later call
    kept.stage?.destroy();
    delete host.kept;
  };
}
