// The heads of a step by their layer and number, counted from 1: layer 2, head 3 is "2.3".

import { t, tn } from "./messages.js";

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

/**
 * A sentence on how many heads attend at every step.
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
 * The name of a head for people.
 * @param {{ layer: number, head: number }} given
 */
export function headName({ layer, head }) {
  return t("layer {layer}, head {head}", { layer: layer + 1, head: head + 1 });
}
