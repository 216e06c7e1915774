// The panels around the stage: the sentence so far, the next word, the window's controls, the badge.

import { heat } from "../core/heat.js";
import { headName, manyHeads, MEAN, meanName } from "../core/looks.js";
import { t, tn } from "../core/messages.js";
import { short } from "../core/numbers.js";
import { removed } from "../core/rows.js";
import { factsOf, isMovable, liveOf, same, sameWindow, valuesOf } from "../core/settings.js";
import { valueIn } from "../core/lookup.js";
import { el } from "./elements.js";
import { hide } from "./focus.js";
import { presents } from "./presenter.js";
import { markStep, off, showPlaying } from "./steps.js";
import { lowered } from "./symbols.js";

/** @import { Options, Row, Settings, Step, Trace, TraceSettings, View } from "../core/types.d.ts" */
/** @import { Windows } from "../core/settings.js" */
/** @import { liveKnobs } from "./knobs.js" */
/** @import { Ui } from "./types.d.ts" */

/**
 * @typedef {object} Badge
 * @property {boolean} kept whether words and states are those of the trained model
 * @property {boolean} first
 * @property {boolean} intervention
 * @property {number} edits
 * @property {string} type the attention type, if it is not the trained one
 */

const PRESENTED = 4; // next words in presenter view, which shows them in one line

/**
 * The words of the target as buttons, which are replaced only when the sentence changes.
 * @param {Ui} ui
 * @param {string[]} target
 * @param {(step: number) => void} jump
 */
export function fillSentence(ui, target, jump) {
  const letters = target.join(" ").length;
  ui.sentence.classList.toggle("ap-long", letters > 56);
  ui.sentence.classList.toggle("ap-very-long", letters > 140);
  ui.sentence.replaceChildren(
    ...target.map((word, i) => {
      const button = el("button", { type: "button", class: "ap-word", text: word, "data-step": i });
      if (word === "</s>" || word === "<unk>") button.classList.add("ap-special");
      button.addEventListener("click", () => jump(i));
      return button;
    }),
  );
}

/**
 * Show the words up to `step`; later ones keep their place but are invisible.
 * @param {Ui} ui
 * @param {number} step
 */
export function showSentence(ui, step) {
  markStep(ui.sentence, step, (button, i) => {
    button.classList.toggle("ap-future", i > step);
    button.tabIndex = i > step ? -1 : 0;
  });
}

/**
 * The choice of a layer and head, and what else depends on the kind of trace.
 * @param {Ui} ui
 * @param {Trace} trace
 * @param {number | null} chosen
 */
export function fillLooks(ui, trace, chosen) {
  const looks = trace.steps[0]?.looks ?? [];
  ui.looks.hidden = looks.length < 2;
  if (looks.length > 1) ui.lookNote.textContent = manyHeads(looks);
  ui.look.replaceChildren(
    el("option", { value: MEAN, text: meanName(looks.length), selected: chosen === null }),
    ...looks.map((look, i) => el("option", { value: i, text: headName(look), selected: i === chosen })),
  );
  ui.eos.hidden = trace.target.at(-1) !== "</s>";
  ui.vectorNote.textContent = trace.steps.length
    ? t("This model has no attention: one fixed-length vector represents the sentence.")
    : t("Nothing was decoded: there is no word to show.");
}

/**
 * The place of the chosen word among the most probable ones; -1 if it is none of them. A source word that replaces <unk> is
 * at the place of <unk>, by its probability.
 * @param {Step} step
 */
function chosenOf({ top, token, log_prob }) {
  const same = (/** @type {number} */ logProb) => Math.abs(logProb - log_prob) < 1e-6;
  const named = top.findIndex(([word, logProb]) => word === token && same(logProb));
  return named >= 0 ? named : top.findIndex(([, logProb]) => same(logProb));
}

/**
 * The distribution over the next word: the best `most`, with the chosen one marked, and the total of all others.
 * @param {Ui} ui
 * @param {Step} step
 * @param {number} room the number of words that there is room for beside the stage
 */
