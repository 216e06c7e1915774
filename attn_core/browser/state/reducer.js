// The next state of a page after an action. Pure: states are never changed, and nothing else is read.

import { ACTS } from "./acts.js";
import { ARRIVALS } from "./arrivals.js";
import { fitted } from "./fit.js";
import { requestKey } from "./requests.js";

/** @import { Action, Choice, Handler, State } from "./types.d.ts" */

/** @type {Record<string, Handler<any>>} */
const HANDLERS = { ...ACTS, ...ARRIVALS };

/**
 * @param {State} state
 * @param {Action} action
 * @param {Choice[]} choices the models that the page offers
 * @returns {State}
 */
export function reduce(state, action, choices) {
  const next = HANDLERS[action.type](state, action, choices);
  const { model } = next;
  if (next.view === state.view && model === state.model) return next;
  if (next.view.model !== state.view.model)
    return { ...next, model: { status: "opening", files: null }, result: null, isSlow: false, number: null };
  if (model.status === "server") return fetchServed(next);
  if (model.status === "closed" && requestKey(next.view) !== requestKey(state.view))
    return { ...next, model: { ...model, status: "opening" } };
  return model.files ? { ...next, view: fitted(next.view, model.files.graphs) } : next;
}

/**
 * The server runs a model with the trained attention type, and makes no edits.
 * @param {State} state
 * @returns {State}
 */
function fetchServed(state) {
  const { view } = state;
  if (!view.edits.length && view.type === null) return state;
  return {
    ...state,
    view: { ...view, edits: [], type: null, draw: 0 },
    isEditing: false,
    removed: view.edits.length ? ["edits"] : state.removed,
  };
}
