// The maps of a translation before and after its edits.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { useMemo } from "../../../attn_core/browser/vendor/hooks.js";
import { Boards } from "../compare/boards.js";
import { beforeAndAfter } from "./compared.js";

/**
 * @import { Edit, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Dispatch } from "../../../attn_core/browser/state/types.d.ts"
 * @import { StepAndHead } from "../../../attn_core/browser/player/core/types.d.ts"
 */

/**
 * @param {{ trace: TraceJSON, unedited: TraceJSON, edits: Edit[], at: StepAndHead, theme: Theme, dispatch: Dispatch
 * }} props
 */
export function EditedMaps({ trace, unedited, edits, at, theme, dispatch }) {
  const compared = useMemo(
    () => beforeAndAfter(trace, unedited, edits, at),
    [trace, unedited, edits.length, at.layer, at.head],
  );
  return html`<section class="su-maps" aria-label=${t("Before and after the edits")}>
    <h2 class="ap-title">${t("Before and after the edits")}</h2>
    <${Boards} boards=${compared} step=${at.step} theme=${theme} dispatch=${dispatch} />
    <p class="cp-said">${compared.summary}</p>
  </section>`;
}
