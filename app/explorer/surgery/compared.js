// A translation before and after its edits.

import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { sideBySide } from "../compare/summary.js";

/**
 * @import { Edit, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { HeadChoice } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { BoardsData } from "../compare/types.d.ts"
 */

/**
 * @param {TraceJSON} trace
 * @param {TraceJSON | null} unedited null: the trace has no edits
 * @param {Edit[]} edits
 * @param {HeadChoice} choice
 * @returns {BoardsData}
 */
export function beforeAndAfter(trace, unedited, edits, choice) {
  const compared = sideBySide(unedited ?? trace, trace, { shown: 1, choice, byPieces: true }); // as edits are
  const titles = [t("Before"), tn("After {n} edit", "After {n} edits", edits.length)];
  return { ...compared, sides: compared.sides.map((side, i) => ({ ...side, title: titles[i] })) };
}
