// The Corpus page's stage: one model over the sentences of a text, measured by the engine in its worker. What the
// reader chose is in the address; the text of a file is not.

import { openModelAt, fetchStored } from "../../../attn_core/browser/hosts/model-files.js";
import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { readFromAddress, keepInBar } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { linkedModel } from "../kit/linked.js";
import { mounted } from "../kit/mount.js";
import { Board } from "./board.js";
import { saveCsv } from "../../shell/csv.js";
import { csvOf } from "./csv.js";
import { buildPage, EXAMPLES, FILE } from "./parts.js";
import { measureLines } from "./measuring.js";
import { MOST_LINES, readText } from "./text.js";
import { linesNote, skippedLines } from "./notes.js";
import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { WindowChoice } from "./window-choice.js";

/** @import { Measurer } from "../../../attn_core/browser/engine/decoder.js" */
/** @import { LiveModel } from "../../../attn_core/browser/hosts/types.d.ts" */
/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { CorpusData, Ready, Text } from "./types.d.ts" */

/** @typedef {{ decoder: Measurer & { close: () => void }, files: LiveModel }} Opened */

const TEXT = "corpus_text"; // in the address
const PAUSE = 200; // ms between two pictures while sentences arrive

/** @implements {Stage} */
class CorpusStage {
  /** @param {HTMLElement} host @param {CorpusData} data @param {boolean} opening */
  constructor(host, data, opening) {
    this.data = data;
    this.opening = opening;
    this.choice = data.live.choices[0];
    this.window = new WindowChoice(() => this.measureAgain());
    this.ui = buildPage(this.choice, [this.window.windowField, this.window.halfWidthField]);
    this.page = onPage(this.ui.root, () => this.draw());
    host.append(this.ui.root);
    /** @type {Text | null} the file's, once it was read */
    this.fileText = null;
    /** @type {Opened | null} */
    this.model = null;
    /** @type {Ready[] | null} lines that the model can translate; null before it has read them */
    this.lines = null;
    // Another model, text or run ends the one before.
    this.modelRequest = 0;
    this.textRequest = 0;
    this.measureRequest = 0;
    this.measuresNext = false; // whether the text is measured as soon as the next model has read it
    this.isRunning = false;
    this.drawnAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.drawTimer = undefined;
    this.address = keepInBar(
      () => this.addressUrl(),
      (url) => `${url.searchParams.get(this.choice.name)} ${url.searchParams.get(TEXT)}`,
      () => {
        this.opening = true;
        const text = this.ui.text.value;
        this.readAddress();
        if (this.ui.text.value !== text) this.clearMeasured();
        this.openModel();
      },
    );
    this.board = new Board(this.ui, {
      headsOf: (attention) => {
        const heads = this.model?.files.graphs.heads;
        return heads ? { cross: heads.looks, encoder: heads.encoder, decoder: heads.own }[attention] : [];
      },
      measuredWith: () => ({ model: this.ui.model.value, how: this.window.chosen() }),
      theme: this.page.theme,
      onChange: this.address.soon,
    });
    this.listen();
    this.readAddress();
    if (this.choice.models.length) this.openModel();
    else this.ui.note.textContent = t("There is no trained model for this page in pretrained/.");
  }

  listen() {
    const { ui } = this;
    ui.model.addEventListener("change", () => this.openModel());
    ui.text.addEventListener("change", () => this.chooseText());
    ui.file.addEventListener("change", () => this.chooseText());
    ui.start.addEventListener("click", () => (this.isRunning ? this.cancel() : this.measureText()));
    ui.save.addEventListener("click", () => this.downloadCsv());
  }

  /** Take the choices from the address, where it has them. */
  readAddress() {
    const { ui } = this;
    const linked = (/** @type {string} */ name) => (this.opening ? readFromAddress(name) : null);
    const { model, note } = linkedModel(this.choice, linked(this.choice.name));
    ui.model.value = model;
    ui.text.value = linked(TEXT) === FILE ? FILE : EXAMPLES;
    const notes = [note];
    if (ui.text.value === FILE && !this.fileText)
      notes.push(t("This link was made for a text file, and links do not contain files. Choose the file again."));
    ui.note.textContent = notes.filter(Boolean).join(" ");
    ui.fileField.hidden = ui.text.value !== FILE;
    this.board.readAddress(linked);
  }

