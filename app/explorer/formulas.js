// The equations of a model's step in the window and attention type in force.

import { equationsOf, stepOf } from "../../attn_core/web/engine/live.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { withFormulas } from "../shell/equation.js";
import { equationElement } from "../shell/mathml.js";

/**
 * @import { EquationJSON, How, ModelJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { Page } from "./types.d.ts"
 */

/**
 * The equations of a model's step by axis, with the live settings of a run.
 * @param {ModelJSON} graphs
 * @param {How} how the window and the attention type of the run
 * @returns {Record<string, EquationJSON[]>}
 */
export function formulasOf(graphs, how) {
  const step = stepOf(graphs, how) ?? graphs.steps[0];
  /** @type {Record<string, EquationJSON[]>} */
  const found = {};
  for (const id of Object.keys(step.quantities)) {
    const { axis } = graphs.quantities[id];
    const { lines, first } = equationsOf(graphs, step, how, id) ?? { lines: [], first: [] };
    const known = found[axis] ?? [];
    const more = [...lines, ...first].filter(({ markup }) => !known.some((line) => line.markup === markup));
    if (more.length) found[axis] = [...known, ...more];
  }
  return found;
}

/** Below the player, closed until a reader wants them. @param {Page["equations"]} groups */
export function buildFormulas(groups) {
  const body = el("div", { class: "ex-formulas" });
  const root = el("details", { class: "ex-details" }, el("summary", { text: t("The equations of this model") }), body);
  let shown = "";
  return {
    root,
    /** @param {ModelJSON} graphs @param {How} how */
    show(graphs, how) {
      const formulas = formulasOf(graphs, how);
      const text = JSON.stringify(formulas);
      if (text === shown) return;
      shown = text;
      body.replaceChildren(...groups.filter(([axis]) => formulas[axis]).map(([axis, title]) => el(
        "section", { class: "ex-group" }, el("h3", { text: title }),
        ...formulas[axis].map((line) => el("p", {}, equationElement(line))),
        ...(axis === "order" ? graphs.notes ?? [] : []).map((line) => el("p", { class: "ex-small" }, ...withFormulas(line))),
      )));
    },
  };
}