export function showNext(ui, step, room) {
  const most = presents(ui) ? PRESENTED : room;
  const at = chosenOf(step);
  const best = step.top.slice(0, most).map(([word, logProb], i) => (
    i === at ? { word: step.token, p: Math.exp(logProb), kind: "chosen" } : { word, p: Math.exp(logProb), kind: "" }));
  if (!best.some(({ kind }) => kind)) best.push({ word: step.token, p: Math.exp(step.log_prob), kind: "chosen" });
  const rest = Math.max(0, 1 - best.reduce((total, { p }) => total + p, 0));
  best.push({ word: t("all other words"), p: rest, kind: "rest" });
  while (ui.next.children.length < best.length) {
    const bar = el("span", { class: "ap-next-bar" });
    ui.next.append(
      el("div", { class: "ap-next-row" }, el("span", { class: "ap-next-word" }), el("span", { class: "ap-next-track" }, bar),
        el("span", { class: "ap-next-p" })),
    );
  }
  Array.from(ui.next.children).forEach((row, i) => {
    if (!(row instanceof HTMLElement)) return;
    row.hidden = i >= best.length;
    if (row.hidden) return;
    const { word, p, kind } = best[i];
    row.className = `ap-next-row ${kind ? `ap-${kind}` : ""}`;
    row.dataset.rank = i < Math.min(most, step.top.length) ? String(i) : "";
    const opens = row.dataset.rank && row.closest("[data-numbers]"); // a host opens its number
    for (const [name, given] of Object.entries({ role: "button", tabindex: "0", "aria-label": `${word} ${short(p)}` })) {
      if (opens) row.setAttribute(name, given);
      else row.removeAttribute(name);
    }
    const [name, track, value] = row.children;
    name.textContent = word;
    name.setAttribute("title", word);
    /** @type {HTMLElement} */ (track.firstChild).style.transform = `scaleX(${p})`;
    value.textContent = short(p);
  });
}

/**
 * The window section for the current settings (`now`). A recording, which cannot be decoded, has no controls.
 * @param {Ui} ui
 * @param {{ trace: Trace, now: Settings, trained: Settings, windows: Windows, knobs: ReturnType<typeof liveKnobs>, decodes: boolean,
 *   keeps: boolean, step: number, center: number | null }} given `center`: p_t of the step on show
 */
export function showWindow(ui, { trace, now, trained, windows, knobs, decodes, keeps, step, center }) {
  const movable = decodes && isMovable(now, windows);
  ui.windowSection.hidden = now.window === null;
  ui.knobs.hidden = !movable;
  const offered = decodes && Object.keys(windows).some((window) => isMovable({ ...now, window }, windows));
  hide(ui.give, movable || !offered, ui.trained);
  ui.keep.hidden = !movable || !keeps;
  ui.keepBox.checked = now.keep;
  off(ui.trained, same(now, trained, windows));
  ui.windowText.replaceChildren(...lowered(describe(now, trained, windows)));
  ui.windowText.classList.toggle("ap-warn", !same(now, trained, windows));
  if (!movable) return;
  const words = trace.source.length;
  const widest = Math.max(words - 1, 1, ...liveOf(windows, trained.window).filter(({ whole }) => whole).map(({ name }) => trained.live[name] ?? 0));
  knobs.show(now, windows, widest);
  ui.centerRow.hidden = !factsOf(windows, now.window)?.centered;
  const place = now.centers?.[step] ?? center ?? 0;
  ui.center.max = String(words);
  ui.center.value = String(place);
  ui.centerValue.textContent = place.toFixed(2);
  ui.center.setAttribute("aria-valuetext", t("position {place}", { place: place.toFixed(2) }));
  ui.center.classList.toggle("ap-linked", now.centers?.[step] === undefined);
  hide(ui.ownCenter, now.centers?.[step] === undefined, ui.trained); // no slider, which would take the arrow keys
}

/**
 * The model's name and how this run departs from its training, for presenter view, which hides the panels that say so.
 * @param {Ui} ui
 * @param {Trace} trace
 * @param {Pick<View, "now" | "trained">} view
 * @param {Pick<Options, "windows" | "types">} known
 */
export function showModel(ui, { model, settings }, { now, trained }, { windows = {}, types }) {
  const edits = settings.edits?.length ?? 0;
  ui.model.textContent = model;
  const parts = [!same(now, trained, windows) && describe(now, trained, windows), edits > 0 && edited(edits), typeNote(settings, types)];
  ui.intervention.replaceChildren(...parts.flatMap((part) => (part ? [el("span", {}, ...lowered(part))] : [])));
}

