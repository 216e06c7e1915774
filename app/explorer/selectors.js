// What the Explorer shows of its state, beside the parts that have selectors of their own.

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
 * The lines above the sentence: what of a link had no effect, what else changed with the chosen model, and edits that
 * were left out.
 * @param {State} state
 * @param {Axis[]} axes
 * @param {OfferedHere[]} models
 */
export function noticesOf({ view, modelBefore, notices, unfit, shown }, axes, models) {
  const [before, now] = [modelBefore, view.model].map((name) => models.find((model) => model.name === name));
  const others = before && now ? besides(axes, before, now) : null;
  return [
    ...notices,
    ...(others ? [sentenceBesides(others.others)] : []),
    ...unfit.map((edit) => leftOut(edit, shown.trace)),
  ];
}

/**
 * Another model that may translate the sentence better, and why; null: there is none. Without `model` there is only a
 * reason.
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
