// The settings of a translation in one line: the model, its attention type, the search.

import { BEAMS } from "../engine/limits.js";
import { t } from "../player/core/messages.js";
import { withChecked, withValue } from "../player/dom/changes.js";
import { html } from "../player/dom/html.js";
import { Chip, GroupedOptions } from "../player/dom/parts.js";
import { useEffect, useRef, useState } from "../vendor/hooks.js";

/**
 * @import { Offered } from "../hosts/types.d.ts"
 * @import { Dispatch } from "../state/types.d.ts"
 * @typedef {import("../vendor/preact.js").ComponentChildren} ComponentChildren
 *
 * @typedef {object} SettingsLineProps
 * @property {Offered[]} models those of the menu
 * @property {string} model
 * @property {boolean} [brief] whether there are only those of `first`
 * @property {ComponentChildren} first settings before the rare ones, which a button shows; without it all are always
 * visible
 * @property {ComponentChildren} more rare settings of the page
 * @property {ComponentChildren} card about the model
 * @property {boolean} isUnfolded whether a rare setting is not as usual
 * @property {[type: string, name: string][]} types attention types that the model can be run with
 * @property {string} type
 * @property {string | null} trainedType
 * @property {boolean} canSample
 * @property {number} beam
 * @property {boolean} unk whether unknown words are replaced
 * @property {boolean} hasUnknown whether the translation has unknown words
 * @property {{ current: HTMLSelectElement | null }} menu of the models
 * @property {Dispatch} dispatch
 */

/** @param {SettingsLineProps} props */
export function SettingsLine({
  brief = false,
  models,
  model,
  first,
  more,
  card,
  isUnfolded,
  types,
  type,
  trainedType,
  canSample,
  beam,
  unk,
  hasUnknown,
  menu,
  dispatch,
}) {
  const [isOpen, setOpen] = useState(false);
  const isByKeyboard = useRef(false);
  const firstRare = /** @type {{ current: HTMLSelectElement | null }} */ (useRef(null));
  const isShown = isOpen || isUnfolded || !first;
  const kind = isShown ? "" : "live-folded";
  useEffect(() => {
    if (isUnfolded) setOpen(true);
  }, [isUnfolded]); // and it stays so
  useEffect(() => {
    if (isByKeyboard.current) firstRare.current?.focus();
  }, [isOpen]); // the button that had the focus is gone
  const unfold = (/** @type {MouseEvent} */ { detail }) => {
    isByKeyboard.current = detail === 0;
    setOpen(true);
  };
  if (brief) return html`<div class="live-chips live-brief">${first}</div>`;
  return html`<div class="live-chips">
    ${
      models.length > 1 &&
      html`<${Chip} name=${t("Model")}>
      <select aria-label=${t("Model")} ref=${menu} value=${model} onChange=${withValue((name) =>
        dispatch({ type: "model chosen", model: name }),
      )}>
        <${GroupedOptions} options=${models.map(({ name, group }) => ({ value: name, text: name, group }))} />
      </select>
    <//>`
    }
    ${first}
    <${Chip} name=${t("Type")} kind=${kind} hidden=${types.length < 2}
      title=${t(
        "How the context vector is computed: as the weighted sum of all encoder states (soft), or from a " +
          "single state: the one with the largest weight (argmax) or one sampled from the weights. The model is not " +
          "retrained.",
      )}>
      <select aria-label=${t("Attention type")} ref=${types.length > 1 ? firstRare : null} value=${type}
        onChange=${withValue((attention) =>
          dispatch({ type: "attention type chosen", attention: attention === trainedType ? null : attention }),
        )}>
        ${types.map(([value, name]) => html`<option value=${value} selected=${value === type}>${name}</option>`)}
      </select>
    <//>
    <button type="button" class="live-button ${kind}" hidden=${!canSample}
      onClick=${() => dispatch({ type: "sample drawn" })}>${t("Sample again")}</button>
    <${Chip} name=${t("Beam")} kind=${kind} title=${t(
      "Greedy search takes the most probable word at each step. A " +
        "beam of k keeps the k most probable partial translations.",
    )}>
      <select aria-label=${t("Beam")} ref=${types.length > 1 ? null : firstRare} value=${String(beam)}
        onChange=${withValue((width) => dispatch({ type: "search chosen", beam: Number(width) }))}>
        ${[...new Set([...BEAMS, beam])].map(
          (width) => html`<option value=${width} selected=${width === beam}>
          ${width === 1 ? t("1 (greedy)") : width}</option>`,
        )}
      </select>
    <//>
    <div class=${kind || "live-more"}>${more}</div>
    <${Chip} name=${t("Replace <unk>")} hidden=${!hasUnknown && !unk}
      title=${t(
        "Replace each unknown word (<unk>) in the translation with the source word that has the largest " +
          "attention weight.",
      )}>
      <input type="checkbox" aria-label=${t("Replace <unk>")} checked=${unk}
        onChange=${withChecked((replaces) => dispatch({ type: "search chosen", unk: replaces }))} />
    <//>
    ${!isShown && html`<button type="button" class="live-button" onClick=${unfold}>${t("More settings")}</button>`}
    ${card}
  </div>`;
}
