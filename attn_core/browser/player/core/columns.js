// The numbers of a source position that tooltip and tables write.

import { t } from "./messages.js";

/** @import { Display, Parts, Row } from "./types.d.ts" */

/** @type {[key: keyof Parts, name: string][]} */
const NAMES = [
  ["scores", t("score")],
  ["alignment", t("alignment weight")],
  ["gaussian", t("Gaussian")],
  ["weights", t("attention weight")],
];

/**
 * With their names: the Gaussian only if the window has one, alignment weights only if they are not the attention
 * weights themselves, and for a mean over heads only the weights.
 * @param {Pick<Display, "bell" | "mean">} display
 * @param {Pick<Row, "alignment" | "weights">[]} rows all steps
 */
export function columnsOf({ bell, mean }, rows) {
  const isShown = { scores: !mean, alignment: !mean && !rows.every(isAligned), gaussian: !mean && bell, weights: true };
  return NAMES.filter(([key]) => isShown[key]);
}

/**
 * Whether the attention weights of a step are its alignment weights.
 * @param {Pick<Row, "alignment" | "weights">} row
 */
const isAligned = ({ alignment, weights }) => alignment.every((value, s) => value === weights[s]);
