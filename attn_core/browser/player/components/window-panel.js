// The window of the translation, and sliders for its settings.

import { withChecked } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { WithSubscripts } from "../dom/parts.js";
import { useRef } from "../../vendor/hooks.js";
import { windowText } from "../core/interventions.js";
import { t } from "../core/messages.js";
import {
  factsOf,
  narrowWindow,
  GRID,
  isMovable,
  liveOf,
  rangeOf,
  relinked,
  isSame,
  valuesOf,
  withCenter,
  withLive,
} from "../core/settings.js";
import { Slider } from "./slider.js";
import { usePassedFocus } from "./use-passed-focus.js";

/**
 * @import { LiveSetting } from "../../engine/types.d.ts"
 * @import { Settings } from "../core/types.d.ts"
 * @import { Windows } from "../core/settings.js"
 *
 * @typedef {object} Props
 * @property {number} words how many the source has
 * @property {Settings} settings of the window
 * @property {Settings} trained
 * @property {Windows} windows
 * @property {boolean} hasSliders a recording has none
 * @property {boolean} canKeepStates whether words and states can be kept
 * @property {boolean} brief whether it is shown only if the window has sliders or is not the trained one
 * @property {number} step
 * @property {number} center p_t of the step
 * @property {number | null} lost the mass that the Gaussian removed; null: there is none
 * @property {(settings: Settings) => void} setWindow
 * @property {(keep: boolean) => void} onKeep
 */

/** @param {Props} props */
export function WindowPanel(props) {
  const { words, settings, trained, windows, hasSliders, canKeepStates, brief, step, center, lost } = props;
  const { setWindow, onKeep } = props;
  const canMove = hasSliders && isMovable(settings, windows);
  const canAdd =
    hasSliders && !canMove && Object.keys(windows).some((window) => isMovable({ ...settings, window }, windows));
  const description = windowText(settings, trained, windows);
  const isChanged = !isSame(settings, trained, windows);
  const resetButton = useRef(/** @type {HTMLElement | null} */ (null));
  const addButton = usePassedFocus(!canAdd, resetButton);
  const addWindow = () => {
    const window = isMovable(trained, windows) ? trained : narrowWindow(windows, words);
    if (window) setWindow(window);
  };
  const keepTitle = t("Change the window while the words and states stay those of the trained model");
  return html`<section class="ap-section ap-section-window" aria-label=${t("Window: centre, half-width and Gaussian")}
      hidden=${settings.window === null || (brief && !canMove && !isChanged)}>
    <h2 class="ap-title">${t("Window")}</h2>
    <p class=${`ap-fine ap-window-text${isChanged ? " ap-warn" : ""}`} hidden=${brief && !isChanged}
      title=${description}><${WithSubscripts} text=${description} /></p>
    <button type="button" class="ap-button" ref=${addButton} hidden=${!canAdd} onClick=${addWindow}>
      ${t("Add a window")}</button>
    ${
      canMove
        ? html`<${Sliders}
            ...${{ words, settings, trained, windows, step, center, isChanged, setWindow, resetButton }} />`
        : html`<div class="ap-knobs" hidden />`
    }
    <label class="ap-check ap-keep" title=${keepTitle} hidden=${brief || !canMove || !canKeepStates}>
      <input type="checkbox" checked=${settings.keep} onChange=${withChecked(onKeep)} />
      <span>${t("Keep words and states")}</span>
    </label>
    <div class="ap-lost" hidden=${lost === null}>
      <p class="ap-lost-text"><span>${t("mass removed by the Gaussian:")}</span>
        <strong class="ap-lost-value">${(lost ?? 0).toFixed(2)}</strong></p>
      <span class="ap-meter" aria-hidden="true">
        <span class="ap-meter-lost" style=${{ transform: `scaleX(${lost ?? 0})` }} /></span>
    </div>
  </section>`;
}

/**
 * A slider for p_t and for each live setting, with buttons for the window's own values.
 * @param {Pick<Props, "words" | "settings" | "trained" | "windows" | "step" | "center" | "setWindow"> & { isChanged:
 * boolean, resetButton: { current: HTMLElement | null } }} props
 */
function Sliders({ words, settings, trained, windows, step, center, isChanged, setWindow, resetButton }) {
  const live = liveOf(windows, settings.window);
  const values = valuesOf(settings, windows);
  const widest = Math.max(
    words - 1,
    1,
    ...liveOf(windows, trained.window)
      .filter(({ whole }) => whole)
      .map(({ name }) => trained.live[name] ?? 0),
  );
  const hasOwnCenter = settings.centers?.[step] === undefined; // p_t as the window computes it
  const resetCenterButton = usePassedFocus(hasOwnCenter, resetButton); // a slider would take the arrow keys
  /** @param {LiveSetting} setting */
  const linkButton = ({ name, symbol, unset }) =>
    html`<button key=${name} type="button" class="ap-button ap-link" title=${unset?.title ?? ""}
    aria-pressed=${settings.live[name] === null} onClick=${() => setWindow(relinked(settings, name, windows))}>
      ${unset?.label ?? t("{symbol}: default", { symbol })}</button>`;
  /** @param {number | null} next null: the window's own */
  const setCenter = (next) => setWindow(withCenter(settings, step, next));
  /** @param {LiveSetting} setting */
  const liveSlider = ({ name, ...setting }) =>
    html`<${Slider} key=${name} symbol=${setting.symbol} label=${labelOf(setting)}
    ...${rangeOf(setting, values[name], widest)}
    isOwn=${setting.nullable && settings.live[name] === null}
      onMove=${(/** @type {number} */ value) => setWindow(withLive(settings, name, value))} />`;
  return html`<div class="ap-knobs">
    <${Slider} symbol="p_{t}" label=${t("Centre p_t of this step")}
      title=${t("You can also drag its line in the figure")} step=${GRID} min=${0} max=${words} value=${center}
      text=${center.toFixed(2)} spoken=${t("position {place}", { place: center.toFixed(2) })} isOwn=${hasOwnCenter}
        hidden=${!factsOf(windows, settings.window)?.centered}
      onMove=${setCenter} />
    <div class="ap-sliders">${live.map(liveSlider)}</div>
    <div class="ap-knob-buttons">
      <span class="ap-links">${live.filter(({ nullable }) => nullable).map(linkButton)}</span>
      <button type="button" class="ap-button" ref=${resetCenterButton} aria-label=${t("Reset p_t")}
        title=${t("Set p_t of this step back to the window's own")} hidden=${hasOwnCenter}
        onClick=${() => setCenter(null)}><${WithSubscripts} text=${t("Reset p_{t}")} /></button>
      <button type="button" class="ap-button" ref=${resetButton}
        title=${t("Reset the window to the trained one")} aria-disabled=${!isChanged}
        onClick=${() => isChanged && setWindow(trained)}>${t("Reset")}</button>
    </div>
  </div>`;
}

/**
 * The label of a live setting's slider: its own, or the first part of its meaning.
 * @param {Pick<LiveSetting, "label" | "meaning">} setting
 */
function labelOf({ label, meaning }) {
  const [first] = meaning.split(";");
  return label || first.charAt(0).toUpperCase() + first.slice(1);
}
