// Everything that the player draws, derived from the trace and the reader's choices.

import { END } from "../../engine/tokenizer/specials.js";
import { looksOf, sameHead } from "./looks.js";
import { glossOf } from "./pieces.js";
import { isHard, recordedRows, scaleOf, scoreRange, shapeOf } from "./rows.js";
import { decodedWith, trainedWith } from "./settings.js";

/** @import { Choices, Display, Options, Row, Shape, Theme, Trace, View, Word } from "./types.d.ts" */

/** @typedef {{ rows: Row[], shape: Shape, hard: boolean }} Rows of a trace: see rows.js */

/**
 * The rows of a trace and what they show.
 * @param {Trace} trace
 * @param {number | null} headIndex
 * @returns {Rows}
 */
export const rowsOf = (trace, headIndex) => ({
  rows: recordedRows(trace, headIndex),
  shape: shapeOf(trace, headIndex),
  hard: isHard(trace),
});

/**
 * The number of steps to show; the step of </s> may be omitted.
 * @param {Trace} trace
 * @param {boolean} eos
 */
export function stepsOf({ steps }, eos) {
  return !eos && steps.length > 1 && steps[steps.length - 1].token === END ? steps.length - 1 : steps.length;
}

/**
 * The number of heads that the weights are averaged over; 0 if one head is shown.
 * @param {Trace} trace
 * @param {number | null} headIndex
 */
function averaged(trace, headIndex) {
  const { length } = looksOf(trace);
  return headIndex === null && length > 1 ? length : 0;
}

/**
 * What was set by hand at the current step, in the head on show; the mean has only what all heads have.
 * @param {Trace} trace
 * @param {Choices} state
 * @returns {Display["edited"]}
 */
function editedAt({ settings, steps }, { step, headIndex }) {
  const { looks = [] } = steps[0] ?? {};
  const shownLook = looks.length === 1 ? looks[0] : looks[headIndex ?? -1];
  const kinds = (settings.edits ?? [])
    .filter(
      ({ step: at = step, layer = null, head }) =>
        at === step && (head === null || (shownLook && head !== undefined && sameHead(shownLook, { layer, head }))),
    )
    .map(({ kind }) => kind);
  return /** @type {const} */ (["off", "context", "weights"]).find((kind) => kinds.includes(kind)) ?? null;
}

/**
 * The view of `trace`, without what is pointed at.
 * @param {Trace} trace
 * @param {Choices} state
 * @param {Rows} rowsOfTrace
 * @param {Theme} theme
 * @param {Pick<Options, "glosses" | "paint" | "map" | "windows"> & { vectors?: View["vectors"], words?: Word[] | null,
 * byPieces?: boolean }} [options]
 * @returns {View}
 */
export function viewOf(
  trace,
  state,
  { rows, hard, shape: { local, bell, width } },
  theme,
  { glosses = {}, paint = false, map = true, windows = {}, vectors = null, words = null, byPieces = false } = {},
) {
  const decoded = decodedWith(trace, windows);
  const mode = trace.settings.gaussian || "after_softmax";
  const mean = averaged(trace, state.headIndex);
  const onlyOne = mean > 0 || (!hard && (!bell || mode === "on_scores")); // alignment and attention weights are equal
  return {
    decoded,
    trained: trainedWith(trace, windows),
    rows,
    theme,
    onlyOne,
    vectors,
    map: map || (state.headIndex !== null && looksOf(trace).length > 1),
    source: trace.source,
    targets: trace.steps.slice(0, stepsOf(trace, state.eos)).map((step) => step.token),
    display: {
      normalizer: trace.settings.normalizer,
      score: trace.settings.score,
      mean,
      step: state.step,
      local,
      bell,
      mode,
      hard,
      sigma: width,
      heat: onlyOne ? "weights" : state.heat,
      edited: editedAt(trace, state),
      paint,
      scale: hard || paint ? 1 : scaleOf(rows),
      range: scoreRange(rows),
      farthest: Math.max(0, ...rows.map((row) => row.center ?? 0)),
      source: trace.source,
      unknown: new Set(trace.unknown),
      gloss: glossOf(trace.source, glosses),
      words,
      byPieces,
      hover: null,
      cell: null,
    },
  };
}
