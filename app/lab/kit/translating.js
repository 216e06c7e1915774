// A stage below a box for a sentence and models that translate it in the page. Sentence and models are in the address.
//
//   export default translating(create, dataOf, vectors);
//
// create(host, data, from) makes the stage of a translation, with the settings that from(name) returns; it has update()
// and destroy(), and settings() if some stay when another sentence is typed. dataOf(translations, data, step) makes
// its data: for each choice a translation {name, trace, shown, text, files}, where the trace's steps hold `vectors`,
// quantities of the step graph; `step` is the one to open at. The component's data: live (see live.py), and what dataOf
// needs besides.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { readable } from "../../../attn_core/browser/player/core/pieces.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { loadOnce, openModelAt, fetchStored } from "../../../attn_core/browser/hosts/model-files.js";
import { failure, LOWER_CASE_NOTE, refusal, remarks } from "../../../attn_core/browser/widget/remarks.js";
import { MOST_LETTERS } from "../../../attn_core/browser/engine/limits.js";
import { readFromAddress } from "../../shell/address.js";
import { readSentence, storeSentence } from "../../shell/tab-storage.js";
import { linkedModel } from "./linked.js";
import { mounted } from "./mount.js";
import { mountNumbers } from "../../shell/numbers/numbers.js";
import { onPage } from "../../shell/onpage.js";
import { firstStep } from "./steps.js";
import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { onTyped } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { Decoder } from "../../../attn_core/browser/engine/decoder.js" */
/** @import { Answer, NumberAsked, Request } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { End, LiveModel, Streamlit } from "../../../attn_core/browser/hosts/types.d.ts" */
/** @import { Kept, LiveData, Translation } from "./types.d.ts" */
/** @import { Source } from "../../shell/numbers/numbers.js" */
/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @typedef {{ decoder: Decoder, files: LiveModel }} Opened */

/**
 * How a page translates: its stage, and what that needs.
 * @template {LiveData} PageData
 * @template Data
 * @typedef {object} StageSource
 * @property {(host: HTMLElement, data: Data & { address: Kept }, from: From) => Stage} create
 * @property {(translations: Translation[], data: PageData, step: number) => Data} dataOf
 * @property {string[]} vectors
 * @property {() => { root: HTMLElement, remove: () => void } | null} buildTop
 */

let typedSentences = 0; // sentences that the reader began to type: each is an entry of the history, not each letter

/**
 * @template {LiveData} PageData
 * @template Data
 * @param {(host: HTMLElement, data: Data & { address: Kept }, from: From) => Stage} create
 * @param {(translations: Translation[], data: PageData, step: number) => Data} dataOf
 * @param {string[]} vectors
 * @param {() => { root: HTMLElement, remove: () => void } | null} [buildTop] what is above all, such as a stop of the
 * tour
 * @returns {(component: Streamlit<PageData>) => End}
 */
export function translating(create, dataOf, vectors = [], buildTop = () => null) {
  return mounted(
    (host, data, opening) => new TranslatedStage(host, data, opening, { create, dataOf, vectors, buildTop }),
  );
}

/**
 * @template {LiveData} PageData
 * @template Data
 * @implements {Stage}
 */
class TranslatedStage {
  /**
   * @param {HTMLElement} host
   * @param {PageData} data
   * @param {boolean} opening whether the address has settings
   * @param {StageSource<PageData, Data>} source
   */
  constructor(host, data, opening, source) {
    this.data = data;
    this.source = source;
    this.live = data.live;
    this.ui = buildFields(this.live);
    this.page = onPage(this.ui.root, () => {});
    this.stageHost = el("div");
    this.numbers = mountNumbers(this.ui.root);
    host.append(this.stageHost);
    /** @type {Source[]} the translations on show, whose numbers can be opened */
    this.numberSources = [];
    this.stageHost.addEventListener("attention-number", (event) => {
      const { which, asked } = /** @type {CustomEvent<{ which: number, asked: NumberAsked }>} */ (event).detail;
      if (this.numberSources[which]) this.numbers.open(asked, this.numberSources[which]);
    });
    /** @type {Map<string, Promise<Opened>>} the chosen models */
    this.openModels = new Map();
    /** @type {Stage | null} */
    this.stage = null;
    this.latestRequest = 0;
    this.readsAddress = opening; // whether the settings of the address are those of the next stage
    this.shownNames = ""; // the names of the models on show
    this.isTyping = false;
    const page = location.pathname;
    this.onHistory = () => {
      if (location.pathname === page) this.readHistory();
    };

    this.readAddress(readSentence(this.live.language));
    this.listen();
    if (this.live.choices.every(({ models }) => models.length)) this.translate();
    else this.ui.note.textContent = t("There is no trained model for this page in pretrained/.");

    this.topPart = this.source.buildTop();
    host.prepend(...(this.topPart ? [this.topPart.root] : []), this.ui.root);
  }

