// Sliders: one for each live setting of the window on show, with a button for one that may be the window's own default.

import { liveOf, NARROWEST, valuesOf } from "../core/settings.js";
import { t } from "../core/messages.js";
import { el, slider } from "./elements.js";
import { onClick } from "./steps.js";
import { lowered } from "./symbols.js";

/**
 * @import { LiveSetting } from "../../engine/types.d.ts"
 * @import { Acts, Settings } from "../core/types.d.ts"
 * @import { Windows } from "../core/settings.js"
 * @import { Ui } from "./types.d.ts"
 *
 * @typedef {object} Knob
 * @property {LiveSetting} setting
 * @property {HTMLInputElement} input
 * @property {HTMLElement} value
 * @property {HTMLButtonElement} link sets it to the window's own default
 * @property {() => void} stop
 */

const KEYBOARD_SETTLES = 350; // ms after the last arrow key on a slider, so that holding a key is one change
const STEP = 0.05; // of a setting that is no whole number
const WIDE = 5; // the least end of its slider

/**
 * A slider that calls `set` while it moves, and settles once, when it is released. Returns a function that stops its timer.
 * @param {HTMLInputElement} knob
 * @param {(value: number) => void} set
 * @param {Acts} act
 */
export function wireKnob(knob, set, act) {
  let timer = 0;
  let held = false;
  const letGo = () => {
    clearTimeout(timer);
    timer = 0;
    held = false;
    act.busy(false);
    act.settle();
  };
  knob.addEventListener("pointerdown", () => {
    held = true;
    act.busy(true);
  });
  knob.addEventListener("input", () => {
    act.busy(true);
    set(Number(knob.value));
  });
  knob.addEventListener("change", () => {
    clearTimeout(timer);
    if (held) letGo();
    else timer = setTimeout(letGo, KEYBOARD_SETTLES);
  });
  // A slider released where it was grabbed fires no change event; otherwise `change` precedes this.
  const up = () => setTimeout(() => held && letGo());
  knob.addEventListener("pointerup", up);
  knob.addEventListener("pointercancel", up);
  return () => clearTimeout(timer);
}

/**
 * The sliders of the window on show; they are built again where it has other live settings.
 * @param {Ui} ui
 * @param {Acts} act
 */
export function liveKnobs(ui, act) {
  let shown = "";
  /** @type {Knob[]} */
  let knobs = [];
  const stop = () => { for (const knob of knobs) knob.stop(); };
  return {
    stop,
    /**
     * @param {Settings} now
     * @param {Windows} windows
     * @param {number} widest the largest number of words that is offered
     */
    show(now, windows, widest) {
      const live = liveOf(windows, now.window);
      const key = JSON.stringify(live);
      if (key !== shown) {
        stop();
        shown = key;
        knobs = live.map((setting) => buildKnob(setting, act));
        ui.sliders.replaceChildren(...knobs.map(({ setting, input, value }) => (
          el("div", { class: "ap-knob-row" }, el("span", { class: "ap-symbol" }, ...lowered(setting.symbol)), input, value))));
        ui.links.replaceChildren(...knobs.filter(({ setting }) => setting.nullable).map(({ link }) => link));
      }
      const values = valuesOf(now, windows);
      for (const knob of knobs) showKnob(knob, values[knob.setting.name], now.live[knob.setting.name] === null, widest);
    },
  };
}

/** @param {LiveSetting} setting @param {Acts} act @returns {Knob} */
function buildKnob(setting, act) {
  const { name, whole, least, unset } = setting;
  const input = slider(labelOf(setting), { class: "ap-knob", step: whole ? 1 : STEP, min: whole ? least ?? 0 : Math.max(least ?? 0, NARROWEST) });
  const link = el("button", { type: "button", class: "ap-button ap-link", text: unset?.label ?? t("{symbol}: default", { symbol: setting.symbol }), title: unset?.title ?? "" });
  onClick(link, () => act.link(name));
  return { setting, input, link, value: el("output", { class: "ap-value" }), stop: wireKnob(input, (value) => act.live(name, value), act) };
}

/** The label of a live setting's slider: its own, or the first part of its meaning. @param {LiveSetting} setting */
function labelOf({ label, meaning }) {
  const [first] = meaning.split(";");
  return label || first.charAt(0).toUpperCase() + first.slice(1);
}

/**
 * @param {Knob} knob
 * @param {number | null} value in force
 * @param {boolean} linked whether it is the window's own default
 * @param {number} widest
 */
function showKnob({ setting: { whole, nullable, most }, input, value: output, link }, value, linked, widest) {
  const end = whole ? Math.max(widest, value ?? 0) : Math.max(WIDE, Math.ceil(widest / 2), Math.ceil(value ?? 0));
  const text = value === null ? t("none") : String(Number(value.toFixed(2)));
  input.max = String(Math.min(end, most ?? end));
  input.value = value === null ? input.max : String(value); // where a Gaussian, for example, would change nothing
  input.setAttribute("aria-valuetext", text);
  input.classList.toggle("ap-linked", nullable && linked);
  output.textContent = text;
  link.setAttribute("aria-pressed", String(linked));
}
