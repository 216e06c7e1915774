// What the roles and inputs of a step's quantities say of its parts: what enters the output layer, and what is computed
// when.

/**
 * @import { QuantityFacts } from "../../engine/types.d.ts"
 * @import { Changes } from "./types.d.ts"
 * @typedef {Record<string, QuantityFacts>} Quantities
 */

/** The quantity with a role. @param {Quantities} quantities @param {string} role */
export const withRole = (quantities, role) => Object.keys(quantities).find((id) => quantities[id].roles.includes(role));

/** The encoder states, which are the values of an attention if there is one. @param {Quantities} quantities */
export const encoderStates = (quantities) =>
  withRole(quantities, "value") ?? Object.keys(quantities).find((id) => quantities[id].axis === "encoder");

/** What a quantity is computed from. @param {Quantities} quantities @param {string} id */
const inputsOf = (quantities, id) => (quantities[id]?.inputs ?? []).filter((input) => quantities[input]);

/**
 * Whether a quantity depends on another one.
 * @param {Quantities} quantities
 * @param {string} id
 * @param {string} before
 * @returns {boolean}
 */
export function dependsOn(quantities, id, before) {
  return inputsOf(quantities, id).some((input) => input === before || dependsOn(quantities, input, before));
}

/**
 * What enters the output layer beside the context vector; without a context vector, the state that it is computed from.
 * @param {Quantities} quantities
 */
export function besideContext(quantities) {
  const isContext = (/** @type {string} */ id) => quantities[id].roles.includes("context");
  let last = withRole(quantities, "output") ?? "";
  let inputs = inputsOf(quantities, last);
  while (inputs.length === 1 && !isContext(inputs[0]) && inputsOf(quantities, inputs[0]).length)
    [last, inputs] = [inputs[0], inputsOf(quantities, inputs[0])];
  if (!withRole(quantities, "context")) return last && quantities[last].roles.length === 0 ? [last] : [];
  return inputs.filter((id) => !isContext(id) && !quantities[id].roles.includes("output"));
}

/**
 * The quantities of the parts that change on the way to the next step, beside those that enter the output layer.
 * @param {Quantities} quantities
 */
const partsOf = (quantities) => ({
  feeding: withRole(quantities, "feeding"),
  query: withRole(quantities, "query"),
  scores: withRole(quantities, "score"),
  alignment: "alignment",
  gaussian: "gaussian",
  weights: withRole(quantities, "weight"),
  context: withRole(quantities, "context"),
});

/**
 * When each part changes on the way to the next step, from 0 to 1: a part after those that it is computed from.
 * @param {Quantities} quantities
 * @returns {Changes}
 */
export function changesOf(quantities) {
  /** @type {(id: string) => number} the number of quantities that are computed before it, one from the other */
  const depth = (id) => Math.max(-1, ...inputsOf(quantities, id).map(depth)) + 1;
  const beside = besideContext(quantities).map((id) => [id, id]);
  const depths = [...Object.entries(partsOf(quantities)), ...beside].flatMap(([part, id]) =>
    id && quantities[id] ? [{ part: /** @type {string} */ (part), at: depth(id) }] : [],
  );
  const turns = [...new Set(depths.map(({ at }) => at))].sort((one, other) => one - other);
  return Object.fromEntries(depths.map(({ part, at }) => [part, turnOf(turns.indexOf(at), turns.length)]));
}

const OVERLAP = 0.4; // of a turn with the next one

/** The time of a turn. @param {number} turn @param {number} turns @returns {[from: number, to: number]} */
const turnOf = (turn, turns) => [turn / turns, Math.min((turn + 1 + OVERLAP) / turns, 1)];
