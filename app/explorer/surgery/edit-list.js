// The edits of a sentence, each with a way to its step and a button that removes it.

import { looksOf } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { readable } from "../../../attn_core/browser/player/core/pieces.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { useLayoutEffect, useRef } from "../../../attn_core/browser/vendor/hooks.js";
import { inWords } from "./edits.js";

/**
 * @import { Edit, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { RefObject } from "../../../attn_core/browser/vendor/preact.js"
 * @import { EditingAction } from "./types.d.ts"
 */

/**
 * @param {{ trace: TraceJSON, edits: Edit[], dispatch: (action: EditingAction) => void, otherwise:
 * RefObject<HTMLElement | null> }} props `otherwise`: gets the focus of the last button that is removed
 */
export function EditList({ trace, edits, dispatch, otherwise }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useFocusInside(list, otherwise);
  const { steps } = trace;
  const many = looksOf(trace).length > 1;
  const shown = readable(trace);
  const items = edits.map((edit) => {
    const late = "step" in edit && edit.step >= steps.length;
    const text = `${inWords(edit, shown, many)}${late ? ` (${t("not reached")})` : ""}`;
    const go = () => "step" in edit && dispatch({ type: "step chosen", step: Math.min(edit.step, steps.length - 1) });
    const remove = () => dispatch({ type: "edits set", edits: edits.filter((other) => other !== edit) });
    return html`<li>
      <button type="button" class="su-go" onClick=${go}>${text}</button>
      <button type="button" class="su-remove" aria-label=${t("Remove: {edit}", { edit: text })}
        onClick=${remove}>×</button>
    </li>`;
  });
  return html`<ul class="su-list" aria-label=${t("Edits")} ref=${list}>${items}</ul>`;
}

/**
 * If the button with the focus is removed from a list, the last one left gets it.
 * @param {RefObject<HTMLElement | null>} list
 * @param {RefObject<HTMLElement | null>} otherwise
 */
function useFocusInside(list, otherwise) {
  const focused = () => list.current?.matches(":focus-within");
  const before = focused();
  useLayoutEffect(() => {
    if (!before || focused()) return;
    const last = [.../** @type {HTMLElement} */ (list.current).querySelectorAll("button")].at(-1);
    (last ?? otherwise.current)?.focus({ preventScroll: true });
  });
}
