// A step in words, for screen readers.

import { t } from "./messages.js";

/** @import { Row, Trace } from "./types.d.ts" */

/**
 * The word of a step, its probability, and its largest weight.
 * @param {Trace} trace
 * @param {Row | undefined} row
 * @param {number} step
 * @param {number} steps
 */
export function spokenStep(trace, row, step, steps) {
  const { token, log_prob } = trace.steps[step];
  const probability = Math.exp(log_prob).toFixed(2);
  const word = t("Step {n} of {all}: {token}, probability {probability}", { n: step + 1, all: steps, token, probability });
  if (!row?.weights.length) return word;
  const best = row.weights.indexOf(Math.max(...row.weights));
  if (!row.weights[best]) return `${word}; ${t("no word has any weight")}`;
  return `${word}; ${t("largest weight {weight} on {source}", { weight: row.weights[best].toFixed(2), source: trace.source[best] })}`;
}
