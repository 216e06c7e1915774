// The live settings of a window, such as D and sigma: their values in a run, and the equations that these values call
// for. The rules are those of ModelConfig.with_window and WindowSettings.in_force in Python.

import { inForce } from "./defaults.js";
import { valueIn } from "./lookup.js";

/** @import { EquationJSON, How, ModelJSON, StepJSON, WindowFacts } from "./types.d.ts" */
/** @typedef {Pick<ModelJSON, "steps" | "windows">} Steps */

const RANDOM = "exponential"; // the operation of the graphs that draws random numbers
/** @type {WindowFacts} of a model without attention, and of a Transformer's heads */
const NO_WINDOW = { centered: false, learned: false, live: [] };

/**
 * The step of a model in the window and attention type of a run; undefined if it cannot be run with them.
 * @param {Pick<ModelJSON, "steps">} model
 * @param {How} how
 */
export function stepOf({ steps }, how) {
  const [trained] = steps;
  const window = how.window ?? trained.window;
  const type = how.type ?? trained.type;
  return steps.find((step) => step.window === window && step.type === type);
}

/** Whether a step samples, so that each run may have another result. @param {StepJSON | undefined} step */
export const samples = (step) =>
  Boolean(step?.graphs.some(({ nodes }) => nodes.some(([operation]) => operation === RANDOM)));

/** What is known of the window of a step. @param {Pick<ModelJSON, "windows">} model @param {StepJSON} step */
export function windowOf({ windows }, { window }) {
  return valueIn(windows, window) ?? NO_WINDOW;
}

/**
 * The live settings of a run. One that is not given is as trained; but where another one is given, one that may be null
 * is null, which stands for its default.
 * @param {Steps} model
 * @param {StepJSON} step
 * @param {How} how
 * @returns {Record<string, number | null>}
 */
function liveSettings(model, step, how) {
  const run = /** @type {Record<string, number | null | undefined>} */ (how);
  const { live } = windowOf(model, step);
  const moved = live.some(({ name }) => run[name] !== undefined && run[name] !== null);
  return Object.fromEntries(
    live.map(({ name, nullable }) => [name, run[name] ?? (moved && nullable ? null : step.live[name])]),
  );
}

/**
 * The values of the live settings of a run, with those that null stands for.
 * @param {Steps} model
 * @param {StepJSON} step
 * @param {How} how
 * @returns {Record<string, number>} infinite: without effect, as a Gaussian of infinite width
 */
export function liveValues(model, step, how) {
  const values = inForce(windowOf(model, step).live, liveSettings(model, step, how));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? Infinity]));
}

/**
 * The symbol and the equations of a quantity in a run; null where its step does not have it.
 * @param {Steps & Pick<ModelJSON, "equations">} model
 * @param {StepJSON} step
 * @param {How} how
 * @param {string} id
 * @returns {{ symbol: EquationJSON, lines: EquationJSON[], first: EquationJSON[] } | null} `first`: those of the first
 * step, where it differs
 */
export function equationsOf(model, step, how, id) {
  const { forms } = step.quantities[id];
  const form = forms.length > 1 ? forms[caseOf(model, step, how)] : forms[0];
  if (!form) return null;
  const values = liveValues(model, step, how);
  const equation = (/** @type {number} */ place) => ({ markup: model.equations[place], values });
  return { symbol: equation(form.symbol), lines: form.lines.map(equation), first: (form.first ?? []).map(equation) };
}

/** The index of the case of a step that a run is. @param {Steps} model @param {StepJSON} step @param {How} how */
function caseOf(model, step, how) {
  const settings = liveSettings(model, step, how);
  const { live } = windowOf(model, step);
  const named = live.map(({ name, nullable }) => {
    const value = settings[name];
    return [name, nullable ? (value === null ? "none" : "given") : value === 0 ? "zero" : "more"];
  });
  const index = step.cases.findIndex((stepCase) =>
    named.every(([name, word]) => stepCase[/** @type {string} */ (name)] === word),
  );
  return Math.max(index, 0);
}
