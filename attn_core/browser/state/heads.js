// The step and the head of a translation that a page shows.

import { headChoice, headIndex, looksOf, MEAN, NO_HEAD, shownHeadIndex } from "../player/core/looks.js";

/**
 * @import { TraceJSON } from "../engine/types.d.ts"
 * @import { HeadChoice, StepAndHead } from "../player/core/types.d.ts"
 * @import { State } from "./types.d.ts"
 */

/** The step and the head on show. @param {State} state @returns {StepAndHead} */
export const stepAndHeadOf = ({ view, shown: { trace } }) => ({
  step: stepIn(trace, view.step),
  ...headIn(trace, view),
});

/** A step, or the last one of a shorter trace. @param {TraceJSON} trace @param {number} step */
export const stepIn = (trace, step) => Math.min(step, Math.max(trace.steps.length - 1, 0));

/**
 * The head of a trace that a view shows; none if the model has fewer than two.
 * @param {TraceJSON} trace
 * @param {HeadChoice} choice
 * @returns {HeadChoice}
 */
export const headIn = (trace, choice) => headChoice(looksOf(trace), shownHeadIndex(trace, choice));

/**
 * The head to show in the next trace: the same one where it has as many, else the clearest one, or that of the link.
 * @param {State} state
 * @param {TraceJSON} trace
 * @returns {HeadChoice}
 */
export function headAfter({ view, shown, isLinked }, trace) {
  const [before, heads] = [shown.trace, trace].map(looksOf);
  const stays = isLinked || (heads.length === before.length && (view.head === MEAN || headIndex(heads, view) !== null));
  return headIn(trace, stays ? view : NO_HEAD);
}
