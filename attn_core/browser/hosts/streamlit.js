// The player of a recording as a Streamlit component (v2). Streamlit calls the default export again at every change of
// data.

import { createPlayer } from "../player/player.js";
import { forwardKeys } from "./keys.js";

/**
 * @import { Options, Player, Trace } from "../player/core/types.d.ts"
 * @import { End, Streamlit } from "./types.d.ts"
 *
 * @typedef {object} Kept the state that a player's element keeps between calls
 * @property {number} calls
 * @property {string} [text] the data as received
 * @property {string} [traceText] of the trace alone
 * @property {Trace} [trace]
 * @property {Options} [options]
 * @property {Player} [player]
 * @property {End} [stopKeys]
 */

/**
 * @param {Streamlit<Uint8Array>} component
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const host = /** @type {HTMLElement & { attentionPlayer?: Kept }} */ (parentElement.querySelector(".ap-host"));
  const text = new TextDecoder().decode(/** @type {Uint8Array} */ (data));
  const kept = (host.attentionPlayer ??= { calls: 0 });
  const call = ++kept.calls;
  if (text !== kept.text) {
    // While the text is the same, the trace is the same object, so that a change of theme does not reset the player.
    const { trace, options } = JSON.parse(text);
    const traceText = JSON.stringify(trace);
    if (traceText !== kept.traceText) Object.assign(kept, { traceText, trace });
    Object.assign(kept, { text, options });
  }
  const trace = /** @type {Trace} */ (kept.trace);
  if (kept.player) kept.player.update(trace, kept.options);
  else {
    kept.player = createPlayer(host, { trace, options: kept.options });
    kept.stopKeys = forwardKeys(host);
  }
  return () => {
    if (call !== kept.calls) return; // only the latest call may destroy the player
    kept.stopKeys?.();
    kept.player?.destroy();
    delete host.attentionPlayer;
  };
}
