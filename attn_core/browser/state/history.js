// The lists of edits before and after the one on show, for undo and redo.

/**
 * @import { Edit } from "../engine/types.d.ts"
 * @typedef {{ past: Edit[][], future: Edit[][] }} EditHistory the list that comes next is the last of each
 */

const MOST = 200; // lists that are kept

/** @type {EditHistory} */
export const NO_HISTORY = Object.freeze({ past: [], future: [] });

/**
 * The history after a change; what had been undone is gone.
 * @param {EditHistory} history
 * @param {Edit[]} edits before the change
 * @returns {EditHistory}
 */
export const keepEdits = ({ past }, edits) => ({ past: [...past, edits].slice(-MOST), future: [] });

/**
 * The list before the one on show, and the history then; null if there is none.
 * @param {EditHistory} history
 * @param {Edit[]} edits on show
 * @returns {{ edits: Edit[], history: EditHistory } | null}
 */
export function undoEdits({ past, future }, edits) {
  const before = past.at(-1);
  return before ? { edits: before, history: { past: past.slice(0, -1), future: [...future, edits] } } : null;
}

/**
 * The list that was undone last, and the history then; null if there is none.
 * @param {EditHistory} history
 * @param {Edit[]} edits on show
 * @returns {{ edits: Edit[], history: EditHistory } | null}
 */
export function redoEdits({ past, future }, edits) {
  const after = future.at(-1);
  return after ? { edits: after, history: { past: [...past, edits], future: future.slice(0, -1) } } : null;
}
