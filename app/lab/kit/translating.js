// A stage below a box for a sentence and models that translate it in the page. Sentence and models are in the address.
//
//   export default translating(create, dataOf, vectors);
//
// create(host, data, from) makes the stage of a translation, with the settings that from(name) returns; it has update()
// and destroy(), and settings() if some stay when another sentence is typed. dataOf(translations, given, step) makes its
// data: for each choice a translation {name, trace, shown, text, files}, where the trace's steps hold `vectors`,
// quantities of the step graph; `step` is the one to open at. The component's data: live (see live.py), and what dataOf
// needs besides.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { readable } from "../../../attn_core/web/player/core/pieces.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { once, opened, stored } from "../../../attn_core/web/hosts/fetched.js";
import { failure, LOWERED, refusal, remarks } from "../../../attn_core/web/widget/remarks.js";
import { MOST_LETTERS } from "../../../attn_core/web/engine/limits.js";
import { fromAddress } from "../../shell/address.js";
import { readLeft, storeLeft } from "../../shell/tabstore.js";
import { mounted } from "./mount.js";
import { mountNumbers } from "../../shell/numbers/numbers.js";
import { onPage } from "../../shell/onpage.js";
import { firstStep } from "./steps.js";
import { valueIn } from "../../../attn_core/web/player/core/lookup.js";
import { onTyped } from "../../../attn_core/web/player/dom/typing.js";

/** @import { Decoder } from "../../../attn_core/web/engine/decoder.js" */
/** @import { Answer, NumberAsked, Request } from "../../../attn_core/web/engine/types.d.ts" */
/** @import { End, LiveModel, Streamlit } from "../../../attn_core/web/hosts/types.d.ts" */
/** @import { Kept, LiveData, Translation } from "./types.d.ts" */
/** @import { Source } from "../../shell/numbers/numbers.js" */
/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @typedef {{ decoder: Decoder, files: LiveModel }} Opened */

let begun = 0; // sentences that the reader began to type: each is an entry of the history, not each letter

/**
 * @template {LiveData} Given
 * @template Data
 * @param {(host: HTMLElement, data: Data & { address: Kept }, from: From) => Stage} create
 * @param {(translations: Translation[], given: Given, step: number) => Data} dataOf
 * @param {string[]} vectors
 * @param {() => { root: HTMLElement, remove: () => void } | null} [buildTop] what stands above all, such as a stop of the tour
 * @returns {(given: Streamlit<Given>) => End}
 */
export function translating(create, dataOf, vectors = [], buildTop = () => null) {
  return mounted((host, given, opening) => createTranslating(host, given, opening, { create, dataOf, vectors, buildTop }));
}

/**
 * @template {LiveData} Given
 * @template Data
 * @param {HTMLElement} host
 * @param {Given} given
 * @param {boolean} opening
 * @param {{ create: (host: HTMLElement, data: Data & { address: Kept }, from: From) => Stage,
 *   dataOf: (translations: Translation[], given: Given, step: number) => Data, vectors: string[], buildTop: () => { root: HTMLElement, remove: () => void } | null }} made
 * @returns {Stage}
 */
