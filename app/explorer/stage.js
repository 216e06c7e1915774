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
import { t } from "../../attn_core/browser/player/core/messages.js";
import { el } from "../../attn_core/browser/player/dom/elements.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { choiceOf } from "../../attn_core/browser/state/choices.js";
import { firstState } from "../../attn_core/browser/state/first-state.js";
import { reduce } from "../../attn_core/browser/state/reducer.js";
import { createStore } from "../../attn_core/browser/state/store.js";
import { createTranslator } from "../../attn_core/browser/state/translator.js";
import { LEVELS, readView, writeView } from "../../attn_core/browser/state/view.js";
import { render } from "../../attn_core/browser/vendor/preact.js";
import { effect, signal } from "../../attn_core/browser/vendor/signals-core.js";
import { keepInBar } from "../shell/address.js";
import { PRESENT, opensLecture } from "../shell/layout.js";
import { createNotes, opensNotes } from "../shell/notes.js";
import { onPage, onPageKey } from "../shell/onpage.js";
import { STOPS } from "../shell/stops.js";
import { isFreshVisit, readFromTab, readLevel, storeInTab, storeLevel } from "../shell/tab-storage.js";
import { addressElsewhere, needsAt, stopIn } from "../shell/tour.js";
import { PAIR, pairOf, textsOf } from "./settings/axes.js";
import { translateBeside } from "./beside.js";
import { comparedRuns, runBeside } from "./compare/selectors.js";
import { Explorer } from "./explorer.js";
import { fetchGlosses, GLOSSES } from "./gloss.js";
import { followView, linkOfStop, setLecture } from "./lecture.js";
import { offeredBy } from "./offered.js";
import { historyKey } from "./surgery/history-keys.js";

/**
 * @import { Answer, Request } from "../../attn_core/browser/engine/types.d.ts"
 * @import { Theme } from "../../attn_core/browser/player/core/types.d.ts"
 * @import { Act, Action, Choice, Facts, State } from "../../attn_core/browser/state/types.d.ts"
 * @import { Stage } from "../shell/types.d.ts"
 * @import { Store } from "./lecture.js"
 * @import { FetchFile, OfferedHere, Page } from "./types.d.ts"
 *
 * @typedef {object} Hooks
 * @property {(model: string, request: Request) => Promise<Answer>} [serve] translates where a model cannot run in the
 * page
 * @property {FetchFile} [fetchFile] fetches files that a server makes; without it, there are those that the page makes
 * @typedef {Act
 *   | { type: "tour stop chosen", stop: number, change?: Record<string, string> }
 *   | { type: "comparison begun" }} PageAct what the page completes
 */

/**
 * @param {HTMLElement} host
 * @param {Page} first what the page knows at the start
 * @param {Hooks} [hooks]
 * @returns {Stage}
 */
