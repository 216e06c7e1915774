// The equations of a model's step in the window and attention type in force.

import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { equation, withFormulas } from "../shell/equation.js";

/**
 * @import { How, ModelJSON, StepJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { Page } from "./types.d.ts"
 * @typedef {Record<string, string[]>} Formulas LaTeX by axis
 */

/**
 * The step of a model in the window and attention type of a run.
 * @param {ModelJSON} graphs
 * @param {How} how
 * @param {string | null} type null: as trained
 */
export function stepOf({ steps }, { window }, type) {
  const [trained] = steps;
  return steps.find((one) => one.window === (window ?? trained.window) && one.type === (type ?? trained.type)) ?? trained;
}

/**
 * An equation with the D and sigma of a run in place of the exported ones.
 * @param {string} line @param {StepJSON} step @param {How} how
 */
export function withNumbers(line, step, { half_width, sigma }) {
  const d = half_width ?? step.live.half_width;
  return line
    .replace(/D = [\d.]+$/, `D = ${d}`)
    .replace(/^\\sigma = D\/2 = .+/, `\\sigma = D/2 = ${Number(d) / 2}`)
    .replace(/^\\sigma = [\d.]+$/, `\\sigma = ${sigma ?? step.live.sigma}`);
}

/**
 * The formulas of a model with the settings of `how`, whose D and sigma take the place of the exported ones.
 * @param {ModelJSON} graphs
 * @param {How} how
 * @param {string | null} type null: as trained
 * @returns {Formulas}
 */
export function formulasOf(graphs, how, type) {
  const { half_width, sigma } = how;
  const step = stepOf(graphs, how, type);
  const d = half_width ?? step.live.half_width;
  const { own, sigma: set = own, zero = own } = step.formulas;
  const found = sigma != null ? set : d === 0 ? zero : own;
  return Object.fromEntries(Object.entries(found).map(([axis, lines]) => [axis, lines.map((line) => withNumbers(line, step, how))]));
}

/** Below the player, closed until a reader wants them. @param {Page["equations"]} groups */
export function buildFormulas(groups) {
  const body = el("div", { class: "ex-formulas" });
  const root = el("details", { class: "ex-details" }, el("summary", { text: t("The equations of this model") }), body);
  let shown = "";
  return {
    root,
    /** @param {ModelJSON} graphs @param {How} how @param {string | null} type */
    show(graphs, how, type) {
      const formulas = formulasOf(graphs, how, type);
      const text = JSON.stringify(formulas);
      if (text === shown) return;
      shown = text;
      body.replaceChildren(...groups.filter(([axis]) => formulas[axis]).map(([axis, title]) => el(
        "section", { class: "ex-group" }, el("h3", { text: title }),
        ...formulas[axis].map((line) => el("p", {}, equation(line))),
        ...(axis === "order" ? onTheStep(graphs).map((line) => el("p", { class: "ex-small" }, ...withFormulas(line))) : []),
      )));
    },
  };
}

/** What a reader of Bahdanau's paper has to know of the formulas of a step. @param {ModelJSON} graphs */
function onTheStep({ settings, diagrams }) {
  if (settings.order !== "attend-then-update") return [];
  const groundhog = diagrams.length > 1; // beside the authors' step is the printed one
  const index = t("$i$ is the step, counted from 1 as in the paper (the figure counts $t$ from 0); $j$ is the source position, counted from 0.");
  return groundhog ? [index, t("The state is updated as in the authors' code; the paper has $y_{i-1}$ in place of $y_i$.")] : [index];
}
