// Keeps the address bar at the view on the page. The step and the look come from the player's own event, so that reading
// on sends nothing to the server; the address is replaced, not pushed, so that Back leaves the page.

const PAUSE = 300; // ms; a replacement costs some, and browsers refuse more than a few hundred a minute

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector("span");
  const kept = (place.kept ??= { step: data.step, look: data.look, calls: 0 });
  const call = ++kept.calls;
  if (kept.view !== undefined && kept.view !== data.view) Object.assign(kept, { step: 0, look: null });
  Object.assign(kept, { query: data.query, view: data.view });

  kept.put ??= () => {
    const step = kept.step ? `&step=${kept.step}` : "";
    const look = kept.look ? `&look=${kept.look}` : "";
    const address = `${location.pathname}?${kept.query}${step}${look}`;
    if (location.pathname + location.search !== address) history.replaceState(history.state, "", address);
  };
  kept.soon ??= () => {
    clearTimeout(kept.later);
    kept.later = setTimeout(kept.put, PAUSE);
  };
  kept.onStep ??= ({ detail }) => {
    if (detail.step === kept.step && detail.look === kept.look) return;
    Object.assign(kept, { step: detail.step, look: detail.look });
    kept.soon();
  };
  document.addEventListener("attention-player", kept.onStep);
  document.addEventListener("view-link", kept.put);
  kept.soon();
  return () => {
    if (call !== kept.calls) return; // a call that a later one has overtaken
    clearTimeout(kept.later);
    document.removeEventListener("attention-player", kept.onStep);
    document.removeEventListener("view-link", kept.put);
  };
}
