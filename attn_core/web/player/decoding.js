// What the player does for hosts/live.js and the Explorer as it was, and for nothing else: it asks a decoder for the window of
// the sliders, and reports what readers do as events of its host. It goes with them.

import { decodedWith, howOf, trainedWith } from "./core/settings.js";

/**
 * @import { HeadChoice, Hooks, Settings, Trace } from "./core/types.d.ts"
 * @import { PlayerAction } from "./components/types.d.ts"
 * @import { Windows } from "./core/settings.js"
 */

/**
 * @param {HTMLElement} host
 * @param {Hooks["decoder"]} given
 * @param {(trace: Trace) => void} onTrace
 * @param {() => void} onChange
 */
export function decoding(host, given, onTrace, onChange) {
  let decoder = given;
  /** @type {Settings | null} what the sliders ask for, until it is decoded */
  let asked = null;
  let requests = 0; // counts those so far
  let outdated = 0; // the requests up to this one are of another sentence

  /** @param {Settings} settings @param {Trace} trace @param {Windows} windows */
  function ask(settings, trace, windows) {
    asked = settings;
    const own = ++requests;
    const asking = decoder;
    const answered = (/** @type {Trace | null} */ decoded) => {
      if (own <= outdated) return;
      if (own === requests) asked = null;
      if (decoded) onTrace(decoded);
      onChange();
    };
    const failed = () => {
      if (decoder !== asking) return; // that of an earlier model, closed meanwhile
      decoder = asked = null; // what is shown is a recording now
      onChange();
    };
    asking?.decode(howOf(settings, trace, windows)).then(answered, failed);
  }

  const tell = (/** @type {string} */ name, /** @type {unknown} */ detail) => {
    host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  };

  return {
    /** @param {HeadChoice} chosen */
    props: (chosen) => ({
      asked, decodes: Boolean(decoder), keeps: decoder?.keeps ?? false,
      numbersHint: /** @type {HTMLElement | null} */ (host.closest("[data-numbers]"))?.dataset.numbers,
      onDrawn: (/** @type {number} */ step, /** @type {boolean} */ moving) => tell("attention-player", { step, ...chosen, moving }),
    }),

    /** @param {PlayerAction} action @param {Trace} trace @param {Windows} windows */
    hear(action, trace, windows) {
      const now = asked ?? decodedWith(trace, windows);
      if (action.type === "window set") {
        const { window, live, centers } = action.window === null ? trainedWith(trace, windows) : action;
        ask({ window, live, centers, keep: now.keep }, trace, windows);
      }
      if (action.type === "states kept") ask({ ...now, keep: action.keep }, trace, windows);
      const { type, ...detail } = action;
      if (type === "number opened") tell("attention-number", detail);
      if (type === "weights painted") tell("attention-paint", detail);
    },

    /** @param {Hooks} hooks */
    replace(hooks) {
      if (hooks.decoder !== undefined) ({ decoder } = hooks);
    },

    /** Another trace is on show: the answers to all requests so far are ignored. */
    outdate() {
      outdated = requests;
      asked = null;
    },
  };
}
