// The window of the translation, and sliders for what readers can move of it.

import { withChecked } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { Lowered } from "../dom/parts.js";
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
 * @property {number} words of the source
 * @property {Settings} now
 * @property {Settings} trained
 * @property {Windows} windows
 * @property {boolean} decodes whether there are sliders; a recording has none
 * @property {boolean} keeps whether words and states can be kept
 * @property {boolean} brief whether it is there only for a window whose sliders readers can move
 * @property {number} step
 * @property {number} place p_t of the step
 * @property {number | null} lost the mass that the Gaussian removed; null: there is none
 * @property {(settings: Settings) => void} choose
 * @property {(keep: boolean) => void} keep
 */

/** @param {Props} props */
export function WindowPanel({ words, now, trained, windows, decodes, keeps, brief, step, place, lost, choose, keep }) {
  const movable = decodes && isMovable(now, windows);
  const offered = decodes && Object.keys(windows).some((window) => isMovable({ ...now, window }, windows));
  const description = windowText(now, trained, windows);
  const departs = !isSame(now, trained, windows);
  const reset = useRef(/** @type {HTMLElement | null} */ (null));
  const add = usePassedFocus(movable || !offered, reset);
  const give = () => {
    const window = isMovable(trained, windows) ? trained : narrowWindow(windows, words);
    if (window) choose(window);
  };
  const keepTitle = t("Change the window while the words and states stay those of the trained model");
  return html`<section class="ap-section ap-section-window" aria-label=${t("Window: centre, half-width and Gaussian")}
      hidden=${now.window === null || (brief && !movable && !departs)}>
    <h2 class="ap-title">${t("Window")}</h2>
    <p class=${`ap-fine ap-window-text${departs ? " ap-warn" : ""}`} hidden=${brief && !departs} title=${description}>
      <${Lowered} text=${description} /></p>
    <button type="button" class="ap-button" ref=${add} hidden=${movable || !offered} onClick=${give}>
      ${t("Add a window")}</button>
    ${
      movable
        ? html`<${Sliders} ...${{ words, now, trained, windows, step, place, departs, choose, reset }} />`
        : html`<div class="ap-knobs" hidden />`
    }
    <label class="ap-check ap-keep" title=${keepTitle} hidden=${brief || !movable || !keeps}>
      <input type="checkbox" checked=${now.keep} onChange=${withChecked(keep)} />
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
 * @param {Pick<Props, "words" | "now" | "trained" | "windows" | "step" | "place" | "choose"> & { departs: boolean,
 * reset: { current: HTMLElement | null } }} props
 */
function Sliders({ words, now, trained, windows, step, place, departs, choose, reset }) {
  const live = liveOf(windows, now.window);
  const values = valuesOf(now, windows);
  const widest = Math.max(
    words - 1,
    1,
    ...liveOf(windows, trained.window)
      .filter(({ whole }) => whole)
      .map(({ name }) => trained.live[name] ?? 0),
  );
  const isModels = now.centers?.[step] === undefined; // p_t
  const resetCenter = usePassedFocus(isModels, reset); // no slider, which would take the arrow keys
  /** @param {LiveSetting} setting */
  const link = ({ name, symbol, unset }) =>
    html`<button key=${name} type="button" class="ap-button ap-link" title=${unset?.title ?? ""}
    aria-pressed=${now.live[name] === null} onClick=${() => choose(relinked(now, name, windows))}>
      ${unset?.label ?? t("{symbol}: default", { symbol })}</button>`;
  /** @param {number | null} at */
  const move = (at) => choose(withCenter(now, step, at));
  /** @param {LiveSetting} setting */
  const slider = ({ name, ...setting }) =>
    html`<${Slider} key=${name} symbol=${setting.symbol} label=${labelOf(setting)}
    ...${rangeOf(setting, values[name], widest)}
    linked=${setting.nullable && now.live[name] === null}
      onMove=${(/** @type {number} */ value) => choose(withLive(now, name, value))} />`;
  return html`<div class="ap-knobs">
    <${Slider} symbol="p_{t}" label=${t("Centre p_t of this step")}
      title=${t("You can also drag its line in the figure")} step=${GRID} min=${0} max=${words} value=${place}
      text=${place.toFixed(2)} spoken=${t("position {place}", { place: place.toFixed(2) })} linked=${isModels}
        hidden=${!factsOf(windows, now.window)?.centered}
      onMove=${move} />
    <div class="ap-sliders">${live.map(slider)}</div>
    <div class="ap-knob-buttons">
      <span class="ap-links">${live.filter(({ nullable }) => nullable).map(link)}</span>
      <button type="button" class="ap-button" ref=${resetCenter} aria-label=${t("Reset p_t")}
        title=${t("Set p_t of this step back to the window's own")} hidden=${isModels}
        onClick=${() => move(null)}><${Lowered} text=${t("Reset p_{t}")} /></button>
      <button type="button" class="ap-button" ref=${reset}
        title=${t("Reset the window to the trained one")} aria-disabled=${!departs}
        onClick=${() => departs && choose(trained)}>${t("Reset")}</button>
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
