// The box for a sentence above a player that translates, with the choice of a model, a beam and an attention type.

import { t } from "../player/core/messages.js";
import { el } from "../player/dom/elements.js";

/**
 * @import { ModelJSON } from "../engine/types.d.ts"
 * @import { LiveModel, SentenceUi } from "./types.d.ts"
 */

const BEAMS = [1, 2, 3, 5, 8, 12];
const MOST_LETTERS = 1000;

/**
 * @param {HTMLElement} host
 * @param {string[]} models their names
 * @param {string} text
 * @returns {SentenceUi}
 */
export function buildSentence(host, models, text) {
  const ui = {
    text: el("input", { type: "text", maxlength: MOST_LETTERS, spellcheck: "false", autocomplete: "off" }),
    model: el("select", {}, ...models.map((name, i) => el("option", { value: i, text: name }))),
    beam: el("select", {}, ...BEAMS.map((n) => el("option", { value: n, text: n === 1 ? t("1 (greedy)") : String(n) }))),
    type: el("select"),
    output: el("output", { class: "live-output" }),
    note: el("p", { class: "live-note", role: "status" }),
  };
  ui.text.value = text;
  const field = (/** @type {string} */ name, /** @type {HTMLElement} */ control) => {
    control.setAttribute("aria-label", name); // the text of a label would include all options of a list
    return el("label", { class: "live-field" }, el("span", { text: name }), control);
  };
  host.replaceChildren(
    el(
      "div", { class: "live-row" }, field(t("Sentence"), ui.text), ...(models.length > 1 ? [field(t("Model"), ui.model)] : []),
      field(t("Beam"), ui.beam), field(t("Attention"), ui.type),
    ),
    el("div", { class: "live-answer" }, ui.output, ui.note),
  );
  /** @type {HTMLElement} */ (ui.type.parentElement).hidden = true;
  return ui;
}

/**
 * Name the language that a model reads above the box, and mark both texts with their languages.
 * @param {SentenceUi} ui
 * @param {LiveModel} model
 */
export function speakAs(ui, { label, source, target }) {
  ui.text.lang = source.lang;
  ui.text.setAttribute("aria-label", label);
  /** @type {HTMLElement} */ (ui.text.previousElementSibling).textContent = label;
  ui.output.lang = target.lang;
}

/** @param {ModelJSON} graphs @param {string | null | undefined} window null or undefined: the trained one */
function typesIn({ steps }, window) {
  return steps.filter((step) => step.window === (window ?? steps[0].window)).map((step) => step.type);
}

/**
 * `type`, if the model can be run with it in this window; otherwise the trained attention type, or any.
 * @param {ModelJSON} graphs
 * @param {string | null | undefined} window
 * @param {string} type
 */
export function typeIn(graphs, window, type) {
  const types = typesIn(graphs, window);
  return [type, graphs.steps[0].type].find((one) => types.includes(one)) ?? types[0];
}

/**
 * Offer the attention types that the model can be run with in this window, and choose `type` if it is one of them.
 * @param {SentenceUi} ui
 * @param {ModelJSON} graphs
 * @param {string | null | undefined} window
 * @param {string} type
 */
export function fillTypes(ui, graphs, window, type) {
  const types = typesIn(graphs, window);
  const chosen = typeIn(graphs, window, type);
  ui.type.replaceChildren(...types.map((one) => el("option", { value: one, text: name(one), selected: one === chosen })));
  /** @type {HTMLElement} */ (ui.type.parentElement).hidden = types.length < 2;
}

/** @param {string} type */
function name(type) {
  return { soft: t("soft"), "hard-argmax": t("hard (argmax)"), "hard-sample": t("hard (sampled)") }[type] ?? type;
}
