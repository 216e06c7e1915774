// What a comparison is made of, from the state.

import { PAIR, reachable, setupApart } from "../settings/axes.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { trainedRun } from "../../../attn_core/browser/state/requests.js";
import { nearest } from "./nearest.js";
import { movedOn, settingsApart } from "./pairs.js";
import { raced, sentenceOn, sentenceOnAll, sideBySide } from "./summary.js";

/**
 * @import { TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Axis, Offered, Point } from "../../../attn_core/browser/hosts/types.d.ts"
 * @import { HeadChoice } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Run, View } from "../../../attn_core/browser/state/types.d.ts"
 * @import { Page } from "../types.d.ts"
 * @import { ComparisonOption, Compared } from "./types.d.ts"
 */

const ALL = "all "; // before the name of an axis, in the list

/**
 * The runs to translate beside the view: the compared one, or those of the race.
 * @param {View} view
 * @param {Offered[]} models
 * @param {Axis[]} axes
 * @returns {Run[]}
 */
export function comparedRuns(view, models, axes) {
  if (view.race !== null) return rivals(view, models, axes, view.race).map((model) => trainedRun(model, view));
  return view.compared ? [view.compared] : [];
}

/**
 * The run that a comparison begins with: by the model that differs least from that of the view.
 * @param {View} view
 * @param {Offered[]} models
 * @param {Axis[]} axes
 */
export const runBeside = (view, models, axes) =>
  trainedRun(nearest(ofSameLanguages(view, models), axes, view.model), view);

/**
 * What a comparison shows; `boards` is null, and and `apart` empty until all translations are there.
 * @param {{ view: View, trace: TraceJSON | null, others: (TraceJSON | null)[], models: Offered[], axes: Axis[], choice:
 * HeadChoice, byPieces: boolean } & Pick<Page, "windows" | "types">} given `others`: of comparedRuns, in their order
 * @returns {Compared}
 */
export function comparisonOf({ view, trace, others, models, axes, windows, types, choice, byPieces }) {
  const options = comparisonOptions(view, models, axes);
  const traces = [trace, ...others].flatMap((each) => each ?? []);
  if (traces.length <= others.length || (!others.length && view.race === null))
    return { boards: null, apart: "", apartTitle: "", options };
  const [first, ...rest] = traces.map((each) => ({ ...placeOf(models, each.model), trace: each }));
  const setups = [...new Set(rest.flatMap(({ setup }) => setupApart(first.setup, setup)))];
  if (view.race === null) {
    const apart = sentenceOn(settingsApart(axes, first, rest[0], { windows, types }), setups);
    return {
      boards: sideBySide(traces[0], traces[1], { choice, byPieces }),
      apart,
      apartTitle: setups.join(", "),
      options,
    };
  }
  const moved = new Set(rest.flatMap((other) => movedOn(axes, first, other)).filter(({ name }) => name !== view.race));
  const also = [...[...moved].map(({ label }) => label.toLowerCase()), ...setups];
  return {
    boards: raced(traces, valueNames(traces, view.race, models, axes), byPieces),
    apart: sentenceOnAll(rest.length, also),
    apartTitle: also.join(", "),
    options,
  };
}

/**
 * The list of what the view can be compared with, each with the action that begins it.
 * @param {View} view
 * @param {Offered[]} models
 * @param {Axis[]} axes
 * @returns {ComparisonOption[]}
 */
function comparisonOptions(view, models, axes) {
  const races = axes.filter(
    ({ name, chip }) => chip && (name === view.race || rivals(view, models, axes, name).length),
  );
  return [
    ...ofSameLanguages(view, models).map(({ name, group = "" }) => ({
      value: name,
      text: name,
      group,
      chosen: name === view.compared?.model,
      action: /** @type {const} */ ({ type: "comparison begun", with: trainedRun(name, view) }),
    })),
    ...races.map(({ name, label }) => ({
      value: `${ALL}${name}`,
      text: t("{setting}: all trained values", { setting: label }),
      group: null,
      chosen: name === view.race,
      action: /** @type {const} */ ({ type: "race begun", axis: name }),
    })),
  ];
}

/** The models between the languages of the view's. @param {View} view @param {Offered[]} models */
const ofSameLanguages = (view, models) =>
  models.filter(({ point }) => point?.[PAIR] === placeOf(models, view.model).point[PAIR]);

/**
 * The names of the models that differ from the view's on this axis only.
 * @param {View} view
 * @param {Offered[]} models
 * @param {Axis[]} axes
 * @param {string} name
 */
function rivals(view, models, axes, name) {
  const placed = models.map(({ name: model, point = {}, setup = {} }) => ({ name: model, point, setup }));
  const current = placed.findIndex((model) => model.name === view.model);
  const axis = axes.find((each) => each.name === name);
  if (current < 0 || !axis || axis.name === PAIR) return [];
  return reachable(axes, placed, axis, current)
    .filter(({ model, others }) => model !== current && !others.length)
    .map(({ model }) => models[model].name);
}

/**
 * The values of the models on an axis, as readers see them.
 * @param {TraceJSON[]} traces
 * @param {string} name
 * @param {Offered[]} models
 * @param {Axis[]} axes
 */
function valueNames(traces, name, models, axes) {
  const { values = [] } = axes.find((axis) => axis.name === name) ?? {};
  return traces.map(({ model }) => {
    const value = placeOf(models, model).point[name];
    return values.find(([known]) => known === value)?.[1] ?? model;
  });
}

/** @param {Offered[]} models @param {string} name @returns {{ point: Point, setup: Record<string, string> }} */
const placeOf = (models, name) => ({ point: {}, setup: {}, ...models.find((model) => model.name === name) });
