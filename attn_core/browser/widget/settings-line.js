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
 * @property {string} model the name of the chosen one
 * @property {boolean} [brief] whether only `first` is shown
 * @property {ComponentChildren} [first] the page's settings that are always visible. A button shows the others; without
 * `first`, all are visible
 * @property {ComponentChildren} [more] the page's rare settings
 * @property {ComponentChildren} card about the model
 * @property {boolean} isUnfolded whether a rare setting has another value than usual
 * @property {[type: string, name: string][]} types attention types that the model can be run with
 * @property {string} type
 * @property {string | null} trainedType
 * @property {boolean} canSample
 * @property {number} beam
 * @property {boolean} unk whether unknown words are replaced
 * @property {boolean} hasUnknown whether the translation has unknown words
 * @property {Menu} menu of the models
 * @property {Dispatch} dispatch
 *
 * @typedef {{ current: HTMLSelectElement | null }} Menu
 * @typedef {{ className: string, menu: Menu | null }} RareProps the class of a chip that may be folded; `menu`: a ref
 * to its menu
 */

/** @param {SettingsLineProps} props */
export function SettingsLine({ brief = false, first, more, card, isUnfolded, menu, ...settings }) {
  const [isOpen, setOpen] = useState(false);
  const isByKeyboard = useRef(false);
  const firstRare = /** @type {Menu} */ (useRef(null));
  const isShown = isOpen || isUnfolded || !first;
  const className = isShown ? "" : "live-folded";
  useEffect(() => {
    if (isUnfolded) setOpen(true); // and stays open
  }, [isUnfolded]);
  useEffect(() => {
    if (isByKeyboard.current) firstRare.current?.focus();
  }, [isOpen]); // the button that had the focus is gone
  const unfold = (/** @type {MouseEvent} */ { detail }) => {
    isByKeyboard.current = detail === 0;
    setOpen(true);
  };
  if (brief) return html`<div class="live-chips live-brief">${first}</div>`;
  const hasTypes = settings.types.length > 1;
  return html`<div class="live-chips">
    ${settings.models.length > 1 && html`<${ModelChip} ...${settings} menu=${menu} />`}
    ${first}
    <${TypeChip} ...${settings} className=${className} menu=${hasTypes ? firstRare : null} />
    <${BeamChip} ...${settings} className=${className} menu=${hasTypes ? null : firstRare} />
    <div class=${className || "live-more"}>${more}</div>
    <${UnknownChip} ...${settings} />
    ${!isShown && html`<button type="button" class="live-button" onClick=${unfold}>${t("More settings")}</button>`}
    ${card}
  </div>`;
}

/** @param {Pick<SettingsLineProps, "models" | "model" | "menu" | "dispatch">} props */
function ModelChip({ models, model, menu, dispatch }) {
  const options = models.map(({ name, group }) => ({ value: name, text: name, group }));
  const choose = withValue((name) => dispatch({ type: "model chosen", model: name }));
  return html`<${Chip} name=${t("Model")}>
    <select aria-label=${t("Model")} ref=${menu} value=${model} onChange=${choose}>
      <${GroupedOptions} options=${options} />
    </select>
  <//>`;
}

/**
 * The attention type, and the button that draws another sample.
 * @param {Pick<SettingsLineProps, "types" | "type" | "trainedType" | "canSample" | "dispatch"> & RareProps} props
 */
function TypeChip({ types, type, trainedType, canSample, className, menu, dispatch }) {
  const title = t(
    "How the context vector is computed: as the weighted sum of all encoder states (soft), or from a " +
      "single state: the one with the largest weight (argmax) or one sampled from the weights. The model is not " +
      "retrained.",
  );
  const choose = withValue((attention) =>
    dispatch({ type: "attention type chosen", attention: attention === trainedType ? null : attention }),
  );
  return html`<${Chip} name=${t("Type")} className=${className} hidden=${types.length < 2} title=${title}>
    <select aria-label=${t("Attention type")} ref=${menu} value=${type} onChange=${choose}>
      ${types.map(([value, name]) => html`<option value=${value} selected=${value === type}>${name}</option>`)}
    </select>
  <//>
  <button type="button" class="live-button ${className}" hidden=${!canSample}
    onClick=${() => dispatch({ type: "sample drawn" })}>${t("Sample again")}</button>`;
}

/** @param {Pick<SettingsLineProps, "beam" | "dispatch"> & RareProps} props */
function BeamChip({ beam, className, menu, dispatch }) {
  const title = t(
    "Greedy search takes the most probable word at each step. A beam of k keeps the k most probable partial " +
      "translations.",
  );
  const choose = withValue((width) => dispatch({ type: "search chosen", beam: Number(width) }));
  const optionOf = (/** @type {number} */ width) => html`<option value=${width} selected=${width === beam}>
    ${width === 1 ? t("1 (greedy)") : width}</option>`;
  return html`<${Chip} name=${t("Beam")} className=${className} title=${title}>
    <select aria-label=${t("Beam")} ref=${menu} value=${String(beam)} onChange=${choose}>
      ${[...new Set([...BEAMS, beam])].map(optionOf)}
    </select>
  <//>`;
}

/** @param {Pick<SettingsLineProps, "unk" | "hasUnknown" | "dispatch">} props */
function UnknownChip({ unk, hasUnknown, dispatch }) {
  const title = t(
    "Replace each unknown word (<unk>) in the translation with the source word that has the largest " +
      "attention weight.",
  );
  const choose = withChecked((replaces) => dispatch({ type: "search chosen", unk: replaces }));
  return html`<${Chip} name=${t("Replace <unk>")} hidden=${!hasUnknown && !unk} title=${title}>
    <input type="checkbox" aria-label=${t("Replace <unk>")} checked=${unk} onChange=${choose} />
  <//>`;
}
