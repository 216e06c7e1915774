// The state that the Explorer opens with: the view of its address or, without one, the view that the reader left.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { firstState } from "../../attn_core/browser/state/first-state.js";
import { readView } from "../../attn_core/browser/state/view.js";
import { opensLecture, PRESENT } from "../shell/layout.js";
import { STOPS } from "../shell/stops.js";
import { isFreshVisit, readFromTab, readLevel, readSentence } from "../shell/tab-storage.js";
import { stopIn } from "../shell/tour.js";
import { PAIR, pairOf, textsOf } from "./settings/axes.js";
import { GLOSSES } from "./gloss.js";

/**
 * @import { Facts } from "../../attn_core/browser/state/types.d.ts"
 * @import { OfferedHere, Page } from "./types.d.ts"
 */

/** The facts by which links are read and written. @param {Page} page @param {OfferedHere[]} models @returns {Facts} */
export function factsOf(page, models) {
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
 * The view of a link, and the parts of the link that were ignored. A link that names a stop of the tour and no model
 * changes the view of the stop.
 * @param {URLSearchParams} link
 * @param {Facts} facts
 */
export function viewOfLink(link, facts) {
  const tour = stopIn(link, "");
  const stopLink = tour && !link.has("model") ? new URLSearchParams(STOPS[tour - 1].link) : [];
  const { view, notices } = readView(new URLSearchParams([...new Map([...stopLink, ...link])]), facts);
  const isElsewhere = view.tour !== null && tour === null;
  const ignored = t("Stop {n} of the tour is on another page and was ignored, since the link names a model.", {
    n: view.tour ?? 0,
  });
  return { view: { ...view, tour }, notices: isElsewhere ? [...notices, ignored] : notices };
}

/**
 * The state of a page that opens.
 * @param {Page} page
 * @param {OfferedHere[]} models
 * @param {Facts} facts
 */
export function openingState(page, models, facts) {
  const address = new URLSearchParams(location.search);
  const isBare = [...address.keys()].every((name) => name === PRESENT);
  const link = isBare ? linkOfLastView(page, models) : address;
  const gloss = new URLSearchParams(readFromTab("left") ?? "").get("gloss");
  // The links of stops do not name the glosses, so those of the reader stay
  if (gloss && stopIn(link, "") && !link.has("gloss")) link.set("gloss", gloss);
  const { view, notices } = viewOfLink(link.size ? link : newcomersLink(page), facts);
  return firstState({ ...view, present: opensLecture(address) }, page.trace, { isLinked: link.size > 0, notices });
}

/**
 * The link of a newcomer's view: the step that shows most, at the level that the reader chose last.
 * @param {Page} page
 */
const newcomersLink = ({ step }) => new URLSearchParams({ step: String(step), level: readLevel() ?? "" });

/**
 * The link of the view that the reader left, with the last sentence that was typed on any page. It is empty if the
 * reader typed the address. A reader who comes from another page for the first time gets a newcomer's view of that
 * page's sentence.
 * @param {Page} page
 * @param {OfferedHere[]} models
 */
function linkOfLastView(page, models) {
  if (isFreshVisit()) return new URLSearchParams();
  const left = readFromTab("left");
  const link = left === null ? newcomersLink(page) : new URLSearchParams(left);
  link.delete(PRESENT); // the lecture may have ended on another page
  const name = link.get("model") ?? page.trace.model;
  const [language] = pairOf(models.find((model) => model.name === name) ?? models[0]).split("-");
  const sentence = readSentence(language);
  if (sentence) link.set("text", sentence);
  if (left === null && sentence !== page.text) link.delete("step"); // a newcomer's step is one of the page's sentence
  return left === null && !sentence ? new URLSearchParams() : link;
}
