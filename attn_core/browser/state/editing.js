// What a reader's acts do to the edits of a sentence.

import { sameHead, shownHeadIndex } from "../player/core/looks.js";
import { isHard } from "../player/core/rows.js";
import { sum } from "../engine/vectors.js";
import { withEdit, withoutEdit } from "./edits.js";
import { alone, even, repainted } from "./weight-rows.js";

/**
 * @import { Edit, TraceJSON } from "../engine/types.d.ts"
 * @import { Painted, StepAndHead } from "../player/core/types.d.ts"
 *
 * @typedef {object} Stroke what was painted last
 * @property {number} position of the source word
 * @property {(StepAndHead & { row: number[] }) | null} start of a drag that goes on: where it began, and the row of
 * weights then
 *
 * @typedef {object} EditedHead
 * @property {number | null} layer null: all heads
 * @property {number | null} head
 * @property {number[]} row its weights at the step on show
 */

/**
 * The head whose weights an edit at the step on show sets, with these weights as they were set last: the trace may be
 * of the edits before. null: the model has no attention.
 * @param {{ edits: Edit[], trace: TraceJSON, at: StepAndHead }} state
 * @returns {EditedHead | null}
 */
export function editedHead({ edits, trace, at }) {
  const looks = trace.steps[at.step]?.looks ?? [];
  if (!looks.length) return null;
  const index = looks.length > 1 ? shownHeadIndex(trace, at) : 0;
  const mean = () => looks[0].weights.map((_, s) => sum(looks.map(({ weights }) => weights[s])) / looks.length);
  const recorded = index === null ? mean() : looks[index].weights;
  const { layer, head } = looks.length > 1 && index !== null ? looks[index] : { layer: null, head: null };
  const applies = (/** @type {{ layer: number | null, head: number | null }} */ edit) =>
    edit.head === null || sameHead(edit, { layer, head });
  const rows = edits.flatMap((edit) =>
    edit.kind === "weights" && edit.step === at.step && (head === null || applies(edit)) ? [edit] : [],
  );
  const last = rows.at(-1);
  return { layer, head, row: last && applies(last) ? last.weights : recorded };
}

/**
 * The edits after a weight has been painted, in the picture or by the slider, and whether those before can be restored:
 * a drag is one change. Hard attention has all its weight on one word.
 * @param {{ edits: Edit[], trace: TraceJSON, at: StepAndHead, stroke: Stroke | null }} state `stroke`: that of the
 * painting before
 * @param {Painted} painted
 * @returns {{ edits: Edit[], stroke: Stroke | null, keepsHistory: boolean }}
 */
export function paintedEdits({ edits, trace, at, stroke }, { position, weight, positions, phase }) {
  const edited = editedHead({ edits, trace, at });
  if (!edited) return { edits, stroke, keepsHistory: false };
  const { layer, head, row } = edited;
  const setRow = (
    /** @type {number[]} */ weights,
    /** @type {boolean} */ keepsHistory,
    /** @type {Stroke["start"]} */ start = null,
  ) => ({
    edits: withEdit(edits, { kind: "weights", step: at.step, layer, head, weights }),
    stroke: { position, start },
    keepsHistory,
  });
  const hard = isHard(trace);
  if (positions && !hard)
    return setRow(
      even(row, (s) => positions.includes(s)),
      phase === "start",
    );
  if (weight === null || (hard && phase === "start")) return setRow(alone(row, position), true);
  if (hard || phase === "end") return { edits, stroke: { position, start: null }, keepsHistory: false };
  const before = stroke?.start;
  const goesOn = phase === "move" && before && before.step === at.step && sameHead(before, at) ? before : null;
  const start = goesOn ?? { step: at.step, layer: at.layer, head: at.head, row };
  return setRow(repainted(start.row, position, weight), !goesOn, start);
}

/**
 * The edits with the word of a step; "": the model's choice.
 * @param {Edit[]} edits
 * @param {number} step
 * @param {string} word
 */
export const wordEdit = (edits, step, word) => (word ? withEdit : withoutEdit)(edits, { kind: "word", step, word });

/**
 * The next word of a rank; null where it is the word of the step already.
 * @param {TraceJSON} trace
 * @param {number} step
 * @param {number} rank
 */
export function wordOfRank({ steps }, step, rank) {
  const word = steps[step]?.top[rank]?.[0] ?? null;
  return word === steps[step]?.token ? null : word;
}
