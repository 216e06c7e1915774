// Which number of the graphs a reader clicked in the player.

import { headIndex } from "../player/core/looks.js";

/**
 * @import { NumberAsked, TraceJSON } from "../engine/types.d.ts"
 * @import { Clicked, StepAndHead } from "../player/core/types.d.ts"
 */

/** The output with the numbers of each row of bars. @type {Record<string, string>} */
const OUTPUTS = { scores: "scores", alignment: "alignment", gaussian: "focus.gaussian", weights: "weights" };

/**
 * The number that was clicked, or the largest one where none was; null for a cell of another step, to which the player
 * moves.
 * @param {Clicked} clicked
 * @param {TraceJSON} trace
 * @param {StepAndHead} at the step and the head on show
 * @returns {NumberAsked | null}
 */
export function numberAt(clicked, { steps }, at) {
  const { step } = at;
  if ("rank" in clicked) return { step, rank: clicked.rank };
  const { looks } = steps[step];
  if (!looks.length || (clicked.row ?? step) !== step) return null;
  const position = clicked.position ?? largest(looks[headIndex(looks, at) ?? 0].weights);
  // Of the mean over heads, the head with the largest weight there.
  const head = headIndex(looks, at) ?? largest(looks.map(({ weights }) => weights[position]));
  const output = `looks.${head}.${OUTPUTS[clicked.key]}`;
  return clicked.position === null ? { step, output, rank: 0 } : { step, output, place: position };
}

/** @param {number[]} values */
const largest = (values) => values.indexOf(Math.max(...values));
