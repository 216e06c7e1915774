// The next state of a page after an action. Pure: states are never changed, and nothing else is read.

import { MOST_DRAWS } from "../engine/limits.js";

/** @import { Action, Choice, Run, State, View } from "./types.d.ts" */

/** @type {Pick<Run, "window" | "live" | "centers" | "keep">} */
const AS_TRAINED = { window: null, live: {}, centers: null, keep: false };

/**
 * @param {State} state
 * @param {Action} action
 * @param {Choice[]} choices the models that the page offers
 * @returns {State}
 */
export function reduce(state, action, choices) {
  const { view } = state;
  const next = (/** @type {Partial<View>} */ change, /** @type {State["removed"]} */ removed = []) => ({ ...state, view: { ...view, ...change }, removed });
  switch (action.type) {
    case "view opened": return { ...state, view: action.view, removed: [] };
    case "model chosen": return withModel(state, action, choices);
    case "sentence typed": return action.text === view.text ? state : next({ text: action.text, edits: [], centers: null, step: 0 }, byHand(view));
    case "window set": return next({ window: action.window, live: action.live, centers: action.centers });
    case "states kept": return next({ keep: action.keep });
    case "search chosen": return next(withSearch(view, action));
    case "attention type chosen": return next({ type: action.attention });
    case "sample drawn": return next({ draw: (view.draw + 1) % (MOST_DRAWS + 1) });
    case "edits set": return next({ edits: action.edits });
    case "step chosen": return next({ step: Math.max(0, action.step) });
    case "head chosen": return next({ layer: action.layer, head: action.head });
    case "gloss chosen": return next({ gloss: action.gloss });
    case "tour left": return next({ tour: null });
    case "comparison begun": return next({ compared: action.with, race: null });
    case "race begun": return next({ compared: null, race: action.axis });
    case "comparison ended": return next({ compared: null, race: null });
    case "sides swapped": return view.compared ? next({ ...view.compared, compared: runOf(view) }) : state;
    case "translated": return translated(state, action);
  }
}

/** How a view's sentence is translated, without the sentence. @param {View} view @returns {Run} */
export const runOf = ({ model, window, live, centers, type, beam, normalise, unk, draw, edits, keep }) => (
  { model, window, live, centers, type, beam, normalise, unk, draw, edits, keep }
);

/** What of a view belongs to its sentence and model. @param {View} view @returns {State["removed"]} */
const byHand = ({ edits, centers }) => (edits.length || centers ? ["edits"] : []);

/**
 * Another model runs as trained, with a sentence in its language: the one to go on with, the last one in that language, or an
 * example. For a model of the same languages, an example becomes this model's form of it.
 * @param {State} state
 * @param {Extract<Action, { type: "model chosen" }>} action
 * @param {Choice[]} choices
 * @returns {State}
 */
function withModel({ view, sentences }, { model, text, swapped = false }, choices) {
  const [before, after] = [view.model, model].map((name) => /** @type {Choice} */ (choices.find((one) => one.name === name)));
  const [read, reads] = [before, after].map(({ pair }) => pair.split("-")[0]);
  const remembered = before.joined || swapped ? sentences : { ...sentences, [read]: view.text };
  const example = after.examples[before.examples.indexOf(view.text)];
  const sameLanguage = before.pair === after.pair ? example ?? view.text : view.text;
  const moved = Boolean(view.window || view.centers || Object.keys(view.live).length);
  /** @type {State["removed"]} */
  const removed = [...(moved ? /** @type {const} */ (["window"]) : []), ...byHand(view)];
  return {
    view: {
      ...view, ...AS_TRAINED, model, edits: [],
      text: text ?? (read === reads ? sameLanguage : remembered[reads] ?? after.examples[0] ?? view.text),
    },
    sentences: remembered, removed,
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
  const follows = compared && compared.model !== view.model && compared.beam === view.beam && compared.normalise === view.normalise;
  return { beam, normalise, unk, ...(follows ? { compared: { ...compared, beam, normalise } } : {}) };
}

/** @param {State} state @param {Extract<Action, { type: "translated" }>} action @returns {State} */
function translated(state, { steps, sameSource, unfit }) {
  const { view } = state;
  const step = sameSource ? Math.min(view.step, Math.max(steps - 1, 0)) : 0;
  const left = new Set(unfit.map((edit) => JSON.stringify(edit)));
  const edits = left.size ? view.edits.filter((edit) => !left.has(JSON.stringify(edit))) : view.edits;
  return step === view.step && edits === view.edits ? state : { ...state, view: { ...view, step, edits } };
}
