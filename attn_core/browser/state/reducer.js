// The next state of a page after an action. Pure: states are never changed, and nothing else is read.

import { MOST_DRAWS } from "../engine/limits.js";
import { headChoice, headIndex, looksOf, MEAN, NO_HEAD, shownLook } from "../player/core/looks.js";
import { t } from "../player/core/messages.js";
import { paintedEdits, wordEdit, wordOfRank } from "./editing.js";
import { withoutEdit } from "./edits.js";
import { fitted, unfitInLink } from "./fit.js";
import { keepEdits, NO_HISTORY, redoEdits, undoEdits } from "./history.js";
import { numberAt } from "./numbers.js";
import { AS_TRAINED, howOf, isMoved, requestKey, runOf } from "./requests.js";

/**
 * @import { TraceJSON } from "../engine/types.d.ts"
 * @import { HeadChoice } from "../player/core/types.d.ts"
 * @import { Action, Arrival, Choice, State, View } from "./types.d.ts"
 */

/**
 * Remarks on the last act, which end with the next one that is translated.
 * @type {Pick<State, "notices" | "removed" | "unfit" | "modelBefore">}
 */
const NO_REMARKS = { notices: [], removed: [], unfit: [], modelBefore: null };

/** Of another sentence or model. @type {Pick<State, "history" | "stroke">} */
const NO_EDITS_BEFORE = { history: NO_HISTORY, stroke: null };

/**
 * The state of a page that opens.
 * @param {View} view
 * @param {TraceJSON} trace that the page shows until the first translation is there
 * @param {{ isLinked?: boolean, notices?: string[] }} [given]
 * @returns {State}
 */
export function firstState(view, trace, { isLinked = false, notices = [] } = {}) {
  const shown = {
    trace,
    model: view.model,
    text: view.text,
    how: howOf(view),
    key: isLinked ? null : requestKey(view),
    files: null,
    unedited: null,
  };
  return {
    ...NO_REMARKS,
    shown,
    isLinked,
    notices,
    model: { status: "opening", files: null },
    result: null,
    isSlow: false,
    sentences: {},
    begun: 0,
    view: isLinked ? view : { ...view, ...headIn(trace, view) },
    isEditing: view.edits.length > 0,
    ...NO_EDITS_BEFORE,
    byPieces: false,
    beside: {},
    number: null,
  };
}

/**
 * @param {State} state
 * @param {Action} action
 * @param {Choice[]} choices the models that the page offers
 * @returns {State}
 */
export function reduce(state, action, choices) {
  const next = afterAction(state, action, choices);
  const { model } = next;
  if (next.view === state.view && model === state.model) return next;
  if (next.view.model !== state.view.model)
    return { ...next, model: { status: "opening", files: null }, result: null, isSlow: false, number: null };
  if (model.status === "server") return served(next);
  if (model.status === "closed" && requestKey(next.view) !== requestKey(state.view))
    return { ...next, model: { ...model, status: "opening" } };
  return model.files ? { ...next, view: fitted(next.view, model.files.graphs) } : next;
}

/**
 * The server runs a model with the trained attention type, and makes no edits.
 * @param {State} state
 * @returns {State}
 */
function served(state) {
  const { view } = state;
  if (!view.edits.length && view.type === null) return state;
  return {
    ...state,
    view: { ...view, edits: [], type: null, draw: 0 },
    isEditing: false,
    removed: view.edits.length ? ["edits"] : state.removed,
  };
}

