// One of the models in a comparison: its translation of the sentence that the player shows.

import { openModel, requestOf, usable } from "../../../attn_core/web/hosts/opened.js";
import { typeIn } from "../../../attn_core/web/hosts/sentence.js";

/**
 * @import { TraceJSON } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Opened, Serve } from "../../../attn_core/web/hosts/opened.js"
 * @import { LiveView, Offered } from "../../../attn_core/web/hosts/types.d.ts"
 */

/**
 * `view`: its settings, without a sentence. `heard` is called after each translation; an Error is one that failed.
 * @param {Offered} model
 * @param {Serve | undefined} serve
 * @param {LiveView} view
 * @param {(problem?: Error) => void} heard
 */
export function createOther(model, serve, view, heard) {
  /** @type {Promise<Opened> | null} */
  let opening = null;
  /** @type {TraceJSON | null} */
  let trace = null;
  let turn = 0;

  /** The model; one that could not be opened is tried again. */
  function opened() {
    if (!opening) {
      opening = openModel(model, serve);
      opening.catch(() => { opening = null; });
    }
    return opening;
  }

  return {
    view,
    /** Of the sentence that was asked for last; null until it is there. */
    trace: () => trace,
    /** @param {string} text */
    async ask(text) {
      const now = ++turn;
      trace = null;
      try {
        const { decoder, files } = await opened();
        if (now !== turn) return;
        const how = files ? usable(view.how, files) : view.how;
        const type = files && view.type ? typeIn(files.graphs, how.window, view.type) : view.type;
        const answer = await decoder.translate(requestOf({ ...view, how, type, text }));
        if (now !== turn || !answer) return;
        ({ trace } = answer);
        heard();
      } catch (problem) {
        if (now === turn) heard(/** @type {Error} */ (problem));
      }
    },
    close() {
      turn += 1;
      opening?.then(({ decoder }) => decoder.close(), () => {});
    },
  };
}
