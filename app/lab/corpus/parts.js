// The elements of the Corpus page: the choices above, the progress, and the frame of the figures.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { chip } from "../kit/chip.js";

/** @import { Choice } from "../kit/types.d.ts" */

export const EXAMPLES = "examples"; // the text of our own sentences, in the address
export const FILE = "file";

/**
 * The elements of the page; those that are used later are returned by name.
 * @param {Choice} choice of the model
 * @param {HTMLElement[]} windowFields
 */
export function buildPage(choice, windowFields) {
  const models = choice.models.map((name) => el("option", { value: name, text: name }));
  const model = el("select", { "aria-label": choice.label }, ...models);
  const text = el("select", { "aria-label": t("Text") });
  offerOptions(
    text,
    [
      [EXAMPLES, t("our example sentences")],
      [FILE, t("your own file …")],
    ],
    EXAMPLES,
  );
  const fileName = t("Text file with one sentence per line");
  const file = el("input", { type: "file", accept: ".txt,text/plain", "aria-label": fileName });
  const fileField = field(t("File, read in this page only"), file);
  const start = el("button", { type: "button", class: "co-start" });
  const save = el("button", { type: "button", class: "live-button co-save", text: t("Download the numbers (CSV)") });
  const { root: progressLine, ...progress } = buildProgress();
  const note = el("p", { class: "live-note" });
  const skipped = el("details", { class: "co-skipped", hidden: true }, el("summary"), el("ul"));
  const fields = [field(choice.label, model), field(t("Text"), text), fileField, ...windowFields, start, save];
  const board = buildBoard();
  const head = el("div", { class: "live co-head" }, el("div", { class: "live-row" }, ...fields), progressLine);
  head.append(note, skipped);
  save.hidden = true;
  const root = el("div", { class: "ap-root" }, head, board.frame);
  return { root, model, text, file, fileField, start, save, ...progress, note, skipped, ...board };
}

/** @typedef {ReturnType<typeof buildPage>} CorpusUi */

/** How many sentences are measured. */
function buildProgress() {
  const progress = el("progress", { class: "co-progress", max: 1, value: 0, "aria-label": t("Measured sentences") });
  progress.hidden = true;
  const counted = el("span", { class: "live-note" });
  const status = el("p", { class: "live-note", role: "status" });
  return { root: el("div", { class: "co-line" }, progress, counted, status), progress, counted, status };
}

/** The frame of the figures, with the choice of an attention and a head. */
function buildBoard() {
  const [attention, head] = [el("select", {}), el("select", {})];
  const attentionChip = chip(t("Attention"), attention);
  const headChip = chip(t("Head"), head);
  const choices = el("div", { class: "live co-shown" }, attentionChip, headChip);
  const grid = el("div", { class: "co-grid" });
  const frame = el("div", { class: "ap co", hidden: true }, choices, grid);
  return { attention, attentionChip, head, headChip, choices, grid, frame };
}

/** A setting with its name above it. @param {string} label @param {HTMLElement} control */
export const field = (label, control) => el("label", { class: "live-field" }, el("span", { text: label }), control);

/**
 * Offer values in a list, and choose one.
 * @param {HTMLSelectElement} select
 * @param {(readonly [value: string, text: string])[]} options
 * @param {string} chosen
 */
export function offerOptions(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => el("option", { value, text, selected: value === chosen })));
}
