// The view of the Explorer in a link, between the state (attn_core/web/state) and what hosts/live.js takes.

import { isChanged } from "../../attn_core/web/hosts/opened.js";
import { headName, MEAN, NO_HEAD, sameHead } from "../../attn_core/web/player/core/looks.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { readView, RULES, writeView } from "../../attn_core/web/state/view.js";

/**
 * @import { ModelJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { LiveView } from "../../attn_core/web/hosts/types.d.ts"
 * @import { HeadChoice, How } from "../../attn_core/web/player/core/types.d.ts"
 * @import { Facts, Run } from "../../attn_core/web/state/types.d.ts"
 * @import { Place } from "./types.d.ts"
 */

/**
 * The view of a link, and a line about each value that was left out because it cannot be used.
 * @param {URLSearchParams} link
 * @param {Facts} facts
 * @returns {{ view: LiveView, place: Place, gloss: string, compared: LiveView | null, race: string | null, notices: string[] }}
 */
export function read(link, facts) {
  const { view, notices } = readView(link, facts);
  const { text, step, layer, head, gloss, race } = view;
  const compared = view.compared && liveView(view.compared, text);
  return { view: liveView(view, text), place: { step, layer, head }, gloss, race, compared, notices };
}

/**
 * The view as the query of a link.
 * @param {LiveView} view
 * @param {Place} place
 * @param {Facts} facts
 * @param {{ compared: LiveView | null, race: string | null, gloss: string, tour: number | null }} others
 */
export function written(view, place, facts, { compared, race, gloss, tour }) {
  const beside = compared && runOf(compared);
  return writeView({ ...runOf(view), text: view.text, ...NO_HEAD, ...place, compared: beside, race, gloss, tour }, facts);
}

/** @param {Run} run @param {string} text @returns {LiveView} */
export function liveView({ model, window, live, centers, type, beam, normalise, unk, draw, edits, keep }, text) {
  const how = { window, ...live, centers, ...(keep ? { keep_states: true } : {}) };
  return { text, model, beam, normalise: normalise === RULES[0] ? null : normalise, unk, type, draw, edits, how };
}

/** @param {LiveView} view @returns {Run} */
export function runOf({ model, beam, normalise, unk = false, type, draw = 0, edits = [], how }) {
  const { window = null, centers = null, keep_states: keep = false, ...settings } = /** @type {How} */ (how);
  const live = /** @type {Record<string, number>} */ (Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null)));
  return { model, window, live, centers, type, beam, normalise: normalise ?? RULES[0], unk, draw, edits, keep };
}

/**
 * What of a link the model cannot do, once its files are there.
 * @param {LiveView} asked
 * @param {HeadChoice} choice
 * @param {LiveView} view what is shown
 * @param {ModelJSON} graphs
 */
export function unfit(asked, choice, view, graphs) {
  const notices = [];
  const named = { model: view.model };
  if (isChanged(asked.how) && !isChanged(view.how)) {
    notices.push(t("The window in the link was ignored: {model} cannot be run with it.", named));
  }
  const types = graphs.steps.filter((step) => step.window === (view.how.window ?? graphs.steps[0].window)).map(({ type }) => type);
  if (asked.type && !types.includes(asked.type)) notices.push(t("The attention type in the link was ignored: {model} cannot be run with it.", named));
  const heads = graphs.heads.looks.map(([layer, head]) => ({ layer, head }));
  const { layer, head } = choice;
  if (head === null) return notices;
  if (!heads.length) notices.push(t("{model} has no attention, so the layer and head in the link were ignored.", named));
  else if (heads.length < 2) notices.push(t("{model} has a single head, so the layer and head in the link were ignored.", named));
  else if (layer !== null && head !== MEAN && !heads.some((one) => sameHead(one, choice))) {
    const last = heads[heads.length - 1];
    notices.push(t("{model} has no {head}; its last is {last}. The layer and head in the link were ignored.", { ...named, head: headName({ layer, head }), last: headName(last) }));
  }
  return notices;
}
