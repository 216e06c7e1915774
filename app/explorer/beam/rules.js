// The length normalisations of a beam's scores.

import { t } from "../../../attn_core/web/player/core/messages.js";

/** @import { Rule } from "../../../attn_core/web/hosts/types.d.ts" */

/** @type {Rule[]} the first is the usual one */
export const RULES = ["length", "none", "wu"];

/** What the scores are on the page. @param {Rule} rule */
export function ruleName(rule) {
  return { length: t("log p per word"), none: t("log p"), wu: t("6 log p / (5 + words) (Wu 2016, α = 1)") }[rule];
}
