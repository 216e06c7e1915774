// The box for a sentence above a player that translates, with the choice of a model, a search and an attention type.

import { BEAMS, MOST_LETTERS } from "../engine/limits.js";
import { t } from "../player/core/messages.js";
import { el } from "../player/dom/elements.js";
import { samples, stepOf } from "../engine/live.js";
import { typeName } from "../player/core/attention-types.js";
import { lowered } from "../player/dom/symbols.js";
import { buildChips, PAIR } from "./chips.js";
import { valueIn } from "../player/core/lookup.js";

/**
 * @import { ModelJSON } from "../engine/types.d.ts"
 * @import { Axis, Offered, Point, SentenceUi } from "./types.d.ts"
 */

export const LOWERED = t("The models were trained on lower-case text, so your sentence is converted to lower case.");
let boxes = 0;

/**
 * @param {HTMLElement} host
 * @param {{ models: Offered[], text: string, axes?: Axis[], examples?: Record<string, string[]>, more?: HTMLElement[] }} given
 *   `examples`: sentences that the box offers, by the languages of a model
 * @param {(model: number) => void} choose
 * @returns {SentenceUi}
 */
export function buildSentence(host, { models, text, axes = [], examples = {}, more = [] }, choose) {
  const about = el("p", { class: "live-about" });
  const caveat = el("p");
  const unfolded = el("details", { class: "live-caveat" }, el("summary", { text: t("Note") }), caveat);
  const offered = el("datalist", { id: `live-examples-${++boxes}` });
  const ui = {
    text: el("input", { type: "text", dir: "auto", maxlength: MOST_LETTERS, spellcheck: "false", autocomplete: "off", list: offered.id }),
    model: el("select"),
    beam: el("select", {}, ...BEAMS.map((n) => el("option", { value: n, text: n === 1 ? t("1 (greedy)") : String(n) }))),
    type: el("select"),
    unk: el("input", { type: "checkbox" }),
    draw: el("button", { type: "button", class: "live-button", text: t("Sample again"), hidden: true }),
    other: el("button", { type: "button", class: "live-button", hidden: true }),
    output: el("output", { class: "live-output", dir: "auto", "aria-label": t("Translation") }),
    note: el("p", { class: "live-note", role: "status", "aria-label": t("Remarks on the translation") }),
    /** Choose a beam; a link or a trace may have one that is not offered. @param {number} width */
    takeBeam(width) {
      if (![...ui.beam.options].some(({ value }) => Number(value) === width)) ui.beam.append(el("option", { value: width, text: String(width) }));
      ui.beam.value = String(width);
    },
    /** Show all settings. Without axes all of them are always visible. */
    openAll: () => {},
    chips: buildChips(axes, /** @type {Required<Offered>[]} */ (models), choose),
    /** Show a model's scores and its note. @param {Offered} model */
    introduce({ about: scores = "", measured = "", caveat: note = "" }) {
      about.textContent = scores;
      about.title = measured;
      caveat.replaceChildren(...lowered(note.replace(/\bp_t\b/g, "p_{t}")));
      unfolded.hidden = !note;
      unfolded.open = false;
    },
    /** Show the option where the translation contains <unk>, or where the option is on. @param {boolean} found */
    offerUnk(found) { unk.hidden = !(found || ui.unk.checked); },
    /** Offer the models and the examples of one model's languages. @param {number} current */
    offer(current) {
      offered.replaceChildren(...textsOf(examples, models[current]).map((value) => el("option", { value })));
      const pair = pairOf(models[current]);
      if (ui.model.options.length && pair === shown) return;
      shown = pair;
      ui.model.replaceChildren(...modelOptions(models.map((model, value) => ({ ...model, value })).filter((model) => pairOf(model) === pair)));
    },
  };
  const type = chip(t("Attention type"), ui.type, t("How the context vector is computed: as the weighted sum of all encoder states (soft), or from a single state: the one with the largest weight (argmax) or one sampled from the weights. The model is not retrained."), t("Type"));
  const beam = chip(t("Beam"), ui.beam, t("Greedy search takes the most probable word at each step. A beam of k keeps the k most probable partial translations."));
  const unk = chip(t("Replace <unk>"), ui.unk, t("Replace each unknown word (<unk>) in the translation with the source word that has the largest attention weight."));
  let shown = "";
  ui.offer(0);
  ui.offerUnk(false);
  ui.text.value = text;
  ui.model.addEventListener("change", () => choose(Number(ui.model.value)));
  const sentence = chip(t("Sentence"), ui.text, LOWERED);
  sentence.classList.add("live-sentence");
  const languages = ui.chips.chips.find(({ axis }) => axis.name === PAIR); // beside the sentence, before all other choices
  const first = ui.chips.chips.filter((one) => one !== languages).map(({ root }) => root);
  const rare = [type, ui.draw, beam, ...more];
  const line = el("div", { class: "live-chips" }, ...(models.length > 1 ? [chip(t("Model"), ui.model)] : []), ...first, ...rare, unk);
  if (first.length) ui.openAll = foldable(line, rare);
  host.replaceChildren(
    ...(languages ? [el("div", { class: "live-said" }, languages.root, sentence)] : [sentence]), offered,
    el("div", { class: "live-answer" }, ui.output, el("div", { class: "live-model" }, about, unfolded)),
    el("div", { class: "live-remark" }, ui.note, ui.other),
    line,
  );
  type.hidden = true;
  return ui;
}

