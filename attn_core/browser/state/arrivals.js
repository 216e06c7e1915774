// The state after something has arrived: a model, a translation, or the news that there is none.

import { choiceOf, rememberSentence } from "./choices.js";
import { withoutEdit } from "./edits.js";
import { unfitInLink } from "./fit.js";
import { headAfter, stepIn } from "./heads.js";
import { requestKey } from "./requests.js";

/** @import { Arrival, Choice, Handler, State, View } from "./types.d.ts" */

/** @type {{ [Type in Arrival["type"]]: Handler<Type> }} */
export const ARRIVALS = {
  "model opened": (state, { model, files }) => (model === state.view.model ? withOpened(state, files) : state),
  "model failed": (state, { model, text, problem }) =>
    model === state.view.model
      ? { ...withFailure(state, requestKey(state.view), text, problem), model: { status: "closed", files: null } }
      : state,
  waiting: (state) => ({ ...state, isSlow: true }),
  translated: withTranslation,
  "translation failed": (state, { key, text, problem }) => withFailure(state, key, text, problem),
  "translated beside": (state, { run, text, trace, problem }) => ({
    ...state,
    beside: { ...state.beside, [run]: { text, trace, problem } },
  }),
};

/** @param {State} state @param {State["model"]["files"]} files @returns {State} */
function withOpened(state, files) {
  const notices = state.isLinked && files ? unfitInLink(state.view, files.graphs) : [];
  return {
    ...state,
    model: { status: files ? "page" : "server", files },
    isSlow: false,
    notices: [...state.notices, ...notices],
  };
}

/**
 * A translation is shown, also while the next one is made; only the one that the view asks for changes the view.
 * @param {State} state
 * @param {Extract<Arrival, { type: "translated" }>} arrival
 * @param {Choice[]} choices
 * @returns {State}
 */
function withTranslation(state, { key, text, how, answer, files }, choices) {
  const { view, shown } = state;
  const { trace, unfit = [], unedited = null } = answer;
  const isCurrent = key === requestKey(view);
  const next = trace && { trace, model: view.model, text, how, key, files, unedited };
  if (!isCurrent) return next ? { ...state, shown: next } : state;
  if (!next) return { ...state, result: { key, text, answer, problem: null }, isSlow: false, isLinked: false };
  const edits = unfit.length ? unfit.reduce((left, { edit }) => withoutEdit(left, edit), view.edits) : view.edits;
  const sameSource = shown.trace.source.join("\n") === next.trace.source.join("\n");
  const step = state.isLinked || sameSource ? stepIn(next.trace, view.step) : 0;
  const changed = { ...view, step, edits, ...headAfter(state, next.trace) };
  const current = requestKey(changed); // without the edits that the translation cannot have
  return {
    ...state,
    view: isEqual(changed, view) ? view : changed,
    shown: { ...next, key: current },
    result: { key: current, text, answer, problem: null },
    isSlow: false,
    isLinked: false,
    unfit: unfit.length ? unfit : state.unfit,
    isEditing: state.isEditing || edits.length > 0,
    sentences: rememberSentence(state.sentences, choiceOf(choices, view.model), text, answer.reading.swapped),
  };
}

/**
 * A request of the view has failed; the failure of an earlier one changes nothing.
 * @param {State} state
 * @param {string} key
 * @param {string} text
 * @param {string} problem
 * @returns {State}
 */
const withFailure = (state, key, text, problem) =>
  key === requestKey(state.view)
    ? { ...state, result: { key, text, answer: null, problem }, isSlow: false, isLinked: false }
    : state;

/** @param {View} next @param {View} view */
const isEqual = (next, view) =>
  /** @type {(keyof View)[]} */ (Object.keys(next)).every((name) => Object.is(next[name], view[name]));