export function createExplorer(host, first, { serve, fetchFile } = {}) {
  if (opensNotes(new URLSearchParams(location.search))) return createNotes(host, first.notes, first.ending);
  const elsewhere = addressElsewhere(new URLSearchParams(location.search), "", first.ending);
  if (elsewhere) location.replace(elsewhere);
  const models = offeredBy(first);
  const facts = factsOf(first, models);
  const choices = models.map((model) => ({
    name: model.name,
    pair: pairOf(model),
    joined: Boolean(model.joined),
    examples: textsOf(first.examples, model),
  }));
  const store = createStore(
    stateAtOpening(first, models, facts),
    (/** @type {State} */ state, /** @type {Action} */ action) => reduce(state, action, choices),
  );
  const { state } = store;
  const { dispatch, openLink, openStop } = pageActs(store, models, facts, first);

  const root = el("div", { class: "ap-root ex" });
  host.replaceChildren(root);
  const page = signal(first);
  if (first.allGlosses)
    fetchGlosses(first.allGlosses).then(
      (glosses) => {
        page.value = { ...first, glosses };
      },
      () => {},
    ); // those of the first sentence stay
  const look = signal({ theme: /** @type {Theme} */ ("light") }); // another object: everything is drawn again
  const onTheme = onPage(root, () => {
    look.value = { theme: onTheme.theme() };
  });
  look.value = { theme: onTheme.theme() };
  const translator = createTranslator(store, models, serve);
  const beside = translateBeside(store, models, serve, (current) => comparedRuns(current, models, first.axes));
  const stopDrawing = effect(() =>
    render(
      html`<${Explorer} state=${state.value} page=${page.value} models=${models} translator=${translator}
        fetchFile=${fetchFile} theme=${look.value.theme} dispatch=${dispatch} />`,
      root,
    ),
  );
  const stopNeeds = effect(() => showNeeds(root, state.value.view.tour));
  const stopKeeping = keepView(store, facts, choices, openLink);
  const letKeys = forwardKeys(root, { keys: PLAYER_KEYS });
  const stopLecture = followView(root, store, openStop, first.ending);
  const letUndo = onPageKey((event) => {
    const action = state.value.isEditing ? historyKey(event) : null;
    if (!action) return;
    event.preventDefault();
    store.dispatch({ type: action });
  });

  return {
    update: onTheme.restyle,
    destroy() {
      for (const stop of [
        letKeys,
        letUndo,
        stopLecture,
        stopKeeping,
        stopNeeds,
        stopDrawing,
        beside.stop,
        translator.stop,
      ])
        stop();
      render(null, root);
      onTheme.stop();
    },
  };
}

/**
 * What a page does with the acts of its reader, and how it opens links and stops of the tour.
 * @param {Store} store
 * @param {OfferedHere[]} models
 * @param {Facts} facts
 * @param {Page} page
 */
