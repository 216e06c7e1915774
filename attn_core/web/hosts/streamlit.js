// The player as a Streamlit component (v2). Streamlit calls the default export again at every change of data.

import { createPlayer } from "../player/player.js";
import { modelAt } from "./fetched.js";
import { typeIn } from "./sentence.js";

/**
 * @import { Hooks, Options, Player, Settled, Trace } from "../player/core/types.d.ts"
 * @import { End, LiveEngine, Streamlit } from "./types.d.ts"
 *
 * @typedef {object} Kept the state that a player's element keeps between calls
 * @property {number} calls
 * @property {string} [text] the data as received
 * @property {string} [words] of the trace alone
 * @property {Trace} [trace]
 * @property {Trace | null} [shown] what the page decoded since the server sent the trace
 * @property {Options} [options]
 * @property {string} [engineText] the model that translates in the page, as received
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
 * Give the player a decoder as soon as the model is in the page; where it cannot be used, the server decodes.
 * @param {Kept} kept
 * @param {LiveEngine} engine
 */
async function start(kept, { record, weights, request }) {
  const own = kept.engineText;
  const { decoder, files } = await modelAt(record, weights);
  /** @param {Settled} settings */
  const decode = async ({ as_trained, window, half_width, sigma }) => {
    const how = as_trained ? {} : { window, half_width, sigma };
    const answer = await decoder.translate({ ...request, ...how, type: typeIn(files.graphs, how.window, request.type) });
    if (!answer?.trace || own !== kept.engineText) return null; // an answer that another sentence or model has overtaken
    return (kept.shown = answer.trace);
  };
  if (own !== kept.engineText || !kept.trace) return; // another sentence or model by now
  kept.player?.update(kept.shown ?? kept.trace, kept.options, { decoder: { decode } });
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
    // Streamlit sends a value only if it differs from the last one; `asked` is different each time.
    onSettle: (settings) => setStateValue("settled", settings),
  };
  if (text !== kept.text) {
    // While the text is the same, the trace is the same object, so that a change of theme does not reset the player.
    const { trace, options, engine, here } = JSON.parse(text);
    const words = JSON.stringify(trace);
    if (words !== kept.words) Object.assign(kept, { words, trace });
    if (!here) kept.shown = null;
    Object.assign(kept, { text, options });
    const engineText = JSON.stringify(engine);
    if (engineText !== kept.engineText) {
      Object.assign(kept, { engineText });
      hooks.decoder = null;
      if (engine) start(kept, engine).catch(() => {});
    }
  }
  const trace = /** @type {Trace} */ (kept.shown ?? kept.trace);
  if (kept.player) kept.player.update(trace, kept.options, hooks);
  else {
    kept.player = createPlayer(host, { trace, options: kept.options, ...hooks });
    kept.letKeys = takeKeys(host);
  }
  return () => {
    if (call !== kept.calls) return; // only the latest call may destroy the player
    kept.letKeys?.();
    kept.player?.destroy();
    delete host.attentionPlayer;
  };
}
