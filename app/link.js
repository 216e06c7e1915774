// Keeps the address bar at the view on the page, and copies it. The step comes from the player's own event, so that
// reading on sends nothing to the server; the address is replaced, not pushed, so that Back leaves the page.

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const kept = (button.kept ??= { step: data.step, calls: 0 });
  const call = ++kept.calls;
  if (kept.view !== undefined && kept.view !== data.view) kept.step = 0;
  Object.assign(kept, { query: data.query, view: data.view });

  const address = () => `${location.pathname}?${kept.query}${kept.step ? `&step=${kept.step}` : ""}`;
  const put = () => {
    if (location.pathname + location.search !== address()) history.replaceState(history.state, "", address());
  };

  if (!kept.stop) {
    const onStep = ({ detail }) => {
      if (detail.step === kept.step) return;
      kept.step = detail.step;
      clearTimeout(kept.later); // browsers refuse more than some hundred replacements a minute
      kept.later = setTimeout(put, 300);
    };
    document.addEventListener("attention-player", onStep);
    button.onclick = async () => {
      clearTimeout(kept.later);
      put();
      const said = (await copied(location.href)) ? "Link copied" : "Copy it from the address bar";
      button.querySelector("span").textContent = said;
      setTimeout(() => { button.querySelector("span").textContent = "Link"; }, 2500);
    };
    kept.stop = () => {
      document.removeEventListener("attention-player", onStep);
      clearTimeout(kept.later);
    };
  }
  put();
  return () => {
    if (call === kept.calls) kept.stop();
  };
}

/** The clipboard needs https or this machine; elsewhere the old way may still work. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