function pageActs(store, models, facts, { axes }) {
  const { state } = store;
  const letEditing = () => {
    if (needsAt(state.value.view.tour)?.includes("edit")) store.dispatch({ type: "editing begun" });
  };
  const openLink = (/** @type {URLSearchParams} */ query) => {
    store.dispatch({ type: "view opened", ...viewIn(query, facts) });
    letEditing();
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
  letEditing();
  return { dispatch, openLink, openStop };
}

/**
 * Keeps the view in the address and in the tab's storage, until the returned function is called.
 * @param {Store} store
 * @param {Facts} facts
 * @param {Choice[]} choices
 * @param {(query: URLSearchParams) => void} openLink when the browser goes back or forward
 */
function keepView({ state }, facts, choices, openLink) {
  const bar = keepInBar(
    () => new URL(`?${writeView(state.value.view, facts)}`, location.href),
    (url) => `${url.searchParams.get("model")} ${url.searchParams.get("tour")} ${state.value.begun}`,
    () => openLink(new URLSearchParams(location.search)),
  );
  if (location.search) bar.now(); // an entry of the history, which another model does not replace
  let kept = "";
  const stopKeeping = effect(() => {
    const { view, result, isLinked } = state.value;
    const query = String(writeView(view, facts));
    if (query === kept || isLinked) return; // until the view of a link is there, the address is that link
    kept = query;
    storeInTab("left", query);
    const key = sentenceName(choiceOf(choices, view.model).pair);
    const isTyped = view.text !== facts.texts[view.model] || readFromTab(key);
    if (isTyped && !result?.answer?.reading.swapped) storeInTab(key, view.text);
    bar.soon();
  });
  return () => {
    bar.stop();
    stopKeeping();
  };
}

/**
 * After the tour the page is at the level that the reader chose last.
 * @param {{ dispatch: (act: Act) => void }} store
 */
function leaveTour({ dispatch }) {
  dispatch({ type: "tour left" });
  const level = LEVELS.find((name) => name === readLevel());
  if (level) dispatch({ type: "level chosen", level });
}

/** The axes that a stop of the tour needs, for style sheets. @param {HTMLElement} root @param {number | null} stop */
function showNeeds(root, stop) {
  const needs = needsAt(stop);
  if (needs) root.dataset.needs = needs.join(" ");
  else delete root.dataset.needs;
}

/** @param {Page} page @param {OfferedHere[]} models @returns {Facts} */
function factsOf(page, models) {
  const opening = models.find(({ name }) => name === page.trace.model) ?? models[0];
  /** The sentence that a model opens with. @param {OfferedHere} model */
  const textOf = (model) => {
    const [example = page.text] = textsOf(page.examples, model);
    return pairOf(model) === pairOf(opening) && !model.joined ? page.text : example;
  };
  return {
    model: opening.name,
    models: models.map(({ name }) => name),
    texts: Object.fromEntries(models.map((model) => [model.name, textOf(model)])),
    windows: page.windows,
    types: Object.keys(page.types),
    glosses: GLOSSES,
    stops: STOPS.length,
    axes: page.axes.filter(({ name, chip }) => chip && name !== PAIR).map(({ name }) => name),
  };
}

/**
 * The view of a link; one that names a stop of the tour and no model changes the view of the stop.
 * @param {URLSearchParams} link
 * @param {Facts} facts
 */
function viewIn(link, facts) {
  const tour = stopIn(link, "");
  const ofStop = tour && !link.has("model") ? new URLSearchParams(STOPS[tour - 1].link) : [];
  const { view, notices } = readView(new URLSearchParams([...new Map([...ofStop, ...link])]), facts);
  const isElsewhere = view.tour !== null && tour === null;
  const ignored = t("Stop {n} of the tour is on another page and was ignored, since the link names a model.", {
    n: view.tour ?? 0,
  });
  return { view: { ...view, tour }, notices: isElsewhere ? [...notices, ignored] : notices };
}

/**
 * The state of a page that opens: the view of its address or, without one, that which the reader left.
 * @param {Page} page
 * @param {OfferedHere[]} models
 * @param {Facts} facts
 */
function stateAtOpening(page, models, facts) {
  const address = new URLSearchParams(location.search);
  const link = [...address.keys()].every((name) => name === PRESENT) ? linkLeft(page, models) : address;
  const gloss = new URLSearchParams(readFromTab("left") ?? "").get("gloss");
  // The addresses of stops leave it to the reader
  if (gloss && stopIn(link, "") && !link.has("gloss")) link.set("gloss", gloss);
  const { view, notices } = viewIn(link.size ? link : newcomersLink(page), facts);
  return firstState({ ...view, present: opensLecture(address) }, page.trace, { isLinked: link.size > 0, notices });
}

/**
 * The view of an address that says nothing: the step that shows most, at the level that the reader chose last.
 * @param {Page} page
 */
const newcomersLink = ({ step }) => new URLSearchParams({ step: String(step), level: readLevel() ?? "" });

/**
 * The view that the reader left, with the sentence of another page since; nothing where the address was typed. A reader
 * who comes from another page for the first time has a newcomer's view of that page's sentence.
 * @param {Page} page
 * @param {OfferedHere[]} models
 */
function linkLeft(page, models) {
  if (isFreshVisit()) return new URLSearchParams();
  const left = readFromTab("left");
  const link = left === null ? newcomersLink(page) : new URLSearchParams(left);
  link.delete(PRESENT); // it may have ended on another page
  const name = link.get("model") ?? page.trace.model;
  const sentence = readFromTab(sentenceName(pairOf(models.find((model) => model.name === name) ?? models[0])));
  if (sentence) link.set("text", sentence);
  if (left === null && sentence !== page.text) link.delete("step"); // which is one of the page's own sentence
  return left === null && !sentence ? new URLSearchParams() : link;
}

/**
 * The name under which the last sentence in the language that a model reads is kept.
 * @param {string} pair
 * @returns {`said-${string}`}
 */
const sentenceName = (pair) => `said-${pair.split("-")[0]}`;