/** @param {State} state @param {Action} action @param {Choice[]} choices @returns {State} */
function afterAction(state, action, choices) {
  const { view } = state;
  /**
   * The state with another view, which is translated again.
   * @param {Partial<View>} change
   * @param {Partial<State>} [more]
   */
  const withView = (change, more = {}) => ({ ...state, ...NO_REMARKS, view: { ...view, ...change }, ...more });
  /** The state with a view that is only shown in another way. @param {Partial<View>} change */
  const showing = (change) => ({ ...state, view: { ...view, ...change } });
  switch (action.type) {
    case "view opened":
      return withLink(state, action, choices);
    case "trace given": {
      const first = firstState({ ...action.view, present: view.present }, action.trace);
      return {
        ...first,
        byPieces: state.byPieces,
        model: state.model,
        begun: state.begun,
        result: state.result?.key === requestKey(first.view) ? state.result : null,
      };
    }
    case "model chosen":
      return withModel(state, action, choices);
    case "sentence typed":
      return action.text === view.text ? state : withText(state, action);
    case "window set":
      return withView({ window: action.window, live: withoutDefaults(action.live), centers: action.centers });
    case "states kept":
      return withView({ keep: action.keep });
    case "search chosen":
      return withView(withSearch(view, action));
    case "attention type chosen":
      return withView({ type: action.attention });
    case "sample drawn":
      return withView({ draw: (view.draw + 1) % (MOST_DRAWS + 1) });
    case "step chosen":
      return showing({ step: Math.max(0, action.step) });
    case "head chosen":
      return showing({ layer: action.layer, head: action.head });
    case "gloss chosen":
      return showing({ gloss: action.gloss });
    case "level chosen":
      return showing({ level: action.level });
    case "tour left":
      return afterTour(endEditing(state));
    case "lecture set":
      return showing({ present: action.presented });
    case "pieces chosen":
      return { ...state, byPieces: action.byPieces };
    case "comparison begun":
      return showing({ compared: action.with, race: null });
    case "race begun":
      return showing({ compared: null, race: action.axis });
    case "comparison ended":
      return showing({ compared: null, race: null });
    case "sides swapped":
      return view.compared
        ? withView(
            { ...view.compared, compared: runOf(view) },
            { isEditing: view.compared.edits.length > 0, ...NO_EDITS_BEFORE },
          )
        : state;
    case "number opened":
      return withNumber(state, action);
    case "number asked":
      return { ...state, number: action.number };
    case "editing begun":
      return { ...state, isEditing: true };
    case "editing ended":
      return endEditing(state);
    case "edits set":
      return withEdits(state, action.edits);
    case "edits undone":
      return withHistory(state, undoEdits(state.history, view.edits));
    case "edits redone":
      return withHistory(state, redoEdits(state.history, view.edits));
    case "weights painted":
      return withPainted(state, action);
    default:
      return afterArrival(state, action, choices);
  }
}

/** @param {State} state @returns {State} */
const endEditing = (state) =>
  state.view.edits.length ? withEdits(state, [], { isEditing: false }) : { ...state, isEditing: false };

/** @param {State} state @returns {State} */
const afterTour = (state) => ({ ...state, view: { ...state.view, tour: null } });

/** @param {State} state @param {Arrival} arrival @param {Choice[]} choices @returns {State} */
function afterArrival(state, arrival, choices) {
  const { view } = state;
  switch (arrival.type) {
    case "model opened":
      return arrival.model === view.model ? withOpened(state, arrival.files) : state;
    case "model failed": {
      const { model, text, problem } = arrival;
      return model === view.model
        ? { ...failed(state, requestKey(view), text, problem), model: { status: "closed", files: null } }
        : state;
    }
    case "waiting":
      return { ...state, isSlow: true };
    case "translated":
      return translated(state, arrival, choices);
    case "translation failed":
      return failed(state, arrival.key, arrival.text, arrival.problem);
    case "translated beside": {
      const { run, text, trace, problem } = arrival;
      return { ...state, beside: { ...state.beside, [run]: { text, trace, problem } } };
    }
  }
}

/** The step and the head on show. @param {State} state @returns {{ step: number } & HeadChoice} */
export function placeOf({ view, shown: { trace } }) {
  return { step: Math.min(view.step, Math.max(trace.steps.length - 1, 0)), ...headIn(trace, view) };
}

/**
 * The head of a trace that a view shows; none if the model has fewer than two.
 * @param {TraceJSON} trace
 * @param {HeadChoice} choice
 * @returns {HeadChoice}
 */
function headIn(trace, choice) {
  return headChoice(looksOf(trace), shownLook(trace, choice));
}

/**
 * The manual changes of a view, which end with a new sentence or model.
 * @param {View} view
 * @returns {State["removed"]}
 */
const manualChanges = ({ edits, centers }) => (edits.length || centers ? ["edits"] : []);

/** Live settings without those that are the window's own default. @param {Record<string, number | null>} live */
const withoutDefaults = (live) =>
  /** @type {Record<string, number>} */ (
    Object.fromEntries(Object.entries(live).filter(([, value]) => value !== null))
  );

/**
 * The view of a link. Where its translation is on show already, nothing is translated again.
 * @param {State} state
 * @param {Extract<Action, { type: "view opened" }>} action
 * @param {Choice[]} choices
 * @returns {State}
 */
