// The Explorer's view in the address bar, as a Streamlit component (v2). The step and the head come from the player's own
// event, so that going from step to step sends nothing to the server. When the browser goes back or forward the server
// is told the address, and answers with that view.

import { inBar, VERSION } from "./address.js";

/**
 * @import { End, Streamlit } from "../../attn_core/web/hosts/types.d.ts"
 *
 * @typedef {{ query: string, view: string, step: number, look: string | null, went: number }} Data
 * @typedef {Data & { calls: number, asked: number, tell: (query: string) => void, bar?: ReturnType<typeof inBar> | null,
 *   onStep?: (event: Event) => void }} Kept `asked`: the last question for a view, `went`: the last that was answered
 */

/**
 * @param {Streamlit<Data>} given
 * @returns {End}
 */
export default function ({ data, parentElement, setStateValue }) {
  const place = /** @type {HTMLElement & { kept?: Kept }} */ (parentElement.querySelector("span"));
  const kept = (place.kept ??= { ...data, calls: 0, asked: 0, tell: () => {} });
  const call = ++kept.calls;
  if (kept.view !== data.view || kept.went !== data.went) Object.assign(kept, data);
  kept.query = data.query;
  kept.tell = (query) => {
    kept.asked = Math.max(kept.asked + 1, Date.now()); // never the same twice: Streamlit sends what differs
    setStateValue("went", { query, asked: kept.asked });
  };

  const bar = (kept.bar ??= inBar(
    () => {
      const step = kept.step ? `&step=${kept.step}` : "";
      const look = kept.look ? `&look=${kept.look}` : "";
      return new URL(`?${kept.query}${step}${look}&v=${VERSION}`, location.href);
    },
    viewOf,
    () => kept.tell(location.search.slice(1)),
  ));
  const onStep = (kept.onStep ??= (event) => {
    const { detail } = /** @type {CustomEvent<{ step: number, look: string | null }>} */ (event);
    if (detail.step === kept.step && detail.look === kept.look) return;
    Object.assign(kept, { step: detail.step, look: detail.look });
    if (kept.asked <= kept.went) kept.bar?.soon();
  });
  document.addEventListener("attention-player", onStep);
  if (kept.asked <= kept.went) bar.soon(); // else the server has yet to answer with the view that was gone back to
  return () => {
    if (call !== kept.calls) return; // a call that a later one has overtaken
    kept.bar?.stop();
    kept.bar = null;
    document.removeEventListener("attention-player", onStep);
  };
}

/**
 * The part of an address that tells one view from another.
 * @param {URL} url
 */
function viewOf(url) {
  const rest = new URLSearchParams(url.search);
  for (const name of ["step", "look", "v"]) rest.delete(name);
  rest.sort();
  return rest.toString();
}
