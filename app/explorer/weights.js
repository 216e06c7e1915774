// The numbers of all heads at all steps as a table, for the CSV download.

import { looksOf } from "../../attn_core/browser/player/core/looks.js";

/** @import { StepTrace, TraceJSON } from "../../attn_core/browser/engine/types.d.ts" */
/** @typedef {{ layer: number, center?: number | null, window?: [number, number] | null, excluded?: number[] }} Look */

const COLUMNS = [
  "target_position",
  "target",
  "source_position",
  "source",
  "score",
  "alignment",
  "gaussian",
  "weight",
  "in_window",
  "center",
];

/**
 * The names of the columns, then a row for each head, target and source position; positions, layers and heads count
 * from 0. `center` is p_t, "" for a window without a centre. If only one head attends, the table has no columns for its
 * layer and head; without attention it has no rows.
 * @param {TraceJSON} trace
 * @returns {(string | number)[][]}
 */
export function weightRows(trace) {
  const { source, steps } = trace;
  const heads = looksOf(trace);
  const hasHeads = heads.length > 1;
  const rows = heads.flatMap(({ layer, head }, i) =>
    steps.flatMap((step) => {
      const { scores, alignment, gaussian, weights } = step.looks[i];
      const { center, isInside } = focusOf(step, step.looks[i]);
      return source.map((word, s) => [
        ...(hasHeads ? [layer, head] : []),
        step.t,
        step.token,
        s,
        word,
        scores[s],
        alignment[s],
        gaussian[s],
        weights[s],
        Number(isInside(s)),
        center ?? "",
      ]);
    }),
  );
  return [[...(hasHeads ? ["layer", "head"] : []), ...COLUMNS], ...rows];
}

/**
 * Where a head attends at a step: p_t, and whether a position is inside the window.
 * @param {StepTrace} step
 * @param {Look} look
 */
function focusOf(step, look) {
  // The heads of an ensemble have different windows
  const { center, window, excluded = [] } = look.window === undefined ? step : look;
  const isInside = (/** @type {number} */ s) =>
    Boolean(window && s >= window[0] && s <= window[1] && !excluded.includes(s));
  return { center, isInside };
}