function withLink(state, { view: linked, notices }, choices) {
  const {
    model: { files },
    view: before,
    shown,
    result,
  } = state;
  const graphs = linked.model === before.model ? files?.graphs : undefined;
  const view = graphs ? fitted(linked, graphs) : linked;
  const isAnswered = requestKey(view) === result?.key;
  const isOther = view.model !== before.model || view.text !== before.text;
  return endedComparison(
    {
      ...state,
      ...NO_REMARKS,
      view: isAnswered && shown.key === result?.key ? { ...view, ...headIn(shown.trace, view) } : view,
      isLinked: !isAnswered,
      notices: [...notices, ...(graphs ? unfitInLink(linked, graphs) : [])],
      isEditing: view.edits.length > 0,
      ...(isOther ? NO_EDITS_BEFORE : {}),
    },
    choices,
  );
}

/** @param {Choice[]} choices @param {string} model its name */
const choiceOf = (choices, model) => /** @type {Choice} */ (choices.find(({ name }) => name === model));

/**
 * The last sentence in each language, with one that a model has read; not one in another language, nor joined
 * sentences.
 * @param {State["sentences"]} sentences @param {Choice} choice the model @param {string} text @param {boolean}
 * isSwapped
 * @returns {State["sentences"]}
 */
const remembered = (sentences, { pair, joined }, text, isSwapped) =>
  joined || isSwapped ? sentences : { ...sentences, [pair.split("-")[0]]: text };

/**
 * Another model runs as trained, with a sentence in its language: the one to go on with, the last one in that language,
 * or an example. For a model of the same languages, an example becomes this model's form of it.
 * @param {State} state
 * @param {Extract<Action, { type: "model chosen" }>} action
 * @param {Choice[]} choices
 * @returns {State}
 */
function withModel(state, { model, text }, choices) {
  const { view, sentences, result } = state;
  const [before, after] = [view.model, model].map((name) => choiceOf(choices, name));
  const [read, reads] = [before, after].map(({ pair }) => pair.split("-")[0]);
  const isSwapped = Boolean(result?.answer?.reading.swapped);
  const known = remembered(sentences, before, view.text, isSwapped);
  const example = after.examples[before.examples.indexOf(view.text)];
  const sameLanguage = before.pair === after.pair ? (example ?? view.text) : view.text;
  const goesOn = text ?? (isSwapped && reads === before.pair.split("-")[1] ? view.text : undefined);
  return endedComparison(
    {
      ...state,
      ...NO_REMARKS,
      sentences: known,
      ...NO_EDITS_BEFORE,
      isEditing: false,
      modelBefore: view.model,
      removed: [...(isMoved(view) ? /** @type {const} */ (["window"]) : []), ...manualChanges(view)],
      view: {
        ...view,
        ...AS_TRAINED,
        model,
        edits: [],
        text: goesOn ?? (read === reads ? sameLanguage : (known[reads] ?? after.examples[0] ?? view.text)),
      },
    },
    choices,
  );
}

/**
 * A comparison ends where its model translates between other languages.
 * @param {State} state
 * @param {Choice[]} choices
 * @returns {State}
 */
function endedComparison(state, choices) {
  const { view } = state;
  const [pair, other] = [view.model, view.compared?.model].map(
    (name) => choices.find((choice) => choice.name === name)?.pair,
  );
  if (!view.compared || pair === other) return state;
  const notice = t("The comparison has ended: the other model translates between other languages.");
  return { ...state, view: { ...view, compared: null }, notices: [...state.notices, notice] };
}

/** @param {State} state @param {Extract<Action, { type: "sentence typed" }>} action @returns {State} */
function withText(state, { text, begins = false }) {
  const { view } = state;
  return {
    ...state,
    ...NO_REMARKS,
    removed: manualChanges(view),
    view: { ...view, text, edits: [], centers: null },
    ...NO_EDITS_BEFORE,
    isLinked: false,
    begun: state.begun + Number(begins),
  };
}

/**
 * Another search; a second translation by another model, which had the search of the first, goes on with it.
 * @param {View} view
 * @param {Partial<Pick<View, "beam" | "normalise" | "unk">>} chosen
 * @returns {Partial<View>}
 */
