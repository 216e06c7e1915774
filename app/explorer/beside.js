// The effect of a comparison: the sentence on show is also translated by other models, or with other settings.

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
 * @typedef {{ opening: Promise<Opened> | null, text: string | null }} Rival `text`: the sentence of its last request
 */

/**
 * Follow the state of a store, and translate its sentence with each of the runs beside the view, until `stop()`.
 * @param {{ state: ReadonlySignal<State>, dispatch: (arrival: Arrival) => void }} store
 * @param {Offered[]} models
 * @param {Serve | undefined} serve translates where a model cannot run in the page
 * @param {(view: View) => Run[]} runsOf
 */
export function translateBeside({ state, dispatch }, models, serve, runsOf) {
  /** @type {Map<string, Rival>} by the keys of their runs */
  const rivals = new Map();

  /** @param {State} state */
  function follow({ view, result }) {
    const runs = new Map(runsOf(view).map((run) => [runKey(run), run]));
    for (const [key, rival] of rivals) {
      if (runs.has(key)) continue;
      rivals.delete(key);
      closeModel(rival);
    }
    for (const [key, run] of runs) {
      const rival = rivals.get(key) ?? { opening: null, text: null };
      rivals.set(key, rival);
      if (!result?.answer?.trace || result.text === rival.text) continue; // the translation on show comes first
      rival.text = result.text;
      translate(key, run, rival, result.text);
    }
  }

  /** @param {string} key @param {Run} run @param {Rival} rival @param {string} text */
  async function translate(key, run, rival, text) {
    const isCurrent = () => rivals.get(key) === rival && rival.text === text;
    try {
      rival.opening ??= openModel(/** @type {Offered} */ (models.find(({ name }) => name === run.model)), serve);
      const { decoder, files } = await rival.opening;
      if (!isCurrent()) return;
      const answer = await decoder.translate(requestOf(files ? fitted(run, files.graphs) : run, text));
      if (answer && isCurrent())
        dispatch({ type: "translated beside", run: key, text, trace: answer.trace, problem: null });
    } catch (problem) {
      if (!isCurrent()) return;
      closeModel(rival); // so that the next sentence opens it again
      rival.opening = null;
      dispatch({ type: "translated beside", run: key, text, trace: null, problem: messageOf(problem) });
    }
  }

  const stopFollowing = effect(() => follow(state.value));
  return {
    stop() {
      stopFollowing();
      for (const rival of rivals.values()) closeModel(rival);
      rivals.clear();
    },
  };
}

/** @param {Rival} rival */
function closeModel({ opening }) {
  opening?.then(
    ({ decoder }) => decoder.close(),
    () => {},
  );
}
