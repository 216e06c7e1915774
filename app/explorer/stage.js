// The Explorer on a page: its state, which the address keeps, and the effects that open models and translate.
//
// What happens when a reader does something, such as typing a sentence:
// 1. a component reports an act, { type: "sentence typed", text } (widget/sentence-box.js);
// 2. the store reduces it to the next state (state/reducer.js);
// 3. effects follow the state, and their results are actions too (state/translator.js, beside.js);
// 4. <Explorer> is drawn again, and of its parts those that changed (explorer.js).
// A new act is a type in state/types.d.ts (Act), a handler in state/acts.js, and a test of it in
// tests/browser/reducer.test.js.

import { PLAYER_KEYS, forwardKeys } from "../../attn_core/browser/hosts/keys.js";

import { el } from "../../attn_core/browser/player/dom/elements.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { choiceOf, languagesOf } from "../../attn_core/browser/state/choices.js";

import { reduce } from "../../attn_core/browser/state/reducer.js";
import { createStore } from "../../attn_core/browser/state/store.js";
import { createTranslator } from "../../attn_core/browser/state/translator.js";
import { LEVELS, writeView } from "../../attn_core/browser/state/view.js";
import { render } from "../../attn_core/browser/vendor/preact.js";
import { effect, signal } from "../../attn_core/browser/vendor/signals-core.js";
import { keepInBar } from "../shell/address.js";

import { createNotes, opensNotes } from "../shell/notes.js";
import { onPage, onPageKey } from "../shell/onpage.js";
import { STOPS } from "../shell/stops.js";
import { readLevel, readSentence, storeInTab, storeLevel, storeSentence } from "../shell/tab-storage.js";
import { addressElsewhere, needsAt } from "../shell/tour.js";
import { pairOf, textsOf } from "./settings/axes.js";
import { translateBeside } from "./beside.js";
import { comparedRuns, runBeside } from "./compare/selectors.js";
import { Explorer } from "./explorer.js";
import { fetchGlosses } from "./gloss.js";
import { followView, linkOfStop, setLecture } from "./lecture.js";
import { modelsOf } from "./model-list.js";
import { factsOf, openingState, viewOfLink } from "./opening.js";
import { historyKey } from "./surgery/history-keys.js";

/**
 * @import { Answer, Request } from "../../attn_core/browser/engine/types.d.ts"
 * @import { Theme } from "../../attn_core/browser/player/core/types.d.ts"
 * @import { Act, Action, Choice, Facts, State } from "../../attn_core/browser/state/types.d.ts"
 * @import { Stage } from "../shell/types.d.ts"
 * @import { FileKind, OfferedHere, Page, PageAct, Store } from "./types.d.ts"
 *
 * @typedef {object} Hooks
 * @property {(model: string, request: Request) => Promise<Answer>} [serve] translates where a model cannot run in the
 * page
 * @property {FileKind[]} [serverFiles] files that a server makes, beside those that the page makes itself
 */

/**
 * The Explorer in `host`.
 * @param {HTMLElement} host
 * @param {Page} data
 * @param {Hooks} [hooks]
 * @returns {Stage}
 */
export function createExplorer(host, data, { serve, serverFiles } = {}) {
  if (opensNotes(new URLSearchParams(location.search))) return createNotes(host, data.notes, data.ending);
  const elsewhere = addressElsewhere(new URLSearchParams(location.search), "", data.ending);
  if (elsewhere) location.replace(elsewhere);
  const models = modelsOf(data);
  const facts = factsOf(data, models);
  const choices = models.map((model) => ({
    name: model.name,
    pair: pairOf(model),
    joined: Boolean(model.joined),
    examples: textsOf(data.examples, model),
  }));
  const store = createStore(
    openingState(data, models, facts),
    (/** @type {State} */ state, /** @type {Action} */ action) => reduce(state, action, choices),
  );
  const { state } = store;
  const { dispatch, openLink, openStop } = createActions(store, models, facts, data);

  const root = el("div", { class: "ap-root ex" });
  host.replaceChildren(root);
  const page = signal(data);
  if (data.allGlosses)
    fetchGlosses(data.allGlosses).then(
      (glosses) => {
        page.value = { ...data, glosses };
      },
      () => {}, // without them, the first sentence still has its glosses
    );
  const appearance = signal({ theme: /** @type {Theme} */ ("light") }); // with a new object, everything is drawn again
  const connection = onPage(root, () => {
    appearance.value = { theme: connection.theme() };
  });
  appearance.value = { theme: connection.theme() };
  const translator = createTranslator(store, models, serve);
  const beside = translateBeside(store, models, serve, (view) => comparedRuns(view, models, data.axes));
  const stopDrawing = effect(() =>
    render(
      html`<${Explorer} state=${state.value} page=${page.value} models=${models} translator=${translator}
        serverFiles=${serverFiles} theme=${appearance.value.theme} dispatch=${dispatch} />`,
      root,
    ),
  );
  const stopNeeds = effect(() => showNeeds(root, state.value.view.tour));
  const stopKeeping = keepView(store, facts, choices, openLink);
  const stopPlayerKeys = forwardKeys(root, { keys: PLAYER_KEYS });
  const stopLecture = followView(root, store, openStop, data.ending);
  const stopHistoryKeys = onPageKey((event) => {
    const action = state.value.isEditing ? historyKey(event) : null;
    if (!action) return;
    event.preventDefault();
    store.dispatch({ type: action });
  });

  return {
    update: connection.restyle,
    destroy() {
      for (const stop of [
        stopPlayerKeys,
        stopHistoryKeys,
        stopLecture,
        stopKeeping,
        stopNeeds,
        stopDrawing,
        beside.stop,
        translator.stop,
      ])
        stop();
      render(null, root);
      connection.stop();
    },
  };
}

