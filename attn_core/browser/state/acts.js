// The state after an act of the reader.

import { MOST_DRAWS } from "../engine/limits.js";
import { t } from "../player/core/messages.js";
import { choiceOf, languagesOf, rememberSentence } from "./choices.js";
import { paintedEdits, wordEdit, wordOfRank } from "./editing.js";
import { firstState, NO_EDITS_BEFORE, NO_REMARKS } from "./first-state.js";
import { fitted, unfitInLink } from "./fit.js";
import { headIn, stepAndHeadOf } from "./heads.js";
import { keepEdits, redoEdits, undoEdits } from "./history.js";
import { numberAt } from "./numbers.js";
import { AS_TRAINED, isMoved, requestKey, runOf } from "./requests.js";

/** @import { Act, Choice, Handler, State, View } from "./types.d.ts" */

/** @type {{ [Type in Act["type"]]: Handler<Type> }} */
export const ACTS = {
  "view opened": withLink,
  "trace given": withTrace,
  "model chosen": withModel,
  "sentence typed": (state, act) => (act.text === state.view.text ? state : withText(state, act)),
  "window set": (state, { window, live, centers }) =>
    withRequest(state, { window, live: withoutDefaults(live), centers }),
  "states kept": (state, { keep }) => withRequest(state, { keep }),
  "search chosen": (state, act) => withRequest(state, searchAfter(state.view, act)),
  "attention type chosen": (state, { attention }) => withRequest(state, { type: attention }),
  "sample drawn": (state) => withRequest(state, { draw: (state.view.draw + 1) % (MOST_DRAWS + 1) }),
  "sides swapped": swapSides,
  "step chosen": (state, { step }) => withView(state, { step: Math.max(0, step) }),
  "head chosen": (state, { layer, head }) => withView(state, { layer, head }),
  "gloss chosen": (state, { gloss }) => withView(state, { gloss }),
  "level chosen": (state, { level }) => withView(state, { level }),
  "tour left": (state) => withView(endEditing(state), { tour: null }),
  "lecture set": (state, { presented }) => withView(state, { present: presented }),
  "pieces chosen": (state, { byPieces }) => ({ ...state, byPieces }),
  "comparison begun": (state, { with: compared }) => withView(state, { compared, race: null }),
  "race begun": (state, { axis }) => withView(state, { compared: null, race: axis }),
  "comparison ended": (state) => withView(state, { compared: null, race: null }),
  "number opened": withNumber,
  "number asked": (state, { number }) => ({ ...state, number }),
  "editing begun": (state) => ({ ...state, isEditing: true }),
  "editing ended": endEditing,
  "edits set": (state, { edits }) => withEdits(state, edits),
  "edits undone": (state) => withHistory(state, undoEdits(state.history, state.view.edits)),
  "edits redone": (state) => withHistory(state, redoEdits(state.history, state.view.edits)),
  "weights painted": withPainted,
};

/** The state with a view that is shown in another way. @param {State} state @param {Partial<View>} change */
const withView = (state, change) => ({ ...state, view: { ...state.view, ...change } });

/** The state with a view that is translated again. @param {State} state @param {Partial<View>} change */
const withRequest = (state, change) => withView({ ...state, ...NO_REMARKS }, change);

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
 * @param {Extract<Act, { type: "view opened" }>} act
 * @param {Choice[]} choices
 * @returns {State}
 */
