// Types of the editing of a translation. Not part of any bundle.

import type { Edit, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts";
import type { Painted } from "../../../attn_core/browser/player/core/types.d.ts";
import type { EditedHead, Stroke } from "../../../attn_core/browser/state/editing.js";
import type { StepAndHead } from "../../../attn_core/browser/player/core/types.d.ts";

/** What a reader does with the controls. */
export type EditingAction =
  | { type: "edits set"; edits: Edit[] }
  | ({ type: "weights painted" } & Painted)
  | { type: "step chosen"; step: number }
  | { type: "edits undone" | "edits redone" | "editing ended" };

/**
 * `unedited`: the translation without the edits, null where there are none that fit. `stroke`: what was painted last.
 */
export interface EditingProps {
  trace: TraceJSON;
  unedited: TraceJSON | null;
  edits: Edit[];
  at: StepAndHead;
  stroke?: Stroke | null;
  canUndo: boolean;
  canRedo: boolean;
  dispatch(action: EditingAction): void;
}

/** Of the controls; `edited`: the heads that they change, null without attention. */
export interface ControlProps extends Pick<EditingProps, "trace" | "edits" | "dispatch"> {
  step: number;
  edited: EditedHead;
}
