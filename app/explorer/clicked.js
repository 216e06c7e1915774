// Which number of the graphs a reader clicked in the player.

import { headIndex } from "../../attn_core/web/player/core/looks.js";

/**
 * @import { NumberAsked, TraceJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { Clicked } from "../../attn_core/web/player/core/types.d.ts"
 * @import { Place } from "./types.d.ts"
 */

/** The output with the numbers of each row of bars. @type {Record<string, string>} */
const OUTPUTS = { scores: "scores", alignment: "alignment", gaussian: "focus.gaussian", weights: "weights" };

/**
 * The number that was clicked; null for a cell of another step, to which the player moves.
 * @param {Clicked} clicked
 * @param {TraceJSON} trace
 * @param {Place} at the step and the head on show
 * @returns {NumberAsked | null}
 */
export function askedFor(clicked, { steps }, at) {
  const { step } = at;
  if ("rank" in clicked) return { step, rank: clicked.rank };
  const { looks } = steps[step];
  if (!looks.length || (clicked.row ?? step) !== step) return null;
  const { key, place } = clicked;
  const s = place ?? largest(looks[headIndex(looks, at) ?? 0].weights);
  // Of the mean over heads, the head with the largest weight there.
  const head = headIndex(looks, at) ?? largest(looks.map(({ weights }) => weights[s]));
  return { step, output: `looks.${head}.${OUTPUTS[key]}`, place: s };
}

/** @param {number[]} values */
const largest = (values) => values.indexOf(Math.max(...values));