function withLink(state, { view: linked, notices }, choices) {
  const { model, view: before, shown, result } = state;
  const graphs = linked.model === before.model ? model.files?.graphs : undefined;
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

/**
 * Another trace from the page around the widget, with what was opened and begun before.
 * @param {State} state
 * @param {Extract<Act, { type: "trace given" }>} act
 * @returns {State}
 */
function withTrace({ view, byPieces, model, begun, result }, act) {
  const first = firstState({ ...act.view, present: view.present }, act.trace);
  return { ...first, byPieces, model, begun, result: result?.key === requestKey(first.view) ? result : null };
}

/**
 * Another model runs as trained, with a sentence in its language: the one to go on with, the last one in that language,
 * or an example. For a model of the same languages, an example becomes this model's form of it.
 * @param {State} state
 * @param {Extract<Act, { type: "model chosen" }>} act
 * @param {Choice[]} choices
 * @returns {State}
 */
function withModel(state, { model, text }, choices) {
  const { view, sentences, result } = state;
  const [before, after] = [view.model, model].map((name) => choiceOf(choices, name));
  const [languageBefore, writtenBefore] = languagesOf(before);
  const [language] = languagesOf(after);
  const isSwapped = Boolean(result?.answer?.reading.swapped);
  const known = rememberSentence(sentences, before, view.text, isSwapped);
  const example = after.examples[before.examples.indexOf(view.text)];
  const sameLanguage = before.pair === after.pair ? (example ?? view.text) : view.text;
  const goesOn = text ?? (isSwapped && language === writtenBefore ? view.text : undefined);
  const other = language === languageBefore ? sameLanguage : (known[language] ?? after.examples[0] ?? view.text);
  return endedComparison(
    {
      ...state,
      ...NO_REMARKS,
      ...NO_EDITS_BEFORE,
      sentences: known,
      isEditing: false,
      modelBefore: view.model,
      removed: [...(isMoved(view) ? /** @type {const} */ (["window"]) : []), ...manualChanges(view)],
      view: { ...view, ...AS_TRAINED, model, edits: [], text: goesOn ?? other },
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

/** @param {State} state @param {Extract<Act, { type: "sentence typed" }>} act @returns {State} */
function withText(state, { text, begins = false }) {
  return {
    ...withRequest(state, { text, edits: [], centers: null }),
    ...NO_EDITS_BEFORE,
    removed: manualChanges(state.view),
    isLinked: false,
    begun: state.begun + Number(begins),
  };
}

/**
 * Another search; a second translation by another model, which had the search of the first, follows it.
 * @param {View} view
 * @param {Partial<Pick<View, "beam" | "normalise" | "unk">>} chosen
 * @returns {Partial<View>}
 */
function searchAfter(view, { beam = view.beam, normalise = view.normalise, unk = view.unk }) {
  const { compared } = view;
  const follows =
    compared && compared.model !== view.model && compared.beam === view.beam && compared.normalise === view.normalise;
  return { beam, normalise, unk, ...(follows ? { compared: { ...compared, beam, normalise } } : {}) };
}

/** The second translation becomes the first. @param {State} state @returns {State} */
function swapSides(state) {
  const { compared } = state.view;
  if (!compared) return state;
  const swapped = withRequest(state, { ...compared, compared: runOf(state.view) });
  return { ...swapped, isEditing: compared.edits.length > 0, ...NO_EDITS_BEFORE };
}

/** @param {State} state @returns {State} */
function endEditing(state) {
  return { ...(state.view.edits.length ? withEdits(state, []) : state), isEditing: false };
}

/** @param {State} state @param {View["edits"]} edits @returns {State} */
const withEdits = (state, edits) => ({
  ...withRequest(state, { edits }),
  history: keepEdits(state.history, state.view.edits),
});

/**
 * @param {State} state
 * @param {{ edits: View["edits"], history: State["history"] } | null} moved null: there is no such list
 * @returns {State}
 */
const withHistory = (state, moved) =>
  moved ? { ...withRequest(state, { edits: moved.edits }), history: moved.history } : state;

/** @param {State} state @param {Extract<Act, { type: "weights painted" }>} painted @returns {State} */
function withPainted(state, painted) {
  if (!state.isEditing) return state;
  const { view, shown, history } = state;
  const before = { edits: view.edits, trace: shown.trace, at: stepAndHeadOf(state), stroke: state.stroke };
  const { edits, stroke, keepsHistory } = paintedEdits(before, painted);
  if (edits === view.edits) return { ...state, stroke };
  return { ...withRequest(state, { edits }), stroke, history: keepsHistory ? keepEdits(history, view.edits) : history };
}

/**
 * The number that was clicked is taken apart; while a reader edits, a next word is chosen.
 * @param {State} state
 * @param {Extract<Act, { type: "number opened" }>} clicked
 * @returns {State}
 */
function withNumber(state, clicked) {
  const { shown, view, isEditing, number } = state;
  const at = stepAndHeadOf(state);
  if (!isEditing || !("rank" in clicked)) return { ...state, number: numberAt(clicked, shown.trace, at) ?? number };
  const word = wordOfRank(shown.trace, at.step, clicked.rank);
  return word === null ? state : withEdits(state, wordEdit(view.edits, at.step, word));
}
