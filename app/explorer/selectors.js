// Selectors of the Explorer: the notices above the sentence, and a better model for it.

import { sentenceBesides } from "./compare/summary.js";
import { besides } from "./compare/pairs.js";
import { betterModel } from "./settings/better.js";
import { leftOut } from "./surgery/edits.js";

/**
 * @import { Axis } from "../../attn_core/browser/hosts/types.d.ts"
 * @import { State } from "../../attn_core/browser/state/types.d.ts"
 * @import { OfferedHere } from "./types.d.ts"
 */

/**
 * The notices above the sentence: the parts of a link that had no effect, the settings that changed together with the
 * one that was chosen, and the edits that were left out.
 * @param {State} state
 * @param {Axis[]} axes
 * @param {OfferedHere[]} models
 */
export function noticesOf({ view, modelBefore, notices, unfit, shown }, axes, models) {
  const [before, current] = [modelBefore, view.model].map((name) => models.find((model) => model.name === name));
  const sideEffects = before && current ? besides(axes, before, current) : null;
  return [
    ...notices,
    ...(sideEffects ? [sentenceBesides(sideEffects.others)] : []),
    ...unfit.map((edit) => leftOut(edit, shown.trace)),
  ];
}

/**
 * A model that may translate the sentence better, and why; null if there is none. If `model` is null, there is only a
 * remark on the translation.
 * @param {State} state
 * @param {OfferedHere[]} models
 * @param {Axis[]} axes
 */
export function betterFor({ view, model: { status }, result }, models, axes) {
  const answer = result?.answer;
  if (!answer || status === "opening") return null;
  const asTrained = !answer.trace?.settings.intervention && !view.edits.length && view.type === null;
  const { place, reason, label } = betterModel(
    result.text,
    answer,
    models,
    models.findIndex(({ name }) => name === view.model),
    axes,
    asTrained,
  );
  return { model: models[place]?.name ?? null, reason, label };
}