function createTranslating(host, given, opening, { create, dataOf, vectors, buildTop }) {
  const { live } = given;
  const said = /** @type {const} */ (`said-${live.language}`);
  const ui = buildBox(live);
  const box = onPage(ui.root, () => {});
  const place = el("div");
  const numbers = mountNumbers(ui.root);
  host.append(place);
  /** @type {Source[]} the translations on show, whose numbers can be opened */
  let sources = [];
  place.addEventListener("attention-number", (event) => {
    const { which, asked } = /** @type {CustomEvent<{ which: number, asked: NumberAsked }>} */ (event).detail;
    if (sources[which]) numbers.open(asked, sources[which]);
  });
  /** @type {Map<string, Promise<Opened>>} the chosen models */
  const chosen = new Map();
  /** @type {Stage | null} */
  let stage = null;
  let turn = 0;
  let first = opening; // whether the settings of the address are those of the next stage
  let last = ""; // the names of the models on show
  let typing = false;
  const page = location.pathname;

  fill(readLeft(said));
  onTyped(ui.text, () => {
    if (!typing) begun += 1;
    typing = true;
    translate();
  });
  ui.text.addEventListener("change", () => {
    typing = false;
    storeLeft(said, ui.text.value);
  });
  for (const one of ui.models) {
    one.addEventListener("change", () => {
      ui.warning.textContent = "";
      translate();
    });
  }
  addEventListener("popstate", returned);
  if (live.choices.every(({ models }) => models.length)) translate();
  else ui.note.textContent = t("There is no trained model for this page in pretrained/.");

  /** Take the sentence and the models from the address, where it has them. @param {string | null} left the sentence of another page */
  function fill(left) {
    const linked = (/** @type {string} */ name) => (first ? fromAddress(name) : null);
    const text = [live.text, "text"].map(linked).find(seen); // the latter is its name in the Explorer's links
    ui.text.value = text || left || live.sentences[0];
    if (text || readLeft(said)) storeLeft(said, ui.text.value);
    const missing = live.choices.flatMap(({ name, models, first: own }, i) => {
      const asked = linked(name);
      const there = asked && models.includes(asked);
      ui.models[i].value = there ? asked : models.includes(own) ? own : models[0] ?? "";
      return asked && !there ? [t("The link asks for “{value}”, which does not exist here; the default is shown instead.", { value: asked.slice(0, 40) })] : [];
    });
    ui.warning.textContent = missing.join(" ");
  }

  /** The browser went back or forward. */
  function returned() {
    if (location.pathname !== page) return;
    first = true;
    typing = false;
    fill(null);
    translate();
  }

  /** Models that are chosen no more are closed. @param {string} name @returns {Promise<Opened>} */
  function model(name) {
    const { record, weights } = live.addresses[name];
    return once(chosen, name, () => opened(record, weights, stored));
  }

  function closeOthers() {
    const names = ui.models.map(({ value }) => value);
    for (const [name, open] of chosen) {
      if (names.includes(name)) continue;
      chosen.delete(name);
      open.then(({ decoder }) => decoder.close(), () => {});
    }
  }

  async function translate() {
    const now = ++turn;
    const names = ui.models.map(({ value }) => value);
    closeOthers();
    try {
      const models = await Promise.all(names.map(model));
      if (now !== turn) return;
      ui.label.textContent = models[0].files.label;
      ui.text.setAttribute("aria-label", models[0].files.label);
      const request = { text: ui.text.value, vectors };
      const answers = await Promise.all(models.map(({ decoder }) => decoder.translate(request)));
      if (now !== turn || answers.includes(null)) return;
      show(names, models, /** @type {Answer[]} */ (answers), request);
    } catch (problem) {
      if (now === turn) fail(failure(problem));
    }
  }

  /** There is no translation; the stage is that of an earlier one. @param {string} reason */
  function fail(reason) {
    ui.note.textContent = reason;
    stale(true);
    numbers.close();
  }

  /** @param {boolean} now */
  function stale(now) {
    place.classList.toggle("live-stale", now);
    place.inert = now;
  }

  /** @param {string[]} names @param {Opened[]} models @param {Answer[]} answers @param {Request} request */
  function show(names, models, answers, request) {
    /** @type {Translation[]} */
    const translations = [];
    answers.forEach(({ trace, text }, i) => {
      if (trace) translations.push({ name: names[i], trace, shown: readable(trace), text, files: models[i].files });
    });
    if (translations.length < answers.length) {
      fail(refusal(answers[0]));
      return;
    }
    stale(false);
    ui.note.textContent = remarked(request.text, names, answers, models);
    sources = translations.map(({ trace, files }, i) => ({
      trace, graphs: files.graphs, how: {},
      async ask(number) {
        const { decoder } = models[i];
        if (!decoder.origin) throw new Error(t("no model is open in the page"));
        return decoder.origin(request, number);
      },
    }));
    numbers.close();
    /** @type {ReturnType<Required<Stage>["settings"]>} */
    const kept = last === names.join() ? stage?.settings?.() ?? {} : {}; // another model begins with its own
    last = names.join();
    const { height } = place.getBoundingClientRect();
    place.style.minHeight = `${height}px`; // the page below must not jump while the stage is made anew
    stage?.destroy();
    place.replaceChildren();
    const step = firstStep(translations[0].shown, valueIn(live.needed, ui.text.value));
    try {
      const from = first ? fromAddress : (/** @type {string} */ name) => (kept[name] == null ? null : String(kept[name]));
      stage = create(place, { ...dataOf(translations, given, step), address: address() }, from);
    } catch (problem) {
      stage = null;
      ui.note.textContent = /** @type {Error} */ (problem).message;
    }
    first = false;
    requestAnimationFrame(() => place.style.removeProperty("min-height"));
  }

  /** The entries of the address: the sentence, and the models that are not the page's own. @returns {Kept} */
  function address() {
    const models = live.choices.map(({ name, first: own }, i) => [name, ui.models[i].value === own ? null : ui.models[i].value]);
    return { view: Object.fromEntries(models), typed: { text: null, [live.text]: ui.text.value }, begun };
  }

  const top = buildTop();
  host.prepend(...(top ? [top.root] : []), ui.root);
  return {
    update() {
      box.restyle();
      stage?.update();
    },
    destroy() {
      turn += 1;
      numbers.destroy();
      removeEventListener("popstate", returned);
      stage?.destroy();
      box.stop();
      top?.remove();
      place.remove();
      for (const open of chosen.values()) open.then(({ decoder }) => decoder.close(), () => {});
    },
  };
}

/** Whether there is anything to see in a text. @param {string | null} text */
function seen(text) {
  return /[^\s\p{C}]/u.test(text ?? "");
}

/**
 * The remarks on the translations; after the name of its model, if not all models get the same.
 * @param {string} text
 * @param {string[]} names
 * @param {Answer[]} answers
 * @param {Opened[]} models
 */
function remarked(text, names, answers, models) {
  const said = answers.map((answer, i) => {
    const { languages, source } = models[i].files;
    return remarks(text, answer, { languages, joined: source.sentences });
  });
  if (new Set(said).size === 1) return said[0];
  return said.map((one, i) => one && `${names[i]}: ${one}`).filter(Boolean).join(" ");
}

let boxes = 0;

/** @param {LiveData["live"]} live */
function buildBox({ sentences, choices }) {
  const list = `lab-sentences-${++boxes}`;
  /** @param {HTMLElement[]} parts */
  const field = (...parts) => el("label", { class: "live-field" }, ...parts);
  const label = el("span", { text: t("Sentence") });
  const text = el("input", { type: "text", dir: "auto", maxlength: MOST_LETTERS, title: LOWERED, spellcheck: "false", autocomplete: "off", list });
  const models = choices.map(({ models: names, label: name }) => el("select", { "aria-label": name }, ...names.map((one) => el("option", { value: one, text: one }))));
  const [note, warning] = [1, 2].map(() => el("p", { class: "live-note", role: "status" }));
  const offered = el("datalist", { id: list }, ...sentences.map((one) => el("option", { value: one })));
  const root = el(
    "div", { class: "ap-root live live-fields" },
    el("div", { class: "live-row" }, field(label, text, offered), ...models.map((select, i) => field(el("span", { text: choices[i].label }), select))),
    note, warning,
  );
  return { root, label, text, models, note, warning };
}
