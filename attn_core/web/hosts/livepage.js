// A page of its own that translates: the trace and the models are part of the page, and nothing is fetched.

import { openDecoder } from "../engine/decoder.js";
import { t, tn } from "../player/core/messages.js";
import { createPlayer } from "../player/player.js";
import { buildSentence, fillTypes } from "./sentence.js";

/**
 * @import { Decoder } from "../engine/decoder.js"
 * @import { Answer, How, TraceJSON } from "../engine/types.d.ts"
 * @import { Settled } from "../player/core/types.d.ts"
 * @import { LiveModel } from "./types.d.ts"
 */

const MOST = 60; // as in service.js
const part = (/** @type {string} */ id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** @type {LiveModel[]} */
const models = part("models");
const { text, ...options } = part("options");
/** @type {TraceJSON} */
const first = part("trace");
const ui = buildSentence(/** @type {HTMLElement} */ (document.getElementById("sentence")), models, text);

/** @type {{ decoder: Decoder | null, how: How, model: number, shown: TraceJSON }} */
const state = { decoder: null, how: howOf(first), model: 0, shown: first };
const decoder = {
  /** @param {Settled} settings of a slider */
  async decode(settings) {
    const { as_trained, window, half_width, sigma } = settings;
    state.how = as_trained ? {} : { window, half_width, sigma };
    const trace = (await ask())?.trace ?? null;
    if (trace) state.shown = trace;
    return trace;
  },
};
const player = createPlayer(/** @type {HTMLElement} */ (document.getElementById("player")), { trace: first, options });
ui.beam.value = String(first.settings.beam);
fillTypes(ui, models[0].graphs, state.how.window, first.settings.attention_type);
ui.text.addEventListener("input", typed);
ui.beam.addEventListener("change", typed);
ui.type.addEventListener("change", typed);
ui.model.addEventListener("change", () => {
  state.how = {};
  open(Number(ui.model.value)).then(typed);
});
open(0).then(() => state.decoder && ask());

/** The settings of the window that a trace was decoded with. @param {TraceJSON} trace @returns {How} */
function howOf({ settings }) {
  return settings.intervention ? { window: settings.window, half_width: settings.half_width, sigma: settings.sigma } : {};
}

/**
 * Start the engine with one of the models; where it cannot run, the page shows the recorded translation as before.
 * @param {number} place
 */
async function open(place) {
  state.decoder?.close();
  state.decoder = null;
  const weights = document.getElementById(`weights-${place}`)?.textContent ?? "";
  try {
    state.decoder = await openDecoder({ ...models[place], weights });
    state.model = place;
    player.update(state.shown, options, { decoder });
  } catch (problem) {
    tell(problem);
  }
}

/** The translation of what the box holds, shown under it; null if a newer request came first. @returns {Promise<Answer | null>} */
async function ask() {
  if (!state.decoder) throw new Error("no model is open");
  const { graphs } = models[state.model];
  fillTypes(ui, graphs, state.how.window, ui.type.value);
  const answer = await state.decoder.translate({
    text: ui.text.value, beam: Number(ui.beam.value), type: ui.type.value, ...state.how,
  });
  if (answer) show(answer);
  return answer;
}

/** Translate what was typed, and show the whole translation. */
async function typed() {
  if (!state.decoder) return;
  try {
    const trace = (await ask())?.trace;
    if (!trace) return;
    state.shown = trace;
    player.update(trace, { ...options, step: Infinity });
  } catch (problem) {
    tell(problem);
  }
}

/** @param {Answer} answer */
function show({ trace, text, words }) {
  ui.output.textContent = text;
  ui.note.textContent = trace ? unknown(trace)
    : words ? tn("This sentence has {n} word; the limit is {most}.", "This sentence has {n} words; the limit is {most}.", words, { most: MOST })
    : t("Type a sentence to translate it.");
}

/** @param {TraceJSON} trace */
function unknown(trace) {
  const words = trace.unknown.map((i) => `“${trace.source[i]}”`).join(", ");
  return words && t("Not in this model's vocabulary and read as <unk>: {words}", { words });
}

/** @param {unknown} problem */
function tell(problem) {
  ui.note.textContent = t("The model cannot translate in this page: {reason}.", { reason: /** @type {Error} */ (problem).message });
}
