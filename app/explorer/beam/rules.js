// The length normalisations of a beam's scores.

import { t } from "../../../attn_core/browser/player/core/messages.js";

/** @import { Rule } from "../../../attn_core/browser/state/types.d.ts" */

/** What the scores are on the page. @param {Rule} rule */
export function ruleName(rule) {
  return { length: t("log p per word"), none: t("log p"), wu: t("length-penalised (Wu 2016)") }[rule];
}

/** How the scores are computed, where their name does not say it. @param {Rule} rule */
export const ruleHint = (rule) => (rule === "wu" ? t("6 log p / (5 + words), with α = 1") : null);
