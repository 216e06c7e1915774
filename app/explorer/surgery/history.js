// The lists of edits before and after the one on show, for undo and redo.

/** @import { Edit } from "../../../attn_core/web/engine/types.d.ts" */

const MOST = 200; // lists that are kept

export function makeHistory() {
  /** @type {Edit[][]} */
  let past = [];
  /** @type {Edit[][]} */
  let future = [];
  return {
    /** The edits are about to change. @param {Edit[]} now */
    keep(now) {
      past = [...past, now].slice(-MOST);
      future = [];
    },
    /** The list before; null if there is none. @param {Edit[]} now */
    undo(now) {
      const before = past.at(-1) ?? null;
      if (before) [past, future] = [past.slice(0, -1), [...future, now]];
      return before;
    },
    /** The list that was undone last; null if there is none. @param {Edit[]} now */
    redo(now) {
      const after = future.at(-1) ?? null;
      if (after) [past, future] = [[...past, now], future.slice(0, -1)];
      return after;
    },
    clear() {
      [past, future] = [[], []];
    },
    can: () => ({ undo: past.length > 0, redo: future.length > 0 }),
  };
}
