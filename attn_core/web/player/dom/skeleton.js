// The player's elements, created once; those that change later are stored by name.

import { lowered } from "./symbols.js";
import { t } from "../core/messages.js";
import { choice, el, iconButton, slider } from "./elements.js";
import { buildSteps } from "./steps.js";

/** @import { Ui } from "./types.d.ts" */

const SPEEDS = [0.5, 1, 2, 4];
let count = 0;

/**
 * Build the player inside `root`; returns the elements that change later, by name.
 * @param {HTMLElement} root
 * @returns {Ui}
 */
export function build(root) {
  const id = `ap${++count}`;
  const ui = /** @type {Ui} */ ({});
  ui.root = el("div", { class: "ap-root" });
  ui.sentence = el("div", { class: "ap-sentence", role: "group", "aria-label": t("Words produced so far") });
  ui.count = el("span", { class: "ap-count" });
  ui.badge = el("span", { class: "ap-badge", role: "status", "aria-label": t("Source of the numbers") });
  ui.note = el("span", { class: "ap-note" });
  ui.model = el("span", { class: "ap-model" });
  ui.intervention = el("span", { class: "ap-intervention" });
  buildSteps(ui);
  ui.speed = el(
    "select", { class: "ap-select", "aria-label": t("Speed"), title: t("Speed") },
    ...SPEEDS.map((speed) => el("option", { value: speed, text: `${speed}×`, selected: speed === 1 })),
  );
  ui.present = iconButton("present", t("Presenter view"), "F");
  ui.present.classList.add("ap-present");
  ui.present.append(el("span", { class: "ap-present-word", text: t("Present") }));
  const top = el(
    "div", { class: "ap-top" }, el("div", { class: "ap-buttons" }, ui.first, ui.back, ui.play, ui.forward, ui.last), ui.sentence,
    el("div", { class: "ap-status" }, el("div", { class: "ap-line" }, ui.count, ui.badge), ui.model, ui.note), ui.speed, ui.present, ui.scrub, ui.intervention,
  );
  const looks = buildLooks(ui);
  ui.gutter = el("canvas", { class: "ap-gutter", "aria-hidden": "true" });
  ui.bars = el("canvas", { class: "ap-bars" });
  ui.map = el("canvas", { class: "ap-map" });
  ui.row = el("div", { class: "ap-row", hidden: true });
  ui.plot = el("div", { class: "ap-plot", role: "img" }, ui.bars, ui.map, ui.row);
  ui.scroll = el("div", { class: "ap-scroll" }, ui.plot);
  ui.tip = el("div", { class: "ap-tip", role: "tooltip", hidden: true });
  ui.vectorNote = el("p", {
    class: "ap-vector-note", text: t("This model has no attention: one fixed-length vector represents the sentence."), hidden: true,
  });
  ui.plots = el("div", { class: "ap-plots" }, ui.gutter, ui.scroll);
  ui.stage = el("div", { class: "ap-stage" }, ui.vectorNote, ui.plots, ui.tip);
  const side = el("div", { class: "ap-side" }, buildWindow(ui), buildNext(ui), buildView(ui, id));
  ui.tableBody = el("div", { class: "ap-table" });
  ui.table = el("details", { class: "ap-details" }, el("summary", { text: t("Numbers as tables") }), ui.tableBody);
  ui.live = el("div", { class: "ap-hidden", "aria-live": "polite" });
  ui.frame = el(
    "div",
    { class: "ap", role: "group", tabindex: "0", "aria-label": t("Attention, step by step"), "aria-keyshortcuts": "Space ArrowLeft ArrowRight Home End F" },
    top, looks, el("div", { class: "ap-body" }, ui.stage, side), ui.table, ui.live,
  );
  ui.root.append(ui.frame);
  root.append(ui.root);
  return ui;
}

/**
 * The choice of a layer and head, for models with several heads.
 * @param {Ui} ui
 */
function buildLooks(ui) {
  ui.look = el("select", { class: "ap-select", "aria-label": t("Layer and head") });
  ui.lookNote = el("span", { class: "ap-looks-note" });
  ui.looks = el("div", { class: "ap-looks" }, el("span", { class: "ap-looks-name", text: t("Layer and head") }), ui.look, ui.lookNote);
  return ui.looks;
}

