// Limits a view to the windows, attention types and heads of its model.

import { samples, stepOf } from "../engine/live.js";
import { headName, MEAN, sameHead } from "../player/core/looks.js";
import { valueIn } from "../engine/lookup.js";
import { t } from "../player/core/messages.js";
import { isMoved } from "./requests.js";

/**
 * @import { ModelJSON } from "../engine/types.d.ts"
 * @import { View } from "./types.d.ts"
 * @typedef {Pick<ModelJSON, "steps" | "windows">} Graphs
 */

/**
 * The attention types that a model can be run with in a window.
 * @param {Pick<ModelJSON, "steps">} graphs
 * @param {string | null} window null: the trained one
 */
export function typesIn({ steps }, window) {
  return steps.filter((step) => step.window === (window ?? steps[0].window)).map(({ type }) => type);
}

/**
 * The view with the trained window in place of one that the model cannot be run in, and with an attention type of this
 * window.
 * @template {Pick<View, "window" | "live" | "centers" | "type" | "draw">} T
 * @param {T} view
 * @param {Graphs} graphs
 * @returns {T}
 */
export function fitted(view, graphs) {
  const {
    steps: [trained],
    windows,
  } = graphs;
  const facts = valueIn(windows, view.window ?? trained.window);
  const known = new Set(facts?.live.map(({ name }) => name));
  const fits = facts && Object.keys(view.live).every((name) => known.has(name)) && (facts.centered || !view.centers);
  const run = fits ? view : { ...view, window: null, live: {}, centers: null };
  const types = typesIn(graphs, run.window);
  const type = [run.type, trained.type].find((wanted) => types.includes(String(wanted))) ?? types[0];
  const draw = samples(stepOf(graphs, { window: run.window, type: String(type) })) ? run.draw : 0;
  return { ...run, type: type === trained.type ? null : type, draw };
}

/**
 * A line on each value of a link that the model cannot have.
 * @param {View} linked
 * @param {ModelJSON} graphs
 */
export function unfitInLink(linked, graphs) {
  const notices = [];
  const { model, type, layer, head } = linked;
  const view = fitted(linked, graphs);
  if (isMoved(linked) && !isMoved(view))
    notices.push(t("The window in the link was ignored: {model} cannot be run with it.", { model }));
  if (type && !typesIn(graphs, view.window).includes(type)) {
    notices.push(t("The attention type in the link was ignored: {model} cannot be run with it.", { model }));
  }
  const heads = graphs.heads.looks.map(([inLayer, number]) => ({ layer: inLayer, head: number }));
  if (head === null) return notices;
  if (!heads.length)
    notices.push(t("{model} has no attention, so the layer and head in the link were ignored.", { model }));
  else if (heads.length < 2)
    notices.push(t("{model} has a single head, so the layer and head in the link were ignored.", { model }));
  else if (layer !== null && head !== MEAN && !heads.some((other) => sameHead(other, linked))) {
    const last = heads[heads.length - 1];
    notices.push(
      t("{model} has no {head}; its last is {last}. The layer and head in the link were ignored.", {
        model,
        head: headName({ layer, head }),
        last: headName(last),
      }),
    );
  }
  return notices;
}
