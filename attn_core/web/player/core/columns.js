// The numbers of a source position that tooltip and tables write.

import { t } from "./messages.js";

/** @import { Parts, Shown } from "./types.d.ts" */

/** @type {[key: keyof Parts, name: string][]} */
const NAMES = [["scores", t("score")], ["alignment", t("alignment")], ["gaussian", t("Gaussian")], ["weights", t("weight")]];

/**
 * With their names: the Gaussian only if the window has one, and for a mean over heads only the weights.
 * @param {Pick<Shown, "bell" | "mean">} look
 */
export const columnsOf = ({ bell, mean }) => NAMES.filter(([key]) => (mean ? key === "weights" : bell || key !== "gaussian"));
