// The heads of a step by layer and head, both from 0.

import { sum } from "../../engine/vectors.js";
import { entropyOf } from "../../engine/measures.js";
import { t, tn } from "./messages.js";

/** @import { Display, HeadChoice } from "./types.d.ts" */

/** The `head` of a choice of the mean over all heads, in links and in the list of heads. */
export const MEAN = "mean";

/** No choice of a head. @type {HeadChoice} */
export const NO_HEAD = Object.freeze({ layer: null, head: null });

/** Whether two choices are of the same head. @param {HeadChoice} one @param {HeadChoice} other */
export const sameHead = (one, other) => one.layer === other.layer && one.head === other.head;

/**
 * The heads of a trace, as they are at its first step.
 * @template Look
 * @param {{ steps: { looks: Look[] }[] }} trace
 */
export const looksOf = ({ steps }) => steps[0]?.looks ?? [];

/**
 * The index of the chosen head; null if there is none.
 * @param {{ layer: number, head: number }[]} looks
 * @param {HeadChoice} choice
 */
export function headIndex(looks, choice) {
  const index = looks.findIndex((look) => sameHead(look, choice));
  return index < 0 ? null : index;
}

/**
 * The choice of the head at an index, or of the mean for null; none if the model has fewer than two heads.
 * @param {{ layer: number, head: number }[]} looks
 * @param {number | null} index
 * @returns {HeadChoice}
 */
export function headChoice(looks, index) {
  if (looks.length < 2) return NO_HEAD;
  return index === null ? { layer: null, head: MEAN } : { layer: looks[index].layer, head: looks[index].head };
}

/** The name for display of the mean over n heads. @param {number} n */
export const meanName = (n) => t("mean of {n} heads", { n });

/**
 * The index of the head to show: the chosen one, or else the clearest; null for the mean and for a model with one
 * attention (or none).
 * @param {{ steps: { looks: { layer: number, head: number, weights: number[] }[] }[] }} trace
 * @param {HeadChoice} choice
 */
export function shownHeadIndex(trace, choice) {
  return choice.head === MEAN ? null : (headIndex(looksOf(trace), choice) ?? clearestHeadIndex(trace));
}

/**
 * A sentence with the number of heads that attend at every step.
 * @param {{ layer: number, head: number }[]} looks
 */
export function manyHeads(looks) {
  const layers = new Set(looks.map(({ layer }) => layer)).size;
  const n = looks.length / layers;
  return layers > 1
    ? tn(
        "{n} head in each of {layers} layers attends at every step.",
        "{n} heads in each of {layers} layers attend at every step.",
        n,
        { layers },
      )
    : tn("{n} head attends at every step.", "{n} heads attend at every step.", n);
}

/**
 * The name of a head for display.
 * @param {{ layer: number, head: number }} choice
 */
export function headName({ layer, head }) {
  return t("layer {layer}, head {head}", { layer, head });
}

/**
 * The index of the head to show first; null for a model with one attention (or none).
 *
 * It is the head whose weights distinguish the steps best, by the mutual information of step and source position: the
 * entropy of the mean row minus the mean entropy of the rows. It is 0 for a head that always attends to the full stop,
 * and for a head that spreads its weight uniformly over all words.
 * @param {{ steps: { looks: { weights: number[] }[] }[] }} trace
 */
export function clearestHeadIndex(trace) {
  const count = looksOf(trace).length;
  if (count < 2) return null;
  const information = Array.from({ length: count }, (_, index) => {
    const rows = trace.steps.map(({ looks }) => looks[index].weights);
    const mean = rows[0].map((_, s) => sum(rows.map((row) => row[s])) / rows.length);
    return entropyOf(mean) - sum(rows.map(entropyOf)) / rows.length;
  });
  return information.indexOf(Math.max(...information));
}

/**
 * Whether the weights have no effect: their head is off, or the context vector was set by hand.
 * @param {Pick<Display, "edited">} display
 */
export const areWeightsUnused = ({ edited }) => edited === "context" || edited === "off";