/** @param {Ui} ui */
function buildNext(ui) {
  ui.next = el("div", { class: "ap-next" });
  ui.nextSection = el(
    "section", { class: "ap-section ap-section-next", "aria-label": t("Next word") },
    el("h2", { class: "ap-title", text: t("Next word") }), ui.next,
  );
  return ui.nextSection;
}

/** @param {Ui} ui */
function buildWindow(ui) {
  ui.windowText = el("p", { class: "ap-fine ap-window-text" });
  ui.give = el("button", { type: "button", class: "ap-button", text: t("Add a window") });
  ui.centerValue = el("output", { class: "ap-value" });
  ui.center = slider(t("Centre p_t of this step"), { title: t("You can also drag its line in the figure"), class: "ap-knob", step: 0.05, min: 0 });
  ui.ownCenter = el("button", { type: "button", class: "ap-button", "aria-label": t("Reset p_t"), title: t("Set p_t of this step back to the window's own") }, ...lowered(t("Reset p_{t}")));
  ui.centerRow = el("div", { class: "ap-knob-row" }, el("span", { class: "ap-symbol" }, ...lowered("p_{t}")), ui.center, ui.centerValue);
  ui.sliders = el("div", { class: "ap-sliders" }); // a row for each live setting of the window: see knobs.js
  ui.links = el("span", { class: "ap-links" });
  ui.trained = el("button", { type: "button", class: "ap-button", text: t("Reset"), title: t("Reset the window to the trained one") });
  ui.keepBox = el("input", { type: "checkbox" });
  ui.keep = el(
    "label", { class: "ap-check ap-keep", title: t("Change the window while the words and states stay those of the trained model") },
    ui.keepBox, el("span", { text: t("Keep words and states") }),
  );
  ui.lost = el("strong", { class: "ap-lost-value" });
  ui.lostBar = el("span", { class: "ap-meter-lost" });
  ui.lostLine = el(
    "div", { class: "ap-lost" },
    el("p", { class: "ap-lost-text" }, el("span", { text: t("mass removed by the Gaussian:") }), " ", ui.lost),
    el("span", { class: "ap-meter", "aria-hidden": "true" }, ui.lostBar),
  );
  ui.knobs = el(
    "div", { class: "ap-knobs" },
    ui.centerRow, ui.sliders, el("div", { class: "ap-knob-buttons" }, ui.links, ui.ownCenter, ui.trained),
  );
  ui.windowSection = el(
    "section", { class: "ap-section ap-section-window", "aria-label": t("Window: centre, half-width and Gaussian") },
    el("h2", { class: "ap-title", text: t("Window") }), ui.windowText, ui.give, ui.knobs, ui.keep, ui.lostLine,
  );
  return ui.windowSection;
}

/**
 * @param {Ui} ui
 * @param {string} id
 */
function buildView(ui, id) {
  ui.heat = choice(`${id}-heat`, t("Heatmap shows"), [["weights", t("weights")], ["alignment", t("alignment")]]);
  ui.heat.title = t("Alignment: before the Gaussian is applied; weights: after it");
  ui.eosBox = el("input", { type: "checkbox", checked: true });
  ui.eos = el("label", { class: "ap-check" }, ui.eosBox, el("span", { text: t("</s> row") }));
  ui.eos.title = t("Show the last step, in which the model writes </s>, the end of the sentence");
  ui.ramp = el("span", { class: "ap-ramp" });
  ui.rampMost = el("span");
  ui.legend = el("div", { class: "ap-legend", "aria-hidden": "true" }, el("span", { text: "0" }), ui.ramp, ui.rampMost);
  ui.later = el("p", { class: "ap-fine ap-later" }, el("span", { "aria-hidden": "true" }), t("small squares: later steps"));
  ui.viewSection = el(
    "section", { class: "ap-section ap-section-view", "aria-label": t("View") },
    el("h2", { class: "ap-title", text: t("Heatmap") }),
    el("div", { class: "ap-view" }, ui.heat, ui.eos), ui.legend, ui.later,
  );
  return ui.viewSection;
}
