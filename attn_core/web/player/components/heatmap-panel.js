// What the heatmap shows, and its colours.

import { withChecked } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { useMemo } from "../../vendor/hooks.js";
import { heat } from "../core/heat.js";
import { t } from "../core/messages.js";

/**
 * @import { Choices, View } from "../core/types.d.ts"
 *
 * @typedef {object} Props
 * @property {View} view
 * @property {boolean | null} eos whether the row of </s> is shown; null: there is none
 * @property {boolean} later whether there are later steps
 * @property {(heat: Choices["heat"]) => void} onHeat
 * @property {(eos: boolean) => void} onEos
 */

/** @param {Props} props */
export function HeatmapPanel({ view: { rows, map, onlyOne, theme, look }, eos, later, onHeat, onEos }) {
  const name = useMemo(() => `heat-${Math.random()}`, []); // of this player's radio buttons
  /** @param {Choices["heat"]} value @param {string} text */
  const choice = (value, text) => html`<label class="ap-choice">
    <input type="radio" name=${name} value=${value} checked=${look.heat === value} onChange=${() => onHeat(value)} /><span>${text}</span>
  </label>`;
  return html`<section class="ap-section ap-section-view" aria-label=${t("View")} hidden=${!rows.length || !map}>
    <h2 class="ap-title">${t("Heatmap")}</h2>
    <div class="ap-view">
      <div class="ap-choices" role="radiogroup" aria-label=${t("Heatmap shows")} title=${t("Alignment: before the Gaussian is applied; weights: after it")} hidden=${onlyOne}>
        ${choice("weights", t("weights"))}${choice("alignment", t("alignment"))}
      </div>
      <label class="ap-check" title=${t("Show the last step, in which the model writes </s>, the end of the sentence")} hidden=${eos === null}>
        <input type="checkbox" checked=${eos !== false} onChange=${withChecked(onEos)} />
        <span>${t("</s> row")}</span>
      </label>
    </div>
    <div class="ap-legend" aria-hidden="true"><span>0</span><span class="ap-ramp" style=${{ background: heat(theme).stops }} /><span>${look.scale}</span></div>
    <p class="ap-fine ap-later" hidden=${!later}><span aria-hidden="true" />${t("small squares: later steps")}</p>
  </section>`;
}
