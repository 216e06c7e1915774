// The Pointer page's stage as a Streamlit component. It stays while its data change: they are answers to what it asked.

import { createPointer } from "./stage.js";

export default function ({ data, parentElement, setStateValue }) {
  const host = parentElement.querySelector(".ap-host");
  const kept = (host.kept ??= { calls: 0 });
  const call = ++kept.calls;
  const hooks = { onAsk: (asked) => setStateValue("asked", asked) };
  if (kept.stage) kept.stage.update(data, hooks);
  else kept.stage = createPointer(host, data, hooks);
  return () => {
    if (call !== kept.calls) return; // a call that a later one has overtaken
    kept.stage.destroy();
    delete host.kept;
  };
}
