// The heads of a step by their layer and number, counted from 1: layer 2, head 3 is "2.3".

import { sum } from "./vectors.js";
import { entropyOf } from "./measures.js";
import { t, tn } from "./messages.js";

/** The name of the mean over all heads, in links and in the list of heads. */
export const MEAN = "mean";

/**
 * The short name of a head, for links.
 * @param {{ layer: number, head: number }} given
 */
export function lookName({ layer, head }) {
  return `${layer + 1}.${head + 1}`;
}

/**
 * The index of the head of that name; null if there is none.
 * @param {{ layer: number, head: number }[]} looks
 * @param {string | null | undefined} name
 */
export function lookNamed(looks, name) {
  const index = looks.findIndex((look) => lookName(look) === name);
  return index < 0 ? null : index;
}

/** The name for display of the mean over n heads. @param {number} n */
export const meanName = (n) => t("mean of {n} heads", { n });

/**
 * The index of the head to show: the one of that name, or else the clearest; null for the mean and for a model with one
 * attention (or none).
 * @param {{ looks: { layer: number, head: number, weights: number[] }[] }[]} steps
 * @param {string | null | undefined} name
 */
export function shownLook(steps, name) {
  return name === MEAN ? null : lookNamed(steps[0]?.looks ?? [], name) ?? clearestLook(steps);
}

/**
 * A sentence with the number of heads that attend at every step.
 * @param {{ layer: number, head: number }[]} looks
 */
export function manyHeads(looks) {
  const layers = new Set(looks.map(({ layer }) => layer)).size;
  const n = looks.length / layers;
  return layers > 1
    ? tn("{n} head in each of {layers} layers attends at every step.", "{n} heads in each of {layers} layers attend at every step.", n, { layers })
    : tn("{n} head attends at every step.", "{n} heads attend at every step.", n);
}

/**
 * The name of a head for display.
 * @param {{ layer: number, head: number }} given
 */
export function headName({ layer, head }) {
  return t("layer {layer}, head {head}", { layer: layer + 1, head: head + 1 });
}

/**
 * The name for display of the head with a short name, such as "2.3".
 * @param {string} name
 */
export function spelledLook(name) {
  const [layer, head] = name.split(".").map(Number);
  return headName({ layer: layer - 1, head: head - 1 });
}

/**
 * The index of the head to show first; null for a model with one attention (or none).
 *
 * It is the head whose weights distinguish the steps best, by the mutual information of step and source position: the
 * entropy of the mean row minus the mean entropy of the rows. It is 0 for a head that always attends to the full stop,
 * and for a head that spreads its weight uniformly over all words.
 * @param {{ looks: { weights: number[] }[] }[]} steps
 */
export function clearestLook(steps) {
  const count = steps[0]?.looks.length ?? 0;
  if (count < 2) return null;
  const told = Array.from({ length: count }, (_, look) => {
    const rows = steps.map(({ looks }) => looks[look].weights);
    const mean = rows[0].map((_, s) => sum(rows.map((row) => row[s])) / rows.length);
    return entropyOf(mean) - sum(rows.map(entropyOf)) / rows.length;
  });
  return told.indexOf(Math.max(...told));
}
