// The vectors that the picture of a step draws, found by the roles of their quantities.

import { looksOf } from "./looks.js";
import { besideContext, changesOf, dependsOn, encoderStates, withRole } from "./step-graph.js";

/**
 * @import { ModelJSON, Tensor } from "../../engine/types.d.ts"
 * @import { Feeding, Heads, Strip, Trace, Vectors } from "./types.d.ts"
 * @import { Quantities } from "./step-graph.js"
 */

/** Of a vector, those that are drawn. */
export const UNITS = 12;

/** The quantities of a model whose vectors are drawn. @param {Quantities} quantities */
export function drawnQuantities(quantities) {
  const roles = ["query", "context", "feeding", ...(withRole(quantities, "context") ? [] : ["start"])];
  const ids = [
    encoderStates(quantities),
    ...roles.map((role) => withRole(quantities, role)),
    ...besideContext(quantities),
  ];
  return [...new Set(ids)].flatMap((id) => id ?? []);
}

/**
 * The vectors of a head, with their names; null without recorded ones.
 * @param {Trace} trace
 * @param {Pick<ModelJSON, "quantities"> | undefined} graphs of its model
 * @param {number | null} headIndex the head; null: the only one, or the mean over all
 * @returns {Vectors | null}
 */
export function vectorsOf(trace, graphs, headIndex) {
  const recorded = trace.steps[0]?.vectors;
  const heads = looksOf(trace).length;
  const value = graphs && encoderStates(graphs.quantities);
  if (!recorded || !value || !recorded[value]?.length) return null;
  const { quantities } = graphs;
  const states = rowsOf(recorded[value][0], trace.source.length);
  /**
   * The vectors of a quantity at each step; null where each head has its own, and none is chosen.
   * @param {string} id
   * @returns {Strip}
   */
  const stripOf = (id) => {
    const vectors = trace.steps.map((step) => ofHead(step.vectors?.[id] ?? [], heads, headIndex));
    return { id, name: brief(quantities[id].name), vectors, scale: largest(vectors) };
  };
  /** That of a role. @param {string} role */
  const ofRole = (role) => {
    const id = withRole(quantities, role);
    return id && recorded[id]?.length ? stripOf(id) : null;
  };
  const feeding = ofRole("feeding");
  return {
    value: { name: brief(quantities[value].name), states, scale: largest(states) },
    query: ofRole("query"),
    context: ofRole("context"),
    start: heads ? null : ofRole("start"),
    feeding: feeding && feedingOf(quantities, feeding),
    beside: besideContext(quantities)
      .filter((id) => recorded[id]?.length)
      .map(stripOf),
    heads: headsOf(trace, headIndex),
    changes: changesOf(quantities),
  };
}

/**
 * Feeding, and the quantity of the picture that it enters: the query or, without attention, the state before the output
 * layer.
 * @param {Quantities} quantities
 * @param {Strip} feeding
 * @returns {Feeding}
 */
function feedingOf(quantities, feeding) {
  const target = [withRole(quantities, "query"), ...besideContext(quantities)].find(
    (id) => id && dependsOn(quantities, id, feeding.id),
  );
  return {
    ...feeding,
    target: target ? brief(quantities[target].name) : "",
    isZero: feeding.vectors.map((vector) => Boolean(vector?.every((value) => value === 0))),
  };
}

/**
 * The context vectors of the heads in the layer of a head, which are joined into one.
 * @param {Trace} trace
 * @param {number | null} headIndex
 * @returns {Heads | null}
 */
function headsOf(trace, headIndex) {
  const looks = looksOf(trace);
  if (headIndex === null || looks.length < 2) return null;
  const indices = looks.flatMap(({ layer }, index) => (layer === looks[headIndex].layer ? [index] : []));
  const parts = trace.steps.map((step) => indices.map((index) => step.parts?.[index] ?? null));
  return { parts, scale: largest(parts.flat()) };
}

/** A name that fits the picture: English ones without what they are of. @param {string} name */
const brief = (name) => name.split(/ of |, /)[0];

/**
 * A trace as it is recorded in files: without vectors.
 * @template {{ steps: object[] }} T
 * @param {T} trace
 * @returns {T}
 */
export function withoutVectors(trace) {
  return { ...trace, steps: trace.steps.map((step) => ({ ...step, vectors: undefined, parts: undefined })) };
}

/**
 * Of a quantity that all heads share, that each layer has, or each head.
 * @param {Tensor[]} tensors
 * @param {number} heads
 * @param {number | null} headIndex
 */
function ofHead(tensors, heads, headIndex) {
  if (headIndex === null && tensors.length > 1) return null;
  return tensors[Math.floor(((headIndex ?? 0) * tensors.length) / Math.max(heads, 1))]?.data ?? null;
}

/** A vector for each of `n` source words. @param {Tensor} tensor @param {number} n */
function rowsOf({ data }, n) {
  const size = data.length / n;
  return Array.from({ length: n }, (_, s) => data.subarray(s * size, (s + 1) * size));
}

/** The largest absolute value that is drawn. @param {(Float32Array | null)[]} vectors */
function largest(vectors) {
  let most = 0;
  for (const vector of vectors)
    for (const value of vector?.subarray(0, UNITS) ?? []) most = Math.max(most, Math.abs(value));
  return most || 1;
}
