// A player below a box for a sentence, with models that translate in the page what is typed or set.
//
//   const live = createLive(host, { trace, models, text, options, onSettle });
//   live.update(trace, options);   live.show(view);   live.destroy();
//
// trace, options and onSettle are those of the player, which asks onSettle to decode where the engine cannot run.
// models: with their names; load() gives a model's files when it is chosen. The first one is open at the start, unless
//         the trace names another. text: the sentence in the box, by default the tokens of the trace.
// view: what to show at the start instead of the trace; onView(view) hears what a reader has chosen since.

import { openDecoder } from "../engine/decoder.js";
import { t, tn } from "../player/core/messages.js";
import { el } from "../player/dom/elements.js";
import { createPlayer } from "../player/player.js";
import { buildSentence, fillTypes, speakAs } from "./sentence.js";

/**
 * @import { Decoder } from "../engine/decoder.js"
 * @import { Answer, How, TraceJSON } from "../engine/types.d.ts"
 * @import { Hooks, Options, Settled } from "../player/core/types.d.ts"
 * @import { Live, LiveModel, LiveView, Offered } from "./types.d.ts"
 *
 * @typedef {object} Given
 * @property {TraceJSON} trace
 * @property {Offered[]} models
 * @property {string | null} [text]
 * @property {Options} [options]
 * @property {Hooks["onSettle"]} [onSettle]
 * @property {LiveView | null} [view]
 * @property {(view: LiveView) => void} [onView]
 */

/**
 * @param {HTMLElement} host
 * @param {Given} given
 * @returns {Live}
 */