/**
 * `dispatch` completes the acts of a reader that concern the page; `openLink` and `openStop` open a view of a link or a
 * stop of the tour.
 * @param {Store} store
 * @param {OfferedHere[]} models
 * @param {Facts} facts
 * @param {Page} page
 */
function createActions(store, models, facts, { axes }) {
  const { state } = store;
  const beginNeededEditing = () => {
    if (needsAt(state.value.view.tour)?.includes("edit")) store.dispatch({ type: "editing begun" });
  };
  const openLink = (/** @type {URLSearchParams} */ link) => {
    store.dispatch({ type: "view opened", ...viewOfLink(link, facts) });
    beginNeededEditing();
  };
  const openStop = (/** @type {number} */ stop, /** @type {Record<string, string>} */ change = {}) => {
    const link = { ...STOPS[stop - 1].link, ...change };
    openLink(new URLSearchParams([...new Map([...Object.entries(link), ...linkOfStop(state.value, stop)])]));
  };
  /** @param {PageAct} act */
  const dispatch = (act) => {
    if (act.type === "tour stop chosen") openStop(act.stop, act.change);
    else if (act.type === "tour left") leaveTour(store);
    else if (act.type === "lecture set") setLecture(store, act.presented);
    else if (act.type === "level chosen") {
      storeLevel(act.level);
      store.dispatch(act);
    } else if (act.type === "comparison begun" && !("with" in act))
      store.dispatch({ ...act, with: runBeside(state.value.view, models, axes) });
    else store.dispatch(/** @type {Act} */ (act));
  };
  beginNeededEditing();
  return { dispatch, openLink, openStop };
}

/**
 * Keep the view in the address and in the tab's storage, until the returned function is called.
 * @param {Store} store
 * @param {Facts} facts
 * @param {Choice[]} choices
 * @param {(link: URLSearchParams) => void} openLink called when the browser goes back or forward
 */
function keepView({ state }, facts, choices, openLink) {
  const bar = keepInBar(
    () => new URL(`?${writeView(state.value.view, facts)}`, location.href),
    (url) => `${url.searchParams.get("model")} ${url.searchParams.get("tour")} ${state.value.begun}`,
    () => openLink(new URLSearchParams(location.search)),
  );
  if (location.search) bar.now(); // so that another model begins a new entry of the history
  let lastLink = "";
  const stopKeeping = effect(() => {
    const { view, result, isLinked } = state.value;
    const link = String(writeView(view, facts));
    if (link === lastLink || isLinked) return; // until the view of a link is translated, the address stays that link
    lastLink = link;
    storeInTab("left", link);
    const [language] = languagesOf(choiceOf(choices, view.model));
    const isTyped = view.text !== facts.texts[view.model] || readSentence(language);
    if (isTyped && !result?.answer?.reading.swapped) storeSentence(language, view.text);
    bar.soon();
  });
  return () => {
    bar.stop();
    stopKeeping();
  };
}

/**
 * End the tour, and return to the level that the reader chose last.
 * @param {Store} store
 */
function leaveTour({ dispatch }) {
  dispatch({ type: "tour left" });
  const level = LEVELS.find((name) => name === readLevel());
  if (level) dispatch({ type: "level chosen", level });
}

/** Tell style sheets what a stop of the tour needs. @param {HTMLElement} root @param {number | null} stop */
function showNeeds(root, stop) {
  const needs = needsAt(stop);
  if (needs) root.dataset.needs = needs.join(" ");
  else delete root.dataset.needs;
}
