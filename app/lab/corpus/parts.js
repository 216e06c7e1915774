// The elements of the Corpus page: the choices above, the progress, and the frame of the figures.

import { chip } from "../kit/chip.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";

/** @import { Choice } from "../kit/types.d.ts" */

export const OWN = "examples"; // the text of our own sentences, in the address
export const FILE = "file";
export const WIDEST = 20; // the largest half-width D that is offered

/** @param {Choice} choice */
export function buildPage(choice) {
  /** @param {string} label @param {HTMLElement[]} controls */
  const field = (label, ...controls) => el("label", { class: "live-field" }, el("span", { text: label }), ...controls);
  const model = el(
    "select",
    { "aria-label": choice.label },
    ...choice.models.map((value) => el("option", { value, text: value })),
  );
  const text = el(
    "select",
    { "aria-label": t("Text") },
    el("option", { value: OWN, text: t("our example sentences") }),
    el("option", { value: FILE, text: t("your own file …") }),
  );
  const file = el("input", {
    type: "file",
    accept: ".txt,text/plain",
    "aria-label": t("Text file with one sentence per line"),
  });
  const window = el("select", { "aria-label": t("Window") });
  const halfWidth = el("input", {
    type: "number",
    min: 0,
    max: WIDEST,
    step: 1,
    "aria-label": t("Half-width D in words"),
    class: "co-small",
  });
  const start = el("button", { type: "button", class: "co-start" });
  const save = el("button", {
    type: "button",
    class: "live-button co-save",
    text: t("Download the numbers (CSV)"),
    hidden: true,
  });
  const progress = el("progress", {
    class: "co-progress",
    max: 1,
    value: 0,
    "aria-label": t("Measured sentences"),
    hidden: true,
  });
  const counted = el("span", { class: "live-note" });
  const status = el("p", { class: "live-note", role: "status" });
  const note = el("p", { class: "live-note" });
  const skipped = el("details", { class: "co-skipped", hidden: true }, el("summary"), el("ul"));
  const fileField = field(t("File, read in this page only"), file);
  const halfField = field(t("D"), halfWidth);
  const windowField = field(t("Window"), window);
  const [attention, head] = [el("select", {}), el("select", {})];
  const attentionChip = chip(t("Attention"), attention);
  const headChip = chip(t("Head"), head);
  const choices = el("div", { class: "live co-shown" }, attentionChip, headChip);
  const grid = el("div", { class: "co-grid" });
  const frame = el("div", { class: "ap co", hidden: true }, choices, grid);
  const root = el(
    "div",
    { class: "ap-root" },
    el(
      "div",
      { class: "live co-head" },
      el(
        "div",
        { class: "live-row" },
        field(choice.label, model),
        field(t("Text"), text),
        fileField,
        windowField,
        halfField,
        start,
        save,
      ),
      el("div", { class: "co-line" }, progress, counted, status),
      note,
      skipped,
    ),
    frame,
  );
  return {
    root,
    model,
    text,
    file,
    fileField,
    window,
    windowField,
    halfWidth,
    halfField,
    start,
    save,
    progress,
    counted,
    status,
    note,
    skipped,
    attention,
    attentionChip,
    head,
    headChip,
    choices,
    grid,
    frame,
  };
}

/** @typedef {ReturnType<typeof buildPage>} CorpusUi */

/**
 * Offer values in a list, and choose one.
 * @param {HTMLSelectElement} select
 * @param {[value: string, text: string][]} options
 * @param {string} chosen
 */
export function offerOptions(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => el("option", { value, text, selected: value === chosen })));
}