export function createLive(host, { trace: first, models, text, options: own = {}, onSettle = null, view = null, onView }) {
  const box = el("div", { class: "live" });
  const stage = el("div");
  host.replaceChildren(box, stage);
  const ui = buildSentence(box, models.map(({ name }) => name), text || wordsOf(first));
  let options = own;
  let given = first;
  let opened = 0; // counts the models opened so far
  let turns = 0; // counts the traces given by the host
  /** @type {{ decoder: Decoder | null, files: LiveModel | null, how: How, type: string, model: number, shown: TraceJSON }} */
  const state = { decoder: null, files: null, how: {}, type: "", model: placeOf(first), shown: first };
  const decoder = {
    /** @param {Settled} settings of a slider */
    async decode(settings) {
      const { as_trained, window, half_width, sigma } = settings;
      const turn = turns;
      state.how = as_trained ? {} : { window, half_width, sigma };
      const trace = (await ask())?.trace ?? null;
      if (trace && turn === turns) state.shown = trace;
      told();
      return trace;
    },
  };
  const player = createPlayer(stage, { trace: first, options, onSettle });

  ui.text.addEventListener("input", () => anew());
  ui.beam.addEventListener("change", () => anew());
  ui.type.addEventListener("change", () => {
    state.type = ui.type.value;
    anew();
  });
  ui.model.addEventListener("change", () => {
    state.how = {};
    open(Number(ui.model.value)).then(() => anew());
  });
  take(first);
  if (view) {
    stage.style.visibility = "hidden"; // until the sentence of the view is translated
    put(view);
    open(state.model).then(() => anew(own.step ?? 0)).then(() => stage.style.removeProperty("visibility"));
  } else open(state.model).then(translated);

  /** The place of a trace's model; another name may be that of a folder. @param {TraceJSON} trace */
  function placeOf(trace) {
    return Math.max(models.findIndex(({ name }) => name === trace.model), 0);
  }

  /** Show in the box how a trace was made. @param {TraceJSON} trace */
  function take(trace) {
    state.how = howOf(trace);
    ui.model.value = String(placeOf(trace));
    ui.beam.value = String(trace.settings.beam);
    state.type = trace.settings.attention_type;
  }

  /** @param {LiveView} wanted */
  function put({ text: typed, model, beam, type, how }) {
    state.model = Math.max(models.findIndex(({ name }) => name === model), 0);
    Object.assign(state, { how, type: type ?? "" });
    ui.text.value = typed;
    ui.model.value = String(state.model);
    ui.beam.value = String(beam);
  }

  /** Tell the host what is chosen now. */
  function told() {
    if (!onView || !state.files) return;
    const [trained] = state.files.graphs.steps;
    onView({
      text: ui.text.value, model: models[state.model].name, beam: Number(ui.beam.value), how: state.how,
      type: ui.type.value === trained.type ? null : ui.type.value,
    });
  }

  /**
   * Start the engine with one of the models; where it cannot run, the player shows the recorded translation as before.
   * @param {number} place
   */
  async function open(place) {
    const turn = ++opened;
    state.decoder?.close();
    Object.assign(state, { decoder: null, files: null, model: place });
    try {
      const { weights, ...files } = await models[place].load();
      const found = await openDecoder({ ...files, weights });
      if (turn !== opened) return found.close(); // another one was chosen by now
      Object.assign(state, { decoder: found, files });
      speakAs(ui, files);
      player.update(state.shown, options, { decoder });
    } catch (problem) {
      if (turn === opened) tell(problem);
    }
  }

  /** The translation of what the box holds, shown under it; null if a newer request came first. @returns {Promise<Answer | null>} */
  async function ask() {
    if (!state.decoder || !state.files) throw new Error("no model is open");
    state.how = usable(state.how, state.files);
    fillTypes(ui, state.files.graphs, state.how.window, state.type);
    const answer = await state.decoder.translate({
      text: ui.text.value, beam: Number(ui.beam.value), type: ui.type.value, ...state.how,
    });
    if (answer) show(answer);
    return answer;
  }

  /** Translate what the box holds; the trace, unless the host has given another one by now. */
  async function translated() {
    const turn = turns;
    try {
      const trace = state.decoder && (await ask())?.trace;
      return turn === turns ? trace : null;
    } catch (problem) {
      tell(problem);
    }
  }

  /** Translate what was typed, and show all of the translation or its steps up to one. */
  async function anew(step = Infinity) {
    const trace = await translated();
    told();
    if (!trace) return;
    state.shown = trace;
    player.update(trace, { ...options, step });
  }

  /** @param {Answer} answer */
  function show({ trace, text, words, most }) {
    ui.output.textContent = text;
    ui.note.textContent = trace ? unknown(trace)
      : words ? tn("This sentence has {n} word; the limit is {most}.", "This sentence has {n} words; the limit is {most}.", words, { most })
      : t("Type a sentence to translate it.");
  }

  /** @param {unknown} problem */
  function tell(problem) {
    ui.note.textContent = t("The model cannot translate in this page: {reason}.", { reason: /** @type {Error} */ (problem).message });
  }

  return {
    update(trace, newOptions) {
      options = newOptions;
      if (trace !== given) {
        given = trace;
        turns += 1;
        if (wordsOf(trace) !== wordsOf(state.shown)) ui.text.value = wordsOf(trace);
        state.shown = trace;
        take(trace);
        if (placeOf(trace) !== state.model) open(placeOf(trace)).then(translated);
        else translated();
      }
      player.update(state.shown, options);
    },
    show(wanted, step, look) {
      const before = state.model;
      options = { ...options, look };
      put(wanted);
      (state.model === before ? Promise.resolve() : open(state.model)).then(() => anew(step));
    },
    destroy() {
      opened += 1;
      state.decoder?.close();
      player.destroy();
      host.replaceChildren();
    },
  };
}

/** The settings of the window that a trace was decoded with. @param {TraceJSON} trace @returns {How} */
function howOf({ settings }) {
  return settings.intervention ? { window: settings.window, half_width: settings.half_width, sigma: settings.sigma } : {};
}

/**
 * `how` where the model has that window and, for D and sigma, where the window has a width; otherwise the trained window.
 * @param {How} how
 * @param {LiveModel} model
 * @returns {How}
 */
function usable(how, { graphs: { steps } }) {
  const window = how.window ?? steps[0].window;
  const fits = window === null ? false : steps.some((step) => step.window === window);
  return fits && (window !== "global" || how.half_width == null && how.sigma == null) ? how : {};
}

/** @param {TraceJSON} trace */
function wordsOf({ source }) {
  return source.filter((word) => word !== "</s>").join(" ");
}

/** @param {TraceJSON} trace */
function unknown(trace) {
  const words = trace.unknown.map((i) => `“${trace.source[i]}”`).join(", ");
  return words && t("Not in this model's vocabulary and read as <unk>: {words}", { words });
}
