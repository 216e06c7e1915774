// From the weights of the keys to a context vector, by each attention type. Pure functions on plain arrays, tested
// against torch.

import { t } from "../../../../attn_core/browser/player/core/messages.js";

/** @import { Vector } from "../types.d.ts" */

/** Names and labels. @type {[name: string, label: string][]} */
export const ATTENTION_TYPES = [
  ["soft", t("soft")],
  ["hard-argmax", t("hard (argmax)")],
  ["hard-sample", t("hard (sampled)")],
];

/**
 * The weighted mean of the values: the context vector of soft attention.
 * @param {number[]} weights
 * @param {Vector[]} values
 * @returns {Vector}
 */
export function contextOf(weights, values) {
  return values[0].map((_, i) => weights.reduce((sum, weight, s) => sum + weight * values[s][i], 0));
}

/**
 * The first position with the largest weight: the choice of hard attention (argmax).
 * @param {number[]} weights
 */
export const bestOf = (weights) => weights.indexOf(Math.max(...weights));

/**
 * The position that `u`, from 0 to 1, falls on when the weights are laid end to end: hard attention (sampled).
 * @param {number[]} weights
 * @param {number} u
 */
export function drawnAt(weights, u) {
  let total = 0;
  for (let s = 0; s < weights.length; s++) if (u < (total += weights[s])) return s;
  return weights.findLastIndex((weight) => weight > 0); // the sum fell short of u by rounding
}
