// The effects of a page that translates: the model of the view is opened, and what the view asks for is translated.

import { effect } from "../vendor/signals-core.js";
import { messageOf, t } from "../player/core/messages.js";
import { drawnQuantities } from "../player/core/state-vectors.js";
import { openModel } from "./open-model.js";
import { howOf, requestKey, requestOf } from "./requests.js";

/**
 * @import { Answer, NumberAsked, Origin, Request } from "../engine/types.d.ts"
 * @import { ReadonlySignal } from "../vendor/signals-core.js"
 * @import { Offered } from "../hosts/types.d.ts"
 * @import { Opened, Serve } from "./open-model.js"
 * @import { Arrival, State, View } from "./types.d.ts"
 * @typedef {{ state: ReadonlySignal<State>, dispatch: (arrival: Arrival) => void }} Store
 */

const SOON = 300; // ms within which a model that the browser has kept is open

/**
 * Follows the state of a store until `stop()`.
 * @param {Store} store
 * @param {Offered[]} models
 * @param {Serve} [serve] translates where a model cannot run in the page
 */
export function createTranslator(store, models, serve) {
  const { state, dispatch } = store;
  const opening = keepOpen(store, models, serve);
  /** @type {Opened | null} the model that was asked last */
  let model = null;
  let asked = ""; // the key of the last request
  /** @type {Request | null} that of the translation on show */
  let answered = null;

  /** @param {View} view */
  async function translate(view) {
    const current = opening.model();
    if (current !== model) [model, asked, answered] = [current, "", null];
    const key = requestKey(view);
    if (!current || key === asked) return;
    asked = key;
    const request = {
      ...requestOf(view, view.text),
      ...(current.files ? { vectors: drawnQuantities(current.files.graphs.quantities) } : {}),
    };
    const timer = current.files ? undefined : reportWait(dispatch, () => current === model && asked === key);
    const answer = await current.decoder
      .translate(request)
      .catch(messageOf)
      .finally(() => clearTimeout(timer));
    if (!answer || current !== model) return; // a newer request came first, or another model was chosen
    if (typeof answer === "string")
      return dispatch({ type: "translation failed", key, text: view.text, problem: answer });
    if (answer.trace) answered = request;
    dispatch({ type: "translated", key, text: view.text, how: howOf(view), answer, files: current.files });
  }

  const stop = effect(() => {
    translate(state.value.view);
  });

  return {
    /**
     * The sentence on show with other settings, behind all other requests; null if no model runs in the page.
     * @param {Partial<Request>} changed
     * @returns {Promise<Answer | null>}
     */
    async translate(changed) {
      return model?.files && answered ? model.decoder.translate({ ...answered, ...changed }, true) : null;
    },
    /**
     * What a number of the translation on show was computed from. Rejects where no model runs in the page.
     * @param {NumberAsked} number
     * @returns {Promise<Origin>}
     */
    async origin(number) {
      if (!model?.decoder.origin || !answered) throw new Error(t("no model is open in the page"));
      return model.decoder.origin(answered, number);
    },
    stop() {
      stop();
      opening.stop();
      model = null;
    },
  };
}

/**
 * Opens the model of the view. What could not be opened is tried again with the next request: it may be there by then.
 * @param {Store} store
 * @param {Offered[]} models
 * @param {Serve} [serve]
 */
function keepOpen({ state, dispatch }, models, serve) {
  let name = ""; // of the model that is open, that opens, or that could not be opened
  /**
   * @type {Opened | "opening" | { failed: string }} `failed`: the key of the request for which it could not be opened
   */
  let model = { failed: "" };

  /** @param {View} view */
  async function open(view) {
    const [key, isOther] = [requestKey(view), view.model !== name];
    if (!isOther && (model === "opening" || "decoder" in model || model.failed === key)) return;
    close();
    [name, model] = [view.model, "opening"];
    const isCurrent = () => name === view.model && model === "opening";
    reportWait(dispatch, isCurrent);
    const opened = await openModel(
      /** @type {Offered} */ (models.find((offered) => offered.name === view.model)),
      serve,
    ).catch(messageOf);
    if (!isCurrent()) {
      // another model was chosen by now
      if (typeof opened !== "string") opened.decoder.close();
    } else if (typeof opened === "string") {
      model = { failed: key };
      dispatch({ type: "model failed", model: name, key, text: view.text, problem: opened });
    } else {
      model = opened;
      dispatch({ type: "model opened", model: name, files: opened.files });
    }
  }

  function close() {
    if (model !== "opening" && "decoder" in model) model.decoder.close();
  }

  const stop = effect(() => {
    open(state.value.view);
  });
  return {
    /** The model of the view; null until it is open. @returns {Opened | null} */
    model: () => (model !== "opening" && "decoder" in model ? model : null),
    stop() {
      stop();
      close();
      [name, model] = ["", { failed: "" }];
    },
  };
}

/** Report a wait that readers notice. @param {Store["dispatch"]} dispatch @param {() => boolean} isWaiting */
function reportWait(dispatch, isWaiting) {
  return setTimeout(() => {
    if (isWaiting()) dispatch({ type: "waiting" });
  }, SOON);
}
