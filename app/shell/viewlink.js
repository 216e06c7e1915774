// The Explorer's view in the address bar, as a Streamlit component (v2). The step and the look come from the player's own
// event, so that reading on sends nothing to the server.

import { inBar } from "./address.js";

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector("span");
  const kept = (place.kept ??= { step: data.step, look: data.look, calls: 0 });
  const call = ++kept.calls;
  if (kept.view !== undefined && kept.view !== data.view) Object.assign(kept, { step: 0, look: null });
  Object.assign(kept, { query: data.query, view: data.view });

  kept.bar ??= inBar(() => {
    const step = kept.step ? `&step=${kept.step + 1}` : ""; // as the player shows it, from 1
    const look = kept.look ? `&look=${kept.look}` : "";
    return new URL(`?${kept.query}${step}${look}`, location.href);
  });
  kept.onStep ??= ({ detail }) => {
    if (detail.step === kept.step && detail.look === kept.look) return;
    Object.assign(kept, { step: detail.step, look: detail.look });
    kept.bar.soon();
  };
  document.addEventListener("attention-player", kept.onStep);
  kept.bar.soon();
  return () => {
    if (call !== kept.calls) return; // a call that a later one has overtaken
    kept.bar.stop();
    kept.bar = null;
    document.removeEventListener("attention-player", kept.onStep);
  };
}
