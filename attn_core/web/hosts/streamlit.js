// The player as a Streamlit component (v2). Streamlit calls the default export again at every change of data.

import { createPlayer } from "../player/player.js";

/**
 * @import { Hooks, Options, Player, Trace } from "../player/core/types.d.ts"
 * @import { End, Streamlit } from "./types.d.ts"
 *
 * @typedef {object} Kept what a player's element keeps from call to call
 * @property {number} calls
 * @property {string} [text] the data as received
 * @property {string} [words] of the trace alone
 * @property {Trace} [trace]
 * @property {Options} [options]
 * @property {Player} [player]
 * @property {End} [letKeys]
 */

const KEYS = [" ", "ArrowLeft", "ArrowRight", "Home", "End"];

/**
 * Send keys that nothing else on the page handles to the player, so that it needs no click first.
 * @param {HTMLElement} host
 */
function takeKeys(host) {
  const take = (/** @type {KeyboardEvent} */ event) => {
    const frame = /** @type {HTMLElement | null} */ (host.querySelector(".ap"));
    const free = event.target === document.body && !event.defaultPrevented;
    if (!free || !frame || !KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    frame.focus({ preventScroll: true });
    frame.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, composed: true }));
  };
  document.addEventListener("keydown", take);
  return () => document.removeEventListener("keydown", take);
}

/**
 * @param {Streamlit<Uint8Array>} given
 * @returns {End}
 */
export default function ({ data, parentElement, setStateValue }) {
  const host = /** @type {HTMLElement & { attentionPlayer?: Kept }} */ (parentElement.querySelector(".ap-host"));
  const text = new TextDecoder().decode(data);
  const kept = (host.attentionPlayer ??= { calls: 0 });
  const call = ++kept.calls;
  /** @type {Hooks} */
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
  const trace = /** @type {Trace} */ (kept.trace);
  if (kept.player) kept.player.update(trace, kept.options, hooks);
  else {
    kept.player = createPlayer(host, { trace, options: kept.options, ...hooks });
    kept.letKeys = takeKeys(host);
  }
  return () => {
    if (call !== kept.calls) return; // a call that a later one has overtaken must not end the player
    kept.letKeys?.();
    kept.player?.destroy();
    delete host.attentionPlayer;
  };
}
