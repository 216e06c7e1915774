// The elements around the picture of the Window lab: steps, sliders and buttons.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { NARROWEST } from "../../../attn_core/browser/player/core/settings.js";
import { radioGroup, el, iconButton, rangeInput } from "../../../attn_core/browser/player/dom/elements.js";
import { markStep, setDisabled } from "../../../attn_core/browser/player/dom/steps.js";
import { withSubscripts } from "../../../attn_core/browser/player/dom/symbols.js";
import { buildNumberDetails } from "../kit/number-table.js";

/** @import { Trace } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { AdjustedWindow, ModelWindow, SliderName, WindowView } from "./types.d.ts" */

let labCount = 0;

/**
 * The elements of the lab; those that are used later are returned by name.
 * @param {HTMLElement} picture
 * @param {HTMLElement[]} sections beside the picture, below the sliders
 */
export function buildWindowLab(picture, sections) {
  const words = el("div", { class: "ap-sentence wl-words", role: "group", "aria-label": t("Decoding steps") });
  const back = iconButton("back", t("Step back"), "ArrowLeft");
  const forward = iconButton("forward", t("Step forward"), "ArrowRight");
  const count = el("span", { class: "ap-count" });
  const { root: table, body: tableBody } = buildNumberDetails();
  const live = el("div", { class: "ap-hidden", "aria-live": "polite" });
  const { section, ...controls } = buildControls(`wl${++labCount}`);
  const frame = el(
    "div",
    {
      class: "ap wl",
      role: "group",
      tabindex: "0",
      "aria-label": t("Adjustable window"),
      "aria-keyshortcuts": "ArrowLeft ArrowRight",
    },
    el("div", { class: "ap-head" }, words, el("div", { class: "ap-line" }, back, count, forward)),
    el("div", { class: "ap-body" }, picture, el("div", { class: "ap-side" }, section, ...sections)),
    table,
    live,
  );
  const root = el("div", { class: "ap-root wl-root" }, frame);
  return { root, words, back, forward, count, table, tableBody, live, frame, ...controls };
}

/** @typedef {ReturnType<typeof buildWindowLab>} WindowUi */

/** @param {string} id of the lab, in the names of its fields */
function buildControls(id) {
  /** @type {[name: SliderName, symbol: string, label: string, step: number][]} */
  const rows = [
    ["center", "p", t("Centre p_t, a position in the sentence"), 0.01],
    ["halfWidth", "D", t("Half-width D in words"), 1],
    ["sigma", "σ", t("Sigma of the Gaussian in words"), 0.05],
  ];
  const sliders = /** @type {Record<SliderName, HTMLInputElement>} */ ({});
  const values = /** @type {Record<SliderName, HTMLElement>} */ ({});
  const lines = rows.map(([name, symbol, label, step]) => {
    sliders[name] = rangeInput(label, { class: "ap-knob", step, min: name === "sigma" ? NARROWEST : 0 });
    values[name] = el("output", { class: "ap-value" });
    const sign = el("span", { class: "ap-symbol" }, symbol, ...(name === "center" ? [el("sub", { text: "t" })] : []));
    return el("div", { class: "ap-knob-row" }, sign, sliders[name], values[name]);
  });
  const note = el("p", { class: "ap-note wl-note" });
  const link = el("button", {
    type: "button",
    class: "ap-button ap-link",
    text: "σ = D / 2",
    title: t("Link σ to D / 2, as in the paper"),
  });
  const reset = el("button", { type: "button", class: "ap-button", text: t("Reset") });
  const rule = radioGroup(`${id}-rule`, t("Centre of the window"), [
    ["floor", t("⌊pₜ⌋ ± D (pₜ rounded down)")],
    ["real", "|s − pₜ| ≤ D"],
  ]);
  const section = el(
    "section",
    { class: "ap-section", "aria-label": t("Window") },
    el("h3", { class: "ap-title", text: t("Window") }),
    note,
    ...lines,
    el("div", { class: "ap-knob-buttons" }, link, reset),
    el("div", { class: "wl-rule" }, rule),
  );
  return { section, sliders, values, note, link, reset, rule };
}

/**
 * Mark the current step.
 * @param {WindowUi} ui
 * @param {number} step
 * @param {number} steps
 */
export function showStep(ui, step, steps) {
  markStep(ui.words, step);
  ui.count.textContent = t("step {n} of {all}", { n: step + 1, all: steps });
  setDisabled(ui.back, step <= 0);
  setDisabled(ui.forward, step >= steps - 1);
}

/**
 * Show the adjusted window in sliders and buttons.
 * @param {WindowUi} ui
 * @param {AdjustedWindow} adjusted
 * @param {ModelWindow} modelWindow
 * @param {boolean} linked whether sigma is D / 2
 * @param {number} length of the sentence
 */
export function showWindow(ui, adjusted, modelWindow, linked, length) {
  const { center, halfWidth, sigma } = ui.sliders;
  const widest = Math.max(length - 1, modelWindow.halfWidth, 1);
  center.max = String(length);
  halfWidth.max = String(widest);
  sigma.max = String(Math.max(5, Math.ceil(widest / 2)));
  center.value = String(adjusted.center);
  halfWidth.value = String(adjusted.halfWidth);
  sigma.value = String(adjusted.sigma);
  ui.values.center.textContent = adjusted.center.toFixed(2);
  ui.values.halfWidth.textContent = String(adjusted.halfWidth);
  ui.values.sigma.textContent = String(Number(adjusted.sigma.toFixed(2)));
  sigma.classList.toggle("ap-linked", linked);
  ui.link.setAttribute("aria-pressed", String(linked));
  for (const radio of ui.rule.querySelectorAll("input")) radio.checked = radio.value === adjusted.rule;
  ui.reset.title = modelWindow.isReplacement ? "" : t("Reset p_t, D and σ to the model's own");
}

/**
 * State the model's own p_t at this step, and the reader's.
 * @param {WindowUi} ui
 * @param {Trace} trace
 * @param {WindowView} view
 */
export function showOrigin(ui, { model, settings }, { modelWindow, adjusted, isMoved }) {
  ui.frame.classList.toggle("wl-moved", isMoved);
  const trained = t("{model} was trained with window {window}", { model, window: String(settings.window) });
  const origin = modelWindow.isReplacement
    ? t("{trained}; the p_{t} here is that of local-m.", { trained })
    : t("The model's p_{t} is {center}.", { center: modelWindow.center.toFixed(2) });
  const change = isMoved
    ? t("Yours is {center}. The scores are the model's.", { center: adjusted.center.toFixed(2) })
    : t("Drag p_{t}, D or σ.");
  ui.note.replaceChildren(...withSubscripts(`${origin} ${change}`));
}
