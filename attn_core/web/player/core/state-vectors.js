// The vectors that the picture of a step draws, found by the roles of their quantities.

import { looksOf } from "./looks.js";

/**
 * @import { ModelJSON, QuantityFacts, Tensor } from "../../engine/types.d.ts"
 * @import { Trace, Vectors } from "./types.d.ts"
 * @typedef {Pick<ModelJSON, "quantities" | "diagrams">} Graphs
 */

/** Of a vector, those that are drawn. */
export const UNITS = 12;
const DRAWN = ["query", "value", "context"];

/** The quantities of a model whose vectors are drawn. @param {Record<string, QuantityFacts>} quantities */
export function drawnQuantities(quantities) {
  return Object.keys(quantities).filter((id) => quantities[id].roles.some((role) => DRAWN.includes(role)));
}

/**
 * The vectors of a head, with their names; null without recorded ones, or without attention.
 * @param {Trace} trace
 * @param {Graphs | undefined} graphs of its model
 * @param {number | null} look the head; null: the only one, or the mean over all
 * @returns {Vectors | null}
 */
export function vectorsOf(trace, graphs, look) {
  const recorded = trace.steps[0]?.vectors;
  const heads = looksOf(trace).length;
  if (!recorded || !graphs || !heads) return null;
  const { quantities } = graphs;
  const idOf = (/** @type {string} */ role) => Object.keys(quantities).find((id) => quantities[id].roles.includes(role) && recorded[id]?.length);
  /** The vectors of a role at each step; null where each head has its own, and none is chosen. @param {string} role */
  const byStep = (role) => {
    const id = idOf(role);
    return trace.steps.map(({ vectors }) => (id ? ofHead(vectors?.[id] ?? [], heads, look) : null));
  };
  const value = idOf("value");
  if (!value) return null;
  const states = rowsOf(recorded[value][0], trace.source.length);
  const [queries, contexts] = [byStep("query"), byStep("context")];
  const nameOf = (/** @type {string} */ role) => brief(quantities[idOf(role) ?? ""]?.name ?? "");
  return {
    states, queries, contexts, beside: besideContext(graphs), names: { value: nameOf("value"), query: nameOf("query"), context: nameOf("context") },
    scales: { value: largest(states), query: largest(queries), context: largest(contexts) },
  };
}

/**
 * The names of what enters the output layer beside the context vector.
 * @param {Graphs} graphs
 */
function besideContext({ quantities, diagrams: [diagram] }) {
  const hasRole = (/** @type {string} */ id, /** @type {string} */ role) => Boolean(quantities[id]?.roles.includes(role));
  const into = (/** @type {string[]} */ ids) => diagram.edges.flatMap(([from, to]) => (ids.includes(to) ? [from] : []));
  let inputs = diagram ? into(Object.keys(quantities).filter((id) => hasRole(id, "output"))) : [];
  while (inputs.length === 1 && !hasRole(inputs[0], "context")) inputs = into(inputs); // the readout, which has one input more than the context vector
  return inputs.filter((id) => !hasRole(id, "context")).map((id) => brief(quantities[id].name));
}

/** A name that fits the picture: English ones without what they are of. @param {string} name */
const brief = (name) => name.split(" of ")[0];

/** A trace as it is recorded in files: without vectors. @template {{ steps: object[] }} T @param {T} trace @returns {T} */
export function withoutVectors(trace) {
  return { ...trace, steps: trace.steps.map((step) => ({ ...step, vectors: undefined })) };
}

/** Of a quantity that all heads share, that each layer has, or each head. @param {Tensor[]} tensors @param {number} heads @param {number | null} look */
function ofHead(tensors, heads, look) {
  if (look === null && tensors.length > 1) return null;
  return tensors[Math.floor(((look ?? 0) * tensors.length) / heads)]?.data ?? null;
}

/** A vector for each of `n` source words. @param {Tensor} tensor @param {number} n */
function rowsOf({ data }, n) {
  const size = data.length / n;
  return Array.from({ length: n }, (_, s) => data.subarray(s * size, (s + 1) * size));
}

/** The largest absolute value that is drawn. @param {(Float32Array | null)[]} vectors */
function largest(vectors) {
  let most = 0;
  for (const vector of vectors) for (const value of vector?.subarray(0, UNITS) ?? []) most = Math.max(most, Math.abs(value));
  return most || 1;
}