  /** Take what only the model can resolve from the address. */
  readAddressForModel() {
    if (!this.opening) return;
    this.opening = false;
    this.window.readAddress(readFromAddress);
    this.board.readAddressForModel(readFromAddress);
  }

  addressUrl() {
    const url = new URL(location.href);
    const values = {
      [this.choice.name]: this.ui.model.value === this.choice.first ? null : this.ui.model.value,
      [TEXT]: this.ui.text.value === EXAMPLES ? null : this.ui.text.value,
      ...this.window.address(),
      ...this.board.address(),
    };
    for (const [name, value] of Object.entries(values)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, String(value));
    }
    return url;
  }

  /**
   * Open the chosen model and read the text with it. Our own sentences are then measured; a file only if it was before.
   */
  async openModel() {
    const request = ++this.modelRequest;
    this.measuresNext ||= this.hasBegun();
    this.measureRequest += 1;
    this.showStopped();
    this.lines = null;
    this.board.outdate();
    this.ui.start.disabled = true;
    this.ui.status.textContent = t("Loading the model …");
    this.model?.decoder.close();
    this.model = null;
    const { record, weights } = this.data.live.addresses[this.ui.model.value];
    try {
      const openedModel = await openModelAt(record, weights, fetchStored);
      if (request !== this.modelRequest) {
        openedModel.decoder.close();
        return;
      }
      this.model = openedModel;
      this.window.offer(openedModel.files.graphs.steps);
      this.readAddressForModel();
      await this.readLines();
    } catch (problem) {
      if (request === this.modelRequest)
        this.ui.status.textContent = t("The model cannot be used: {reason}", {
          reason: /** @type {Error} */ (problem).message,
        });
    }
    this.address.soon();
  }

  /** Another text: ours, or the file. */
  async chooseText() {
    const { ui } = this;
    const request = ++this.textRequest;
    this.clearMeasured();
    ui.fileField.hidden = ui.text.value !== FILE;
    ui.note.textContent = "";
    this.lines = null;
    const file = ui.file.files?.[0];
    if (ui.text.value === FILE && file) {
      this.fileText = null;
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (request !== this.textRequest) return;
        this.fileText = readText(file.name, bytes);
      } catch (problem) {
        ui.note.textContent = /** @type {Error} */ (problem).message;
      }
    }
    try {
      await this.readLines();
    } catch (problem) {
      // the model was closed, since another one is being opened, or it failed
      if (request === this.textRequest && this.model) ui.status.textContent = /** @type {Error} */ (problem).message;
    }
    this.address.soon();
  }

  /** Forget what was measured of another text. */
  clearMeasured() {
    this.measureRequest += 1;
    this.measuresNext = false;
    this.showStopped();
    this.board.clear();
  }

  /** Tokenise the lines, and measure them if that was asked for or if they are our own sentences. */
  async readLines() {
    const { ui } = this;
    const request = ++this.measureRequest;
    ui.skipped.hidden = true;
    ui.start.disabled = true;
    if (!this.model) return; // it reads them when it is there
    const text = ui.text.value === EXAMPLES ? this.ownSentences(this.model.files) : this.fileText;
    if (!text) {
      ui.status.textContent = ui.note.textContent
        ? ""
        : t("Choose a plain text file with one sentence per line, at most {most} sentences.", { most: MOST_LINES });
      return;
    }
    const reads = await this.model.decoder.lines(text.lines.map((line) => line.text));
    if (request !== this.measureRequest) return;
    const ready = text.lines.map((line, i) => ({ ...line, read: reads[i] }));
    this.lines = ready.filter(({ read }) => read.fits);
    skippedLines(
      ui.skipped,
      text,
      ready.filter(({ read }) => !read.fits),
    );
    ui.status.textContent = linesNote(this.lines, this.model.files.languages);
    ui.start.disabled = this.lines.length === 0;
    if (this.measuresNext || ui.text.value === EXAMPLES) this.measureText();
    this.measuresNext = false;
  }

  /**
   * Our own sentences in the languages of a model; null if there are none.
   * @param {LiveModel} files
   * @returns {Text | null}
   */
  ownSentences({ source, target }) {
    const pairs = this.data.pairs[`${source.lang}-${target.lang}`] ?? [];
    return pairs.length
      ? { lines: pairs.map((pair, i) => ({ number: i + 1, text: pair.text, pair })), more: 0, long: [] }
      : null;
  }

  /** Whether the text is being measured, or has been. */
  hasBegun() {
    return this.isRunning || this.board.sentences.length > 0;
  }

  /** A setting changed: measure again, if the reader had begun. */
  measureAgain() {
    this.address.soon();
    if (this.hasBegun()) this.measureText();
  }

  async measureText() {
    const { ui } = this;
    if (!this.model || !this.lines?.length) return;
    const request = ++this.measureRequest;
    const { decoder, files } = this.model;
    const count = this.lines.length;
    this.isRunning = true;
    this.board.outdate();
    this.board.begin();
    ui.start.textContent = t("Cancel");
    ui.status.textContent = t("Measuring …");
    ui.progress.hidden = false;
    ui.progress.value = 0;
    const begin = performance.now();
    const [words, targetWords] = [files.source.lang, files.target.lang].map((lang) => {
      const list = valueIn(this.data.function_words, lang);
      return list ? new Set(list) : null;
    });
    try {
      await measureLines(decoder, this.lines, this.window.chosen(), {
        words,
        targetWords,
        stopped: () => request !== this.measureRequest,
        onSentence: (sentence) => {
          this.board.add(sentence);
          const n = this.board.sentences.length;
          ui.progress.value = n / count;
          ui.counted.textContent = t("{n} of {all} sentences, {rate} a second", {
            n,
            all: count,
            rate: rate(n, performance.now() - begin),
          });
          this.drawSoon();
        },
      });
      if (request !== this.measureRequest) return;
      const [n, ms] = [this.board.sentences.length, performance.now() - begin];
      this.showEnd(
        tn(
          "{n} sentence measured in {seconds} s, {rate} a second.",
          "{n} sentences measured in {seconds} s, {rate} a second.",
          n,
          { seconds: (ms / 1000).toFixed(1), rate: rate(n, ms) },
        ),
      );
      ui.root.dispatchEvent(
        new CustomEvent("attention-corpus", { detail: { sentences: n, ms }, bubbles: true, composed: true }),
      );
    } catch (problem) {
      if (request === this.measureRequest)
        this.showEnd(t("Measuring stopped: {reason}", { reason: /** @type {Error} */ (problem).message }));
    }
  }

  cancel() {
    this.measureRequest += 1;
    this.showEnd(
      t("Cancelled after {n} of {all} sentences; the figures show these.", {
        n: this.board.sentences.length,
        all: this.lines?.length ?? 0,
      }),
    );
  }

  /** @param {string} notes */
  showEnd(notes) {
    this.showStopped();
    this.ui.status.textContent = notes;
    this.board.end();
  }

  showStopped() {
    this.isRunning = false;
    this.ui.start.textContent = t("Start");
    this.ui.progress.hidden = true;
    this.ui.counted.textContent = "";
  }

  /** Draw a while after the last picture: sentences arrive faster than anybody looks. */
  drawSoon() {
    this.drawTimer ??= setTimeout(
      () => {
        this.drawTimer = undefined;
        this.page.ask();
      },
      Math.max(0, PAUSE - (performance.now() - this.drawnAt)),
    );
  }

  draw() {
    this.drawnAt = performance.now();
    this.board.draw();
  }

  downloadCsv() {
    saveCsv(
      `${this.ui.model.value}-${this.board.choice.attention}.csv`,
      csvOf(this.board.sentences, this.board.choice),
    );
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    this.modelRequest += 1;
    this.measureRequest += 1;
    clearTimeout(this.drawTimer);
    this.window.stop();
    this.address.stop();
    this.page.stop();
    this.model?.decoder.close();
  }
}

/** Sentences a second. @param {number} n @param {number} ms */
function rate(n, ms) {
  const perSecond = (1000 * n) / ms;
  return perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

export default mounted((host, /** @type {CorpusData} */ data, opening) => new CorpusStage(host, data, opening));
