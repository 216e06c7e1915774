// The Explorer's view in the address bar, as a Streamlit component (v2). The step and the look come from the player's own
// event, so that reading on sends nothing to the server.

import { inBar } from "./address.js";

/**
 * @import { End, Streamlit } from "../../attn_core/web/hosts/types.d.ts"
 *
 * @typedef {{ query: string, view: string, step: number, look: string | null }} Data
 * @typedef {Partial<Data> & { step: number, look: string | null, calls: number, bar?: ReturnType<typeof inBar> | null,
 *   onStep?: (event: Event) => void }} Kept
 */

/**
 * @param {Streamlit<Data>} given
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const place = /** @type {HTMLElement & { kept?: Kept }} */ (parentElement.querySelector("span"));
  const kept = (place.kept ??= { step: data.step, look: data.look, calls: 0 });
  const call = ++kept.calls;
  if (kept.view !== undefined && kept.view !== data.view) Object.assign(kept, { step: 0, look: null });
  Object.assign(kept, { query: data.query, view: data.view });

  const bar = (kept.bar ??= inBar(() => {
    const step = kept.step ? `&step=${kept.step + 1}` : ""; // as the player shows it, from 1
    const look = kept.look ? `&look=${kept.look}` : "";
    return new URL(`?${kept.query}${step}${look}`, location.href);
  }));
  const onStep = (kept.onStep ??= (event) => {
    const { detail } = /** @type {CustomEvent<{ step: number, look: string | null }>} */ (event);
    if (detail.step === kept.step && detail.look === kept.look) return;
    Object.assign(kept, { step: detail.step, look: detail.look });
    kept.bar?.soon();
  });
  document.addEventListener("attention-player", onStep);
  bar.soon();
  return () => {
    if (call !== kept.calls) return; // a call that a later one has overtaken
    kept.bar?.stop();
    kept.bar = null;
    document.removeEventListener("attention-player", onStep);
  };
}
