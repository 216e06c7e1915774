// The Corpus page's stage: one model over the sentences of a text, measured by the engine in its worker. What the reader
// chose is in the address; the text of a file is not.

import { opened, stored } from "../../../attn_core/web/hosts/fetched.js";
import { t, tn } from "../../../attn_core/web/player/core/messages.js";
import { fromAddress, inBar } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { mounted } from "../kit/mount.js";
import { buildBoard } from "./board.js";
import { saveCsv } from "../../shell/csv.js";
import { csvOf } from "./csv.js";
import { buildPage, FILE, offer, OWN, WIDEST } from "./parts.js";
import { measure } from "./measuring.js";
import { MOST_LINES, readText } from "./text.js";
import { linesNote, skippedLines } from "./notes.js";
import { valueIn } from "../../../attn_core/web/player/core/lookup.js";
import { onTyped } from "../../../attn_core/web/player/dom/typing.js";

/** @import { Measurer } from "../../../attn_core/web/engine/decoder.js" */
/** @import { LiveModel } from "../../../attn_core/web/hosts/types.d.ts" */
/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { CorpusData, How, Ready, Text } from "./types.d.ts" */

/** @typedef {{ decoder: Measurer & { close: () => void }, files: LiveModel }} Opened */

const NAMES = { text: "corpus_text", window: "corpus_window", halfWidth: "corpus_D" };
const PAUSE = 200; // ms between two pictures while sentences arrive
const TYPED = 400; // ms after the last change of a number

/**
 * @param {HTMLElement} host
 * @param {CorpusData} data
 * @param {boolean} opening
 * @returns {Stage}
 */