  listen() {
    onTyped(this.ui.text, () => {
      if (!this.isTyping) typedSentences += 1;
      this.isTyping = true;
      this.translate();
    });
    this.ui.text.addEventListener("change", () => {
      this.isTyping = false;
      storeSentence(this.live.language, this.ui.text.value);
    });
    for (const select of this.ui.models) {
      select.addEventListener("change", () => {
        this.ui.warning.textContent = "";
        this.translate();
      });
    }
    addEventListener("popstate", this.onHistory);
  }

  /**
   * Take the sentence and the models from the address, where it has them.
   * @param {string | null} left the sentence of another page
   */
  readAddress(left) {
    const linked = (/** @type {string} */ name) => (this.readsAddress ? readFromAddress(name) : null);
    const text = [this.live.text, "text"].map(linked).find(hasText); // the latter is its name in the Explorer's links
    this.ui.text.value = text || left || this.live.sentences[0];
    if (text || readSentence(this.live.language)) storeSentence(this.live.language, this.ui.text.value);
    const choices = this.live.choices.map((choice) => linkedModel(choice, linked(choice.name)));
    choices.forEach(({ model }, i) => {
      this.ui.models[i].value = model;
    });
    this.ui.warning.textContent = choices
      .map(({ note }) => note)
      .filter(Boolean)
      .join(" ");
  }

  /** Follow the browser back or forward. */
  readHistory() {
    this.readsAddress = true;
    this.isTyping = false;
    this.readAddress(null);
    this.translate();
  }

  /** @param {string} name @returns {Promise<Opened>} */
  openModel(name) {
    const { record, weights } = this.live.addresses[name];
    return loadOnce(this.openModels, name, () => openModelAt(record, weights, fetchStored));
  }

  /** Close models that are no longer chosen. */
  closeOthers() {
    const names = this.ui.models.map(({ value }) => value);
    for (const [name, open] of this.openModels) {
      if (names.includes(name)) continue;
      this.openModels.delete(name);
      open.then(
        ({ decoder }) => decoder.close(),
        () => {},
      );
    }
  }

  async translate() {
    const number = ++this.latestRequest;
    const names = this.ui.models.map(({ value }) => value);
    this.closeOthers();
    try {
      const models = await Promise.all(names.map((name) => this.openModel(name)));
      if (number !== this.latestRequest) return;
      this.ui.label.textContent = models[0].files.label;
      this.ui.text.setAttribute("aria-label", models[0].files.label);
      const request = { text: this.ui.text.value, vectors: this.source.vectors };
      const answers = await Promise.all(models.map(({ decoder }) => decoder.translate(request)));
      if (number !== this.latestRequest || answers.includes(null)) return;
      this.showTranslations(names, models, /** @type {Answer[]} */ (answers), request);
    } catch (problem) {
      if (number === this.latestRequest) this.showFailure(failure(problem));
    }
  }

  /** Show why there is no translation; the stage stays that of an earlier one. @param {string} reason */
  showFailure(reason) {
    this.ui.note.textContent = reason;
    this.setStale(true);
    this.numbers.close();
  }

  /** @param {boolean} isStale */
  setStale(isStale) {
    this.stageHost.classList.toggle("live-stale", isStale);
    this.stageHost.inert = isStale;
  }

