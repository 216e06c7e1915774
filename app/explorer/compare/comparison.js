// The shown translation beside others: that of another model, of the same model with other settings, or those of all
// models that differ from it on one axis only.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { withValue } from "../../../attn_core/browser/player/dom/changes.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { PiecesSwitch } from "../../../attn_core/browser/player/components/heatmap.js";
import { Chip, GroupedOptions } from "../../../attn_core/browser/player/dom/parts.js";
import { useRef } from "../../../attn_core/browser/vendor/hooks.js";
import { Boards } from "./boards.js";

/**
 * @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Dispatch } from "../../../attn_core/browser/state/types.d.ts"
 * @import { Compared, ComparisonOption } from "./types.d.ts"
 *
 * @typedef {object} ComparisonProps
 * @property {string | null} problem why one of the translations failed
 * @property {boolean} several whether all models are compared that differ on one axis
 * @property {boolean} byPieces whether the maps are by word pieces, where some words are of several
 * @property {boolean} isEdited whether weights are set by hand, which are those of pieces
 * @property {number} step of the shown translation
 * @property {Theme} theme
 * @property {Dispatch} dispatch
 */

/** @param {Compared & ComparisonProps} props */
export function Comparison({ options, problem, several, byPieces, isEdited, step, theme, dispatch, ...latest }) {
  const last = useRef(latest); // stays while the next translations are made
  if (latest.boards) last.current = latest;
  if (problem) last.current = { boards: null, apart: "", apartTitle: "" };
  const { boards, apart, apartTitle } = last.current;
  return html`<section class="cp live" aria-label=${t("Comparison")}>
    <div class="cp-head">
      <${Chip} name=${t("Compare with")}><${OptionList} options=${options} dispatch=${dispatch} /><//>
      ${
        boards?.hasPieces &&
        html`
        <${PiecesSwitch} byPieces=${byPieces} canPaint=${isEdited}
        onPieces=${(/** @type {boolean} */ chosen) => dispatch({ type: "pieces chosen", byPieces: chosen })} />`
      }
      <p class="cp-apart" title=${apartTitle}>${apart}</p>
      ${
        !several &&
        html`<button type="button" class="live-button"
        onClick=${() => dispatch({ type: "sides swapped" })}>${t("Swap")}</button>`
      }
      <button type="button" class="live-button" onClick=${() => dispatch({ type: "comparison ended" })}>
        ${t("End comparison")}</button>
    </div>
    ${boards && html`<${Boards} boards=${boards} step=${step} theme=${theme} dispatch=${dispatch} />`}
    <p class="cp-said" role="status">${problem ?? boards?.summary}</p>
  </section>`;
}

/** @param {{ options: ComparisonOption[], dispatch: Dispatch }} props */
function OptionList({ options, dispatch }) {
  const choose = withValue((value) => {
    const option = options.find((each) => each.value === value);
    if (option) dispatch(option.action);
  });
  return html`<select aria-label=${t("Compare with")} value=${options.find(({ chosen }) => chosen)?.value}
    onChange=${choose}><${GroupedOptions} options=${options} /></select>`;
}
