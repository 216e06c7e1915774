// The Pointer page's stage as a Streamlit component. It stays while its data change: they are answers to what it asked.

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
    if (call !== kept.calls) return; // a call that a later one has overtaken
    kept.stage?.destroy();
    delete host.kept;
  };
}
