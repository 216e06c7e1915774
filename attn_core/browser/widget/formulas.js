// The equations of a model's step, by axis.

import { equationsOf, stepOf } from "../engine/live.js";

/** @import { EquationJSON, How, ModelJSON } from "../engine/types.d.ts" */

const ATTENTION_ROLES = ["score", "weight"]; // not the context vector, which a model without attention has too

/**
 * The equations of a model's step by axis, with the live settings of a run.
 * @param {ModelJSON} graphs
 * @param {How} how the window and the attention type of the run
 * @returns {Record<string, EquationJSON[]>}
 */
export function formulasOf(graphs, how) {
  const step = stepOf(graphs, how) ?? graphs.steps[0];
  /** @type {Record<string, EquationJSON[]>} */
  const formulas = {};
  for (const id of Object.keys(step.quantities)) {
    const { axis } = graphs.quantities[id];
    const { lines, first } = equationsOf(graphs, step, how, id) ?? { lines: [], first: [] };
    const known = formulas[axis] ?? [];
    const added = [...lines, ...first].filter(({ markup }) => !known.some((line) => line.markup === markup));
    if (added.length) formulas[axis] = [...known, ...added];
  }
  return formulas;
}

/**
 * The equations from the scores to the context vector; none without attention.
 * @param {ModelJSON} graphs
 * @param {How} how
 */
export function attentionFormulas(graphs, how) {
  const formulas = formulasOf(graphs, how);
  const quantities = Object.values(graphs.quantities).filter(({ roles }) =>
    ATTENTION_ROLES.some((role) => roles.includes(role)),
  );
  return [...new Set(quantities.map(({ axis }) => axis))].flatMap((axis) => formulas[axis] ?? []);
}