/**
 * Hide the less common settings of a line until a button shows them, so that a newcomer sees only a few at first.
 * @param {HTMLElement} line
 * @param {HTMLElement[]} rare
 * @returns {() => void} shows them
 */
function foldable(line, rare) {
  const button = el("button", { type: "button", class: "live-button", text: t("More settings") });
  for (const one of rare) one.classList.add("live-folded");
  const openAll = () => {
    for (const one of rare) one.classList.remove("live-folded");
    button.remove();
  };
  button.addEventListener("click", ({ detail }) => {
    openAll();
    if (detail === 0) rare.find((one) => one.getClientRects().length)?.querySelector("select")?.focus(); // the focused button has been removed
  });
  line.append(button);
  return openAll;
}

/**
 * The options for models, under the names of their groups.
 * @param {{ name: string, group?: string, value: string | number }[]} models
 */
export function modelOptions(models) {
  const groups = new Map(models.map(({ group = "" }) => [group, /** @type {HTMLElement[]} */ ([])]));
  for (const { name, group = "", value } of models) groups.get(group)?.push(el("option", { value, text: name }));
  return [...groups].flatMap(([label, options]) => (label ? [el("optgroup", { label }, ...options)] : options));
}

/** The languages of a model, as they are named on the axis of languages. @param {{ point?: Point }} model */
export const pairOf = ({ point }) => point?.[PAIR] ?? "";

/**
 * The examples that the box offers for a model. Each is three successive sentences if the model was trained on such texts; after
 * the last sentence comes the first.
 * @param {Record<string, string[]>} examples sentences by languages
 * @param {Pick<Offered, "point" | "joined">} model
 */
export function textsOf(examples, model) {
  const list = valueIn(examples, pairOf(model)) ?? [];
  return model.joined ? list.map((_, i) => [0, 1, 2].map((n) => list[(i + n) % list.length]).join(" ")) : list;
}

/**
 * A setting in the line of settings.
 * @param {string} name
 * @param {HTMLElement} control
 * @param {string} title
 * @param {string} short what is written in the chip
 */
export function chip(name, control, title = "", short = name) {
  control.setAttribute("aria-label", name); // the text of a label would include all options of a list
  return el("label", { class: "live-chip", title }, el("span", { text: short }), control);
}

/**
 * A sentence that is cut off beside its translation gets the whole line, as soon as the box or, with fit(), the sentence changes.
 * @param {HTMLElement} box
 * @param {HTMLInputElement} text
 */
export function roomFor(box, text) {
  const fit = () => {
    box.classList.remove("live-long");
    box.classList.toggle("live-long", text.scrollWidth > text.clientWidth);
  };
  const resized = new ResizeObserver(fit);
  resized.observe(box);
  return { fit, stop: () => resized.disconnect() };
}

/**
 * Name the language that a model reads above the box, and mark both texts with their languages.
 * @param {SentenceUi} ui
 * @param {{ label: string, source: { lang: string }, target: { lang: string } }} model
 */
export function speakAs(ui, { label, source, target }) {
  ui.text.lang = source.lang;
  ui.output.lang = target.lang;
  ui.text.setAttribute("aria-label", label);
  /** @type {HTMLElement} */ (ui.text.previousElementSibling).textContent = label;
}

/**
 * The box for a model that does not run in the page: the attention type is the trained one.
 * @param {SentenceUi} ui
 * @param {Offered} model
 */
export function servedAs(ui, { label = t("Sentence"), point }) {
  const [source, target = ""] = pairOf({ point }).split("-");
  speakAs(ui, { label, source: { lang: source }, target: { lang: target } });
  /** @type {HTMLElement} */ (ui.type.parentElement).hidden = ui.draw.hidden = true;
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
  ui.type.replaceChildren(...types.map((one) => el("option", { value: one, text: typeName(one, graphs.types), selected: one === chosen })));
  /** @type {HTMLElement} */ (ui.type.parentElement).hidden = types.length < 2;
  ui.draw.hidden = !samples(stepOf(graphs, { window, type: chosen }));
}
