// The state of a page that opens, and the parts of it that an action resets.

import { headIn } from "./heads.js";
import { NO_HISTORY } from "./history.js";
import { howOf, requestKey } from "./requests.js";

/**
 * @import { TraceJSON } from "../engine/types.d.ts"
 * @import { State, View } from "./types.d.ts"
 */

/**
 * Remarks on the last act, which end with the next one that is translated.
 * @type {Pick<State, "notices" | "removed" | "unfit" | "modelBefore">}
 */
export const NO_REMARKS = { notices: [], removed: [], unfit: [], modelBefore: null };

/** Of another sentence or model. @type {Pick<State, "history" | "stroke">} */
export const NO_EDITS_BEFORE = { history: NO_HISTORY, stroke: null };

/**
 * The state of a page that opens.
 * @param {View} view
 * @param {TraceJSON} trace that the page shows until the first translation is there
 * @param {{ isLinked?: boolean, notices?: string[] }} [link] whether the view is that of a link, and remarks on it
 * @returns {State}
 */
export function firstState(view, trace, { isLinked = false, notices = [] } = {}) {
  const shown = {
    trace,
    model: view.model,
    text: view.text,
    how: howOf(view),
    key: isLinked ? null : requestKey(view),
    files: null,
    unedited: null,
  };
  return {
    ...NO_REMARKS,
    shown,
    isLinked,
    notices,
    model: { status: "opening", files: null },
    result: null,
    isSlow: false,
    sentences: {},
    begun: 0,
    view: isLinked ? view : { ...view, ...headIn(trace, view) },
    isEditing: view.edits.length > 0,
    ...NO_EDITS_BEFORE,
    byPieces: false,
    beside: {},
    number: null,
  };
}