/**
 * @param {Settings} now
 * @param {Settings} trained
 * @param {Windows} windows
 */
function describe(now, trained, windows) {
  if (same(now, trained, windows)) {
    return factsOf(windows, now.window)?.about || t("{window}, as trained.", { window: String(now.window) });
  }
  if (sameWindow(now, trained, windows)) {
    const n = Object.keys(now.centers ?? {}).length;
    return tn("Intervention: p_{t} of {n} step is set by hand.", "Intervention: p_{t} of {n} steps is set by hand.", n);
  }
  if (factsOf(windows, trained.window) && !isMovable(trained, windows)) return t("Intervention: the model was trained without a window.");
  return t("Intervention: trained with {window}.", { window: spoken(trained, windows) });
}

/** @param {Settings} settings @param {Windows} windows */
function spoken(settings, windows) {
  const values = valuesOf(settings, windows);
  const live = liveOf(windows, settings.window).flatMap(({ name, symbol }) => {
    const value = values[name];
    return value === null ? [] : [`${symbol} = ${Number(value.toFixed(2))}`];
  });
  return [settings.window, ...live].join(", ");
}

/**
 * The section on the heatmap: what it shows, and its colours.
 * @param {Ui} ui
 * @param {View} view
 */
export function showHeatmap(ui, { rows, map, onlyOne, theme, look }) {
  ui.viewSection.hidden = !rows.length || !map;
  ui.heat.hidden = onlyOne;
  for (const radio of ui.heat.querySelectorAll("input")) radio.checked = radio.value === look.heat;
  ui.ramp.style.background = heat(theme).stops;
  ui.rampMost.textContent = String(look.scale);
}

/**
 * The mass that the Gaussian removed at this step.
 * @param {Ui} ui
 * @param {Row | undefined} row
 * @param {boolean} bell
 */
export function showLost(ui, row, bell) {
  ui.lostLine.hidden = !bell || !row;
  if (!bell || !row) return;
  const lost = removed(row);
  ui.lost.textContent = lost.toFixed(2);
  ui.lostBar.style.transform = `scaleX(${lost})`;
}

/**
 * Where the numbers come from, with a note beside it.
 * @param {Ui} ui
 * @param {Badge} badge
 */
export function showBadge(ui, { kept, first, intervention, edits, type }) {
  ui.badge.textContent = kept ? t("words and states kept") : edits ? t("edited by hand") : t("decoded");
  ui.badge.classList.toggle("ap-preview", kept || edits > 0);
  const states = first ? t("exact at this first step: no state depends on it yet") : t("each step begins with the state of the trained model");
  const notes = [kept && states, edits > 0 && edited(edits), !kept && intervention && t("with a window the model was not trained with"), type];
  ui.note.textContent = notes.filter(Boolean).join("; ");
}

/** @param {number} n */
const edited = (n) => tn("intervention: {n} edit", "intervention: {n} edits", n);

/**
 * The attention type and the trained one, if they differ; otherwise "".
 * @param {TraceSettings} traceSettings
 * @param {Options["types"]} [types]
 */
export function typeNote({ attention_type: type, trained_attention_type: trained }, types) {
  if (type === trained || !type || !trained) return "";
  return t("{type} attention, trained with {trained} attention", { type: typeName(type, types), trained: typeName(trained, types) });
}

/** The name of an attention type on the page. @param {string} type @param {Options["types"]} [types] */
export const typeName = (type, types = {}) => valueIn(types, type) ?? type;

/**
 * Step counter, slider and playback buttons.
 * @param {Ui} ui
 * @param {number} step
 * @param {number} steps
 * @param {boolean} playing
 */
export function showDeck(ui, step, steps, playing) {
  const count = t("step {n} of {all}", { n: step + 1, all: steps });
  ui.count.textContent = count;
  ui.scrub.max = String(Math.max(steps - 1, 0));
  ui.scrub.value = String(step);
  ui.scrub.style.setProperty("--ap-done", String(steps > 1 ? step / (steps - 1) : 1));
  ui.scrub.setAttribute("aria-valuetext", count);
  for (const button of [ui.first, ui.back]) off(button, step <= 0);
  for (const button of [ui.forward, ui.last]) off(button, step >= steps - 1);
  showPlaying(ui.play, playing);
}