  /** @param {string[]} names @param {Opened[]} models @param {Answer[]} answers @param {Request} request */
  showTranslations(names, models, answers, request) {
    /** @type {Translation[]} */
    const translations = [];
    answers.forEach(({ trace, text }, i) => {
      if (trace) translations.push({ name: names[i], trace, shown: readable(trace), text, files: models[i].files });
    });
    if (translations.length < answers.length) {
      this.showFailure(refusal(answers[0]));
      return;
    }
    this.setStale(false);
    this.ui.note.textContent = remarksOn(request.text, names, answers, models);
    this.numberSources = translations.map(({ trace, files }, i) => ({
      trace,
      graphs: files.graphs,
      how: {},
      async ask(number) {
        const { decoder } = models[i];
        if (!decoder.origin) throw new Error(t("no model is open in the page"));
        return decoder.origin(request, number);
      },
    }));
    this.numbers.close();
    /** @type {ReturnType<Required<Stage>["settings"]>} other models begin with their own */
    const keptSettings = this.shownNames === names.join() ? (this.stage?.settings?.() ?? {}) : {};
    this.shownNames = names.join();
    const { height } = this.stageHost.getBoundingClientRect();
    this.stageHost.style.minHeight = `${height}px`; // the page below must not jump while the stage is made anew
    this.stage?.destroy();
    this.stageHost.replaceChildren();
    const step = firstStep(translations[0].shown, valueIn(this.live.needed, this.ui.text.value));
    try {
      const from = this.readsAddress
        ? readFromAddress
        : (/** @type {string} */ name) => (keptSettings[name] == null ? null : String(keptSettings[name]));
      this.stage = this.source.create(
        this.stageHost,
        { ...this.source.dataOf(translations, this.data, step), address: this.address() },
        from,
      );
    } catch (problem) {
      this.stage = null;
      this.ui.note.textContent = /** @type {Error} */ (problem).message;
    }
    this.readsAddress = false;
    requestAnimationFrame(() => this.stageHost.style.removeProperty("min-height"));
  }

  /** The entries of the address: the sentence, and the models that are not the page's own. @returns {Kept} */
  address() {
    const models = this.live.choices.map(({ name, first }, i) => [
      name,
      this.ui.models[i].value === first ? null : this.ui.models[i].value,
    ]);
    return {
      view: Object.fromEntries(models),
      typed: { text: null, [this.live.text]: this.ui.text.value },
      begun: typedSentences,
    };
  }

  update() {
    this.page.restyle();
    this.stage?.update();
  }

  destroy() {
    this.latestRequest += 1;
    this.numbers.destroy();
    removeEventListener("popstate", this.onHistory);
    this.stage?.destroy();
    this.page.stop();
    this.topPart?.remove();
    this.stageHost.remove();
    for (const open of this.openModels.values())
      open.then(
        ({ decoder }) => decoder.close(),
        () => {},
      );
  }
}

/** Whether a text has a visible character. @param {string | null} text */
function hasText(text) {
  return /[^\s\p{C}]/u.test(text ?? "");
}

/**
 * The remarks on the translations; after the name of its model, if not all models get the same.
 * @param {string} text
 * @param {string[]} names
 * @param {Answer[]} answers
 * @param {Opened[]} models
 */
function remarksOn(text, names, answers, models) {
  const remarksOfModels = answers.map((answer, i) => {
    const { languages, source } = models[i].files;
    return remarks(text, answer, { languages, joined: source.sentences });
  });
  if (new Set(remarksOfModels).size === 1) return remarksOfModels[0];
  return remarksOfModels
    .map((text, i) => text && `${names[i]}: ${text}`)
    .filter(Boolean)
    .join(" ");
}

let fieldsCount = 0;

/** @param {LiveData["live"]} live */
function buildFields({ sentences, choices }) {
  const list = `lab-sentences-${++fieldsCount}`;
  /** @param {HTMLElement[]} parts */
  const field = (...parts) => el("label", { class: "live-field" }, ...parts);
  const label = el("span", { text: t("Sentence") });
  const text = el("input", {
    type: "text",
    dir: "auto",
    maxlength: MOST_LETTERS,
    title: LOWER_CASE_NOTE,
    spellcheck: "false",
    autocomplete: "off",
    list,
  });
  const models = choices.map(({ models: names, label: name }) =>
    el("select", { "aria-label": name }, ...names.map((value) => el("option", { value, text: value }))),
  );
  const [note, warning] = [1, 2].map(() => el("p", { class: "live-note", role: "status" }));
  const suggestions = el("datalist", { id: list }, ...sentences.map((value) => el("option", { value })));
  const root = el(
    "div",
    { class: "ap-root live live-fields" },
    el(
      "div",
      { class: "live-row" },
      field(label, text, suggestions),
      ...models.map((select, i) => field(el("span", { text: choices[i].label }), select)),
    ),
    note,
    warning,
  );
  return { root, label, text, models, note, warning };
}
