// What the tests of Python ask of the pages' modules: each function takes and returns JSON.

import { besides } from "../../app/explorer/compare/pairs.js";
import { modelsOf } from "../../app/explorer/model-list.js";
import { menus, reachable } from "../../app/explorer/settings/axes.js";
import { betterModel } from "../../app/explorer/settings/better.js";
import { weightRows } from "../../app/explorer/weights.js";
import { csvText } from "../../app/shell/csv.js";
import { equation } from "../../app/shell/equation.js";
import { STOPS } from "../../app/shell/stops.js";
import { open } from "../../attn_core/browser/engine/service.js";
import { isolated, t, tn } from "../../attn_core/browser/player/core/messages.js";
import { glossOf, readable } from "../../attn_core/browser/player/core/pieces.js";
import { readView, writeView } from "../../attn_core/browser/state/view.js";
import { formulasOf } from "../../attn_core/browser/widget/formulas.js";

export { betterModel, csvText, formulasOf, glossOf, isolated, modelsOf, reachable, readable, t, tn, weightRows };

export const stops = () => STOPS;

/** The view of a link, given as its names and values, and the notices on it. */
export const viewOf = (link, facts) => readView(new URLSearchParams(link), facts);

export const linkOf = (view, facts) => String(writeView(view, facts));

/** The tokens of a source as they are displayed. */
export const displayed = (source) => readable({ source, target: [], steps: [] }).source;

/** The answer of a model, whose weights are in base64, to a text. */
export function answerOf({ weights, ...files }, text) {
  return open({ ...files, weights: Uint8Array.from(Buffer.from(weights, "base64")) }).translate({ text });
}

/** By model: its menus, each with its options: where one leads, which axes differ then, and what the note names. */
export function allMenus({ axes, models }) {
  const optionOf =
    (model) =>
    ({ value, model: place, others }) => ({
      value,
      to: models[place].name,
      others: others.map(({ name }) => name),
      note: besides(axes, model, models[place])?.others ?? [],
    });
  return models.map((model, place) =>
    menus(axes, models, place).map(({ axis, reached }) => [axis.name, reached.map(optionOf(model))]),
  );
}

/** The commands of a line of LaTeX that the page shows as text, since it does not know them. */
export function unknownCommands(line) {
  const createElementNS = (_, localName) => ({
    localName,
    children: [],
    textContent: "",
    setAttribute() {},
    append(...more) {
      this.children.push(...more);
    },
  });
  globalThis.document = { createElementNS, createTextNode: String };
  const textsIn = ({ localName, textContent, children = [] }) => [
    ...(localName === "mtext" ? [textContent] : []),
    ...children.flatMap(textsIn),
  ];
  return textsIn(equation(line));
}
