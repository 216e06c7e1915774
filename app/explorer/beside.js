// The effect of a comparison: the sentence on show is translated by other models, or with other settings.

import { messageOf } from "../../attn_core/browser/player/core/messages.js";
import { effect } from "../../attn_core/browser/vendor/signals-core.js";
import { openModel } from "../../attn_core/browser/state/open-model.js";
import { requestOf, runKey } from "../../attn_core/browser/state/requests.js";
import { fitted } from "../../attn_core/browser/state/fit.js";

/**
 * @import { ReadonlySignal } from "../../attn_core/browser/vendor/signals-core.js"
 * @import { Offered } from "../../attn_core/browser/hosts/types.d.ts"
 * @import { Opened, Serve } from "../../attn_core/browser/state/open-model.js"
 * @import { Arrival, Run, State, View } from "../../attn_core/browser/state/types.d.ts"
 *
 * @typedef {{ opening: Promise<Opened> | null, text: string | null }} Beside `text`: the sentence of the last request
 */

/**
 * Follows the state of a store, whose sentence is translated with each of the runs beside the view, until `stop()`.
 * @param {{ state: ReadonlySignal<State>, dispatch: (arrival: Arrival) => void }} store
 * @param {Offered[]} models
 * @param {Serve | undefined} serve translates where a model cannot run in the page
 * @param {(view: View) => Run[]} runsOf
 */
export function translateBeside({ state, dispatch }, models, serve, runsOf) {
  /** @type {Map<string, Beside>} */
  const others = new Map();

  /** @param {State} now */
  function follow({ view, result }) {
    const runs = new Map(runsOf(view).map((run) => [runKey(run), run]));
    for (const [key, other] of others) {
      if (runs.has(key)) continue;
      others.delete(key);
      closeModel(other);
    }
    for (const [key, run] of runs) {
      const other = others.get(key) ?? { opening: null, text: null };
      others.set(key, other);
      if (!result?.answer?.trace || result.text === other.text) continue; // first comes the translation on show
      other.text = result.text;
      translate(key, run, other, result.text);
    }
  }

  /** @param {string} key @param {Run} run @param {Beside} other @param {string} text */
  async function translate(key, run, other, text) {
    const isCurrent = () => others.get(key) === other && other.text === text;
    try {
      other.opening ??= openModel(/** @type {Offered} */ (models.find(({ name }) => name === run.model)), serve);
      const { decoder, files } = await other.opening;
      if (!isCurrent()) return;
      const answer = await decoder.translate(requestOf(files ? fitted(run, files.graphs) : run, text));
      if (answer && isCurrent())
        dispatch({ type: "translated beside", run: key, text, trace: answer.trace, problem: null });
    } catch (problem) {
      if (!isCurrent()) return;
      closeModel(other); // the next sentence tries again
      other.opening = null;
      dispatch({ type: "translated beside", run: key, text, trace: null, problem: messageOf(problem) });
    }
  }

  const stop = effect(() => follow(state.value));
  return {
    stop() {
      stop();
      for (const other of others.values()) closeModel(other);
      others.clear();
    },
  };
}

/** @param {Beside} other */
function closeModel({ opening }) {
  opening?.then(
    ({ decoder }) => decoder.close(),
    () => {},
  );
}