export function createCorpus(host, data, opening) {
  const [choice] = data.live.choices;
  const ui = buildPage(choice);
  const page = onPage(ui.root, draw);
  host.append(ui.root);
  /** @type {Text | null} the file's, once it was read */
  let ofFile = null;
  /** @type {Opened | null} */
  let model = null;
  /** @type {Ready[] | null} lines that the model can translate; null before it has read them */
  let lines = null;
  // Another model, text or run ends the one before.
  let load = 0;
  let taken = 0;
  let turn = 0;
  let resume = false; // whether the text is measured as soon as the next model has read it
  let running = false;
  let drawnAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typed;
  const keeps = inBar(address, (url) => `${url.searchParams.get(choice.name)} ${url.searchParams.get(NAMES.text)}`, () => {
    opening = true;
    const text = ui.text.value;
    fill();
    if (ui.text.value !== text) clear();
    prepare();
  });
  const board = buildBoard(ui, {
    heads(attention) {
      const all = model?.files.graphs.heads;
      return all ? { cross: all.looks, encoder: all.encoder, decoder: all.own }[attention] : [];
    },
    made: () => ({ model: ui.model.value, how: how() }),
    theme: page.theme,
    onChange: keeps.soon,
  });
  ui.model.addEventListener("change", () => prepare());
  ui.text.addEventListener("change", takeText);
  ui.file.addEventListener("change", takeText);
  ui.window.addEventListener("change", () => {
    ui.halfWidth.value = "";
    showWindow();
    again();
  });
  onTyped(ui.halfWidth, () => {
    clearTimeout(typed);
    typed = setTimeout(again, TYPED);
  });
  ui.halfWidth.addEventListener("change", () => { ui.halfWidth.value = String(how().half_width ?? ""); }); // the one in use
  ui.start.addEventListener("click", () => (running ? cancel() : run()));
  ui.save.addEventListener("click", download);
  fill();
  if (choice.models.length) prepare();
  else ui.note.textContent = t("There is no trained model for this page in pretrained/.");

  /** Take the choices from the address, where it has them. */
  function fill() {
    const linked = (/** @type {string} */ name) => (opening ? fromAddress(name) : null);
    const asked = linked(choice.name);
    ui.model.value = asked && choice.models.includes(asked) ? asked : choice.models.includes(choice.first) ? choice.first : choice.models[0] ?? "";
    ui.text.value = linked(NAMES.text) === FILE ? FILE : OWN;
    const said = asked && asked !== ui.model.value ? [t("The link asks for “{value}”, which does not exist here; the default is shown instead.", { value: asked.slice(0, 40) })] : [];
    if (ui.text.value === FILE && !ofFile) said.push(t("This link was made for a text file, and links do not contain files. Choose the file again."));
    ui.note.textContent = said.join(" ");
    ui.fileField.hidden = ui.text.value !== FILE;
    board.fill(linked);
  }

  /** What of the address only a model can tell. */
  function fillForModel() {
    if (!opening) return;
    opening = false;
    const window = fromAddress(NAMES.window) ?? "";
    if ([...ui.window.options].some(({ value }) => value === window)) ui.window.value = window;
    showWindow();
    const wide = fromAddress(NAMES.halfWidth) ?? "";
    if (/^\d+$/.test(wide) && Number(wide) <= WIDEST) ui.halfWidth.value = wide;
    board.fillHead(fromAddress);
  }

  function address() {
    const url = new URL(location.href);
    const { window = null, half_width = null } = how();
    const values = {
      [choice.name]: ui.model.value === choice.first ? null : ui.model.value, [NAMES.text]: ui.text.value === OWN ? null : ui.text.value,
      [NAMES.window]: window, [NAMES.halfWidth]: half_width, ...board.address(),
    };
    for (const [name, value] of Object.entries(values)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, String(value));
    }
    return url;
  }

  /** The window that the reader chose; what is left out is as trained. @returns {How} */
  function how() {
    const wide = /^\d+$/.test(ui.halfWidth.value) && !ui.halfField.hidden ? Math.min(Number(ui.halfWidth.value), WIDEST) : null;
    return { ...(ui.window.value ? { window: ui.window.value } : {}), ...(wide === null ? {} : { half_width: wide }) };
  }

  /** Open the chosen model and read the text with it. Our own sentences are then measured; a file only if it was before. */
  async function prepare() {
    const now = ++load;
    resume ||= begun();
    turn += 1;
    stop();
    lines = null;
    board.outdate();
    ui.start.disabled = true;
    ui.status.textContent = t("Loading the model …");
    model?.decoder.close();
    model = null;
    const { record, weights } = data.live.addresses[ui.model.value];
    try {
      const found = await opened(record, weights, stored);
      if (now !== load) {
        found.decoder.close();
        return;
      }
      model = found;
      fillWindows();
      fillForModel();
      await readLines();
    } catch (problem) {
      if (now === load) ui.status.textContent = t("The model cannot be used: {reason}", { reason: /** @type {Error} */ (problem).message });
    }
    keeps.soon();
  }

  /** Offer the windows that the model can be run with. */
  function fillWindows() {
    const [trained, ...others] = model?.files.graphs.steps ?? [];
    const windows = new Set(others.filter(({ type, window }) => type === trained.type && window && window !== trained.window).map(({ window }) => String(window)));
    /** @type {[value: string, text: string][]} */
    const offered = [["", t("{window} (as trained)", { window: String(trained.window ?? "global") })], ...[...windows].map((one) => /** @type {[string, string]} */ ([one, one]))];
    offer(ui.window, offered, "");
    ui.windowField.hidden = windows.size === 0;
    ui.halfWidth.value = "";
    showWindow();
  }

  /** Offer D where the window has one. */
  function showWindow() {
    const steps = model?.files.graphs.steps ?? [];
    const way = ui.window.value ? steps.find(({ type, window }) => type === steps[0].type && window === ui.window.value) : steps[0];
    ui.halfField.hidden = way?.live.half_width === undefined;
    ui.halfWidth.placeholder = String(way?.live.half_width ?? "");
  }

  /** Another text: ours, or the file. */
  async function takeText() {
    const now = ++taken;
    clear();
    ui.fileField.hidden = ui.text.value !== FILE;
    ui.note.textContent = "";
    lines = null;
    const file = ui.file.files?.[0];
    if (ui.text.value === FILE && file) {
      ofFile = null;
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (now !== taken) return;
        ofFile = readText(file.name, bytes);
      } catch (problem) {
        ui.note.textContent = /** @type {Error} */ (problem).message;
      }
    }
    try {
      await readLines();
    } catch (problem) { // the model was closed, since another one is being opened, or it failed
      if (now === taken && model) ui.status.textContent = /** @type {Error} */ (problem).message;
    }
    keeps.soon();
  }

  /** Forget what was measured of another text. */
  function clear() {
    turn += 1;
    resume = false;
    stop();
    board.clear();
  }

  /** Tokenise the lines, and measure them if that was asked for or if they are our own sentences. */
  async function readLines() {
    const now = ++turn;
    ui.skipped.hidden = true;
    ui.start.disabled = true;
    if (!model) return; // it reads them when it is there
    const text = ui.text.value === OWN ? examples(model.files) : ofFile;
    if (!text) {
      ui.status.textContent = ui.note.textContent ? "" : t("Choose a plain text file with one sentence per line, at most {most} sentences.", { most: MOST_LINES });
      return;
    }
    const all = text.lines;
    const reads = await model.decoder.lines(all.map((line) => line.text));
    if (now !== turn) return;
    const ready = all.map((line, i) => ({ ...line, read: reads[i] }));
    lines = ready.filter(({ read }) => read.fits);
    skippedLines(ui.skipped, text, ready.filter(({ read }) => !read.fits));
    ui.status.textContent = linesNote(lines, model.files.languages);
    ui.start.disabled = lines.length === 0;
    if (resume || ui.text.value === OWN) run();
    resume = false;
  }

  /** Our own sentences in the languages of a model; null if there are none. @param {LiveModel} files @returns {Text | null} */
  function examples({ source, target }) {
    const pairs = data.pairs[`${source.lang}-${target.lang}`] ?? [];
    return pairs.length ? { lines: pairs.map((pair, i) => ({ number: i + 1, text: pair.text, pair })), more: 0, long: [] } : null;
  }

  /** Whether the text is being measured, or has been. */
  function begun() {
    return running || board.sentences().length > 0;
  }

  /** A setting changed: measure again, if the reader had begun. */
  function again() {
    keeps.soon();
    if (begun()) run();
  }

  async function run() {
    if (!model || !lines?.length) return;
    const now = ++turn;
    const { decoder, files } = model;
    const all = lines.length;
    running = true;
    board.outdate();
    board.begin();
    ui.start.textContent = t("Cancel");
    ui.status.textContent = t("Measuring …");
    ui.progress.hidden = false;
    ui.progress.value = 0;
    const begin = performance.now();
    const [words, targetWords] = [files.source.lang, files.target.lang].map((lang) => {
      const list = valueIn(data.function_words, lang);
      return list ? new Set(list) : null;
    });
    try {
      await measure(decoder, lines, how(), {
        words, targetWords, stopped: () => now !== turn,
        onSentence(sentence) {
          board.add(sentence);
          const n = board.sentences().length;
          ui.progress.value = n / all;
          ui.counted.textContent = t("{n} of {all} sentences, {rate} a second", { n, all, rate: rate(n, performance.now() - begin) });
          soon();
        },
      });
      if (now !== turn) return;
      const [n, ms] = [board.sentences().length, performance.now() - begin];
      finish(tn("{n} sentence measured in {seconds} s, {rate} a second.", "{n} sentences measured in {seconds} s, {rate} a second.", n, { seconds: (ms / 1000).toFixed(1), rate: rate(n, ms) }));
      ui.root.dispatchEvent(new CustomEvent("attention-corpus", { detail: { sentences: n, ms }, bubbles: true, composed: true }));
    } catch (problem) {
      if (now === turn) finish(t("Measuring stopped: {reason}", { reason: /** @type {Error} */ (problem).message }));
    }
  }

  function cancel() {
    turn += 1;
    finish(t("Cancelled after {n} of {all} sentences; the figures show these.", { n: board.sentences().length, all: lines?.length ?? 0 }));
  }

  /** @param {string} said */
  function finish(said) {
    stop();
    ui.status.textContent = said;
    board.end();
  }

  function stop() {
    running = false;
    ui.start.textContent = t("Start");
    ui.progress.hidden = true;
    ui.counted.textContent = "";
  }

  /** Draw a while after the last picture: sentences arrive faster than anybody looks. */
  function soon() {
    later ??= setTimeout(() => {
      later = undefined;
      page.ask();
    }, Math.max(0, PAUSE - (performance.now() - drawnAt)));
  }

  function draw() {
    drawnAt = performance.now();
    board.draw();
  }

  function download() {
    saveCsv(`${ui.model.value}-${board.shown().attention}.csv`, csvOf(board.sentences(), board.shown()));
  }

  return {
    update: page.restyle,
    destroy() {
      load += 1;
      turn += 1;
      clearTimeout(later);
      clearTimeout(typed);
      keeps.stop();
      page.stop();
      model?.decoder.close();
    },
  };
}

/** Sentences a second. @param {number} n @param {number} ms */
function rate(n, ms) {
  const perSecond = (1000 * n) / ms;
  return perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

export default mounted(createCorpus);