function withSearch(view, { beam = view.beam, normalise = view.normalise, unk = view.unk }) {
  const { compared } = view;
  const follows =
    compared && compared.model !== view.model && compared.beam === view.beam && compared.normalise === view.normalise;
  return { beam, normalise, unk, ...(follows ? { compared: { ...compared, beam, normalise } } : {}) };
}

/** @param {State} state @param {View["edits"]} edits @param {Partial<State>} [more] @returns {State} */
function withEdits(state, edits, more = {}) {
  const { view, history } = state;
  return { ...state, ...NO_REMARKS, view: { ...view, edits }, history: keepEdits(history, view.edits), ...more };
}

/**
 * @param {State} state
 * @param {{ edits: View["edits"], history: State["history"] } | null} moved null: there is no such list
 * @returns {State}
 */
const withHistory = (state, moved) =>
  moved ? { ...state, ...NO_REMARKS, view: { ...state.view, edits: moved.edits }, history: moved.history } : state;

/** @param {State} state @param {Extract<Action, { type: "weights painted" }>} painted @returns {State} */
function withPainted(state, painted) {
  if (!state.isEditing) return state;
  const {
    view,
    shown: { trace },
    stroke: before,
    history,
  } = state;
  const { edits, stroke, keepsHistory } = paintedEdits(
    { edits: view.edits, trace, at: placeOf(state), stroke: before },
    painted,
  );
  if (edits === view.edits) return { ...state, stroke };
  return {
    ...state,
    ...NO_REMARKS,
    stroke,
    view: { ...view, edits },
    history: keepsHistory ? keepEdits(history, view.edits) : history,
  };
}

/**
 * The number that was clicked is taken apart; while a reader edits, a next word is chosen.
 * @param {State} state
 * @param {Extract<Action, { type: "number opened" }>} clicked
 * @returns {State}
 */
function withNumber(state, clicked) {
  const {
    shown: { trace },
    view,
    isEditing,
  } = state;
  const place = placeOf(state);
  if (!isEditing || !("rank" in clicked)) return { ...state, number: numberAt(clicked, trace, place) ?? state.number };
  const word = wordOfRank(trace, place.step, clicked.rank);
  return word === null ? state : withEdits(state, wordEdit(view.edits, place.step, word));
}

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
 * @param {Extract<Action, { type: "translated" }>} arrival
 * @param {Choice[]} choices
 * @returns {State}
 */
function translated(state, { key, text, how, answer, files }, choices) {
  const { view, shown } = state;
  const { trace, unfit = [], unedited = null } = answer;
  const isCurrent = key === requestKey(view);
  const next = trace && { trace, model: view.model, text, how, key, files, unedited };
  if (!isCurrent) return next ? { ...state, shown: next } : state;
  if (!next) return { ...state, result: { key, text, answer, problem: null }, isSlow: false, isLinked: false };
  const edits = unfit.length ? unfit.reduce((left, { edit }) => withoutEdit(left, edit), view.edits) : view.edits;
  const sameSource = shown.trace.source.join("\n") === next.trace.source.join("\n");
  const step = state.isLinked || sameSource ? Math.min(view.step, Math.max(next.trace.steps.length - 1, 0)) : 0;
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
    sentences: remembered(state.sentences, choiceOf(choices, view.model), text, answer.reading.swapped),
  };
}

/**
 * A request of the view has failed; one before it is of no interest.
 * @param {State} state
 * @param {string} key
 * @param {string} text
 * @param {string} problem
 * @returns {State}
 */
const failed = (state, key, text, problem) =>
  key === requestKey(state.view)
    ? { ...state, result: { key, text, answer: null, problem }, isSlow: false, isLinked: false }
    : state;

/**
 * The head on show goes on where the next trace has as many; else it is the clearest one, or that of the link.
 * @param {State} state
 * @param {TraceJSON} trace
 * @returns {HeadChoice}
 */
function headAfter({ view, shown, isLinked }, trace) {
  const [before, heads] = [shown.trace, trace].map(looksOf);
  const stays = isLinked || (heads.length === before.length && (view.head === MEAN || headIndex(heads, view) !== null));
  return headIn(trace, stays ? view : NO_HEAD);
}

/** @param {View} next @param {View} view */
const isEqual = (next, view) =>
  /** @type {(keyof View)[]} */ (Object.keys(next)).every((name) => Object.is(next[name], view[name]));
