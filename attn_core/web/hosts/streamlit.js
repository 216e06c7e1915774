// The player as a Streamlit component (v2). Streamlit calls the default export again at every change of data.

import { createPlayer } from "../player/player.js";

const KEYS = [" ", "ArrowLeft", "ArrowRight", "Home", "End"];

/** Keys that nothing on the page has taken go to the player, so that it can be driven without a click first. */
function takeKeys(host) {
  const take = (event) => {
    const frame = host.querySelector(".ap");
    const free = event.target === document.body && !event.defaultPrevented;
    if (!free || !frame || !KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    frame.focus({ preventScroll: true });
    frame.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, composed: true }));
  };
  document.addEventListener("keydown", take);
  return () => document.removeEventListener("keydown", take);
}

export default function ({ data, parentElement, setStateValue }) {
  const host = parentElement.querySelector(".ap-host");
  const text = new TextDecoder().decode(data);
  const kept = (host.attentionPlayer ??= { calls: 0 });
  const call = ++kept.calls;
  const hooks = {
    // Streamlit sends a value that differs from the last one; `asked` in it is never the same twice.
    onSettle: (settings) => setStateValue("settled", settings),
  };
  if (text !== kept.text) {
    // A trace is the same object as long as its text is the same, so that a change of theme resets nothing.
    const { trace, options } = JSON.parse(text);
    const words = JSON.stringify(trace);
    if (words !== kept.words) Object.assign(kept, { words, trace });
    Object.assign(kept, { text, options });
  }
  if (kept.player) kept.player.update(kept.trace, kept.options, hooks);
  else {
    kept.player = createPlayer(host, { trace: kept.trace, options: kept.options, ...hooks });
    kept.letKeys = takeKeys(host);
  }
  return () => {
    if (call !== kept.calls) return; // a call that a later one has overtaken must not end the player
    kept.letKeys();
    kept.player.destroy();
    delete host.attentionPlayer;
  };
}
