// What a page that translates shows of its state, beside the player.

import { UNKNOWN } from "../engine/tokenizer/specials.js";
import { t } from "../player/core/messages.js";
import { samples, stepOf } from "../engine/live.js";
import { valueIn } from "../engine/lookup.js";
import { typesIn } from "../state/fit.js";
import { requestKey } from "../state/requests.js";
import { failure, refusal, remarks } from "./remarks.js";

/**
 * @import { TraceJSON } from "../engine/types.d.ts"
 * @import { LiveModel, Offered } from "../hosts/types.d.ts"
 * @import { State, View } from "../state/types.d.ts"
 */

/** Whether a model opens or a translation is being made. @param {State} state */
export const isBusy = ({ view, model, result }) =>
  model.status === "opening" || (model.status !== "closed" && result?.key !== requestKey(view));

/** Whether the picture is of another model than the view's, which opens. @param {State} state */
export const isWaiting = ({ view, model, shown }) => model.status === "opening" && shown.model !== view.model;

/**
 * Whether the picture must not look like that of the view: it is of another model, and readers wait for this one; or
 * the last request has no translation.
 * @param {State} state
 */
export function isStale(state) {
  const { view, result, shown, isSlow } = state;
  if (isWaiting(state)) return isSlow;
  if (!result || result.answer?.trace) return false;
  return result.answer !== null || shown.key !== requestKey(view);
}

/** Whether an open model could not translate. @param {State} state */
export const hasFailed = ({ model: { status }, result }) =>
  (status === "page" || status === "server") && Boolean(result?.problem);

/**
 * Whether the page has nothing to show yet: the picture that came with it is not that of its link.
 * @param {State} state
 */
export const isBlank = ({ shown, result }) => shown.key === null && !result;

/** The translation under the sentence. @param {State} state */
export function outputOf(state) {
  const answer = state.result?.answer;
  if (!answer?.trace || isStale(state)) return "";
  return answer.text || t("(no words: the model ended the translation at once)");
}

/**
 * The remarks on a translation, or why there is none. `reason`: why another model may translate the sentence better.
 * @param {State} state
 * @param {Offered} model that of the view
 * @param {string} [reason]
 */
export function noteOf(state, model, reason = "") {
  const {
    result,
    removed,
    isSlow,
    model: { status, files },
  } = state;
  if (isSlow && isWaiting(state)) return t("Loading the model …");
  if (isSlow && status === "server" && isBusy(state))
    return t("The server is loading the model or translating for others …");
  if (!result) return "";
  const { answer, problem, text } = result;
  if (problem !== null) return failure(problem);
  if (!answer) return "";
  const languages = { languages: (files ?? model).languages, joined: model.joined ?? files?.source.sentences };
  return [
    removed.includes("window") ? t("The window was reset to the trained one.") : "",
    removed.includes("edits") ? t("Manual changes were removed: they belong to another sentence or model.") : "",
    answer.trace ? remarks(text, answer, languages) : refusal(answer),
    reason,
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * The label of the box for a sentence, and the languages of both texts.
 * @param {LiveModel | null} files
 * @param {Offered} model
 * @param {string} [pair] of languages, such as "de-en", until the model is open
 */
export function boxLabels(files, { label = t("Sentence") }, pair = "") {
  const [source, target = ""] = pair.split("-");
  return { label: files?.label ?? label, source: files?.source.lang ?? source, target: files?.target.lang ?? target };
}

/**
 * The search and the attention type in the line of settings.
 * @param {View} view
 * @param {LiveModel | null} files
 * @param {TraceJSON | null} trace
 */
export function searchAndType({ type, window, beam, unk }, files, trace) {
  const trained = files?.graphs.steps[0].type ?? null;
  const types = files ? typesIn(files.graphs, window) : [];
  return {
    types: types.map(
      (value) =>
        /** @type {[type: string, name: string]} */ ([value, valueIn(files?.graphs.types ?? {}, value) ?? value]),
    ),
    type: type ?? trained ?? "",
    trainedType: trained,
    beam,
    unk,
    hasUnknown: Boolean(trace?.target.includes(UNKNOWN)),
    canSample: Boolean(files && samples(stepOf(files.graphs, { window, type: type ?? undefined }))),
  };
}
