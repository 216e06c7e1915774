// A stage as a Streamlit component (v2). Streamlit calls the default export again at every change of the data.

import { readData } from "../../../attn_core/browser/hosts/component-data.js";
import { hasArrived } from "../../shell/address.js";

/** @import { End, Streamlit } from "../../../attn_core/browser/hosts/types.d.ts" */
/** @import { Stage } from "../../shell/types.d.ts" */
/** @typedef {{ calls: number, text?: string, stage?: Stage }} Kept */

/**
 * The export for a stage that `create(host, data, opening)` makes and that has update() and destroy(). `opening`: the
 * reader has just come to this view, so that the stage starts with the settings in its address.
 * @template Data
 * @param {(host: HTMLElement, data: Data, opening: boolean) => Stage} create
 * @returns {(component: Streamlit<Data>) => End}
 */
export function mounted(create) {
  return ({ data: sentData, parentElement }) => {
    const data = readData(sentData);
    const host = /** @type {HTMLElement & { kept?: Kept }} */ (parentElement.querySelector(".ap-host"));
    const kept = (host.kept ??= { calls: 0 });
    const call = ++kept.calls;
    const text = JSON.stringify(data);
    if (kept.text === text) kept.stage?.update();
    else {
      kept.stage?.destroy();
      Object.assign(kept, { text, stage: create(host, data, hasArrived()) });
    }
    return () => {
      if (call !== kept.calls) return; // there has been a later call
      kept.stage?.destroy();
      delete host.kept;
    };
  };
}
