// A player below a box for a sentence, with models that translate in the page what is typed or set.
//
//   const live = createLive(host, { trace, models, text, options, windows });
//   live.update(trace, options);   live.show(view);   live.destroy();
//
// trace, options: as of the player; windows, types: see knownOf in opened.js. models: their load() gives the files; the first
//         one is open at the start, unless the trace names another. text: the sentence, by default that of the trace.
// axes: ways in which the models differ, each a chip; more: other chips; examples: by languages; between: what is between the
//         playback and the step; serve(model, request): translates where the page cannot. view: shown first instead of the
//         trace; onView(view, files, trace, answer) hears what is chosen, with the files of a model that runs in the page.

import { MOST_DRAWS } from "../engine/limits.js";
import { NO_HEAD } from "../player/core/looks.js";
import { t } from "../player/core/messages.js";
import { sentenceOf, typedOf } from "../player/core/pieces.js";
import { el } from "../player/dom/elements.js";
import { hide } from "../player/dom/focus.js";
import { createPlayer } from "../player/player.js";
import { isChanged, knownOf, openModel, requestOf, runOf, usable } from "./opened.js";
import { betterModel, failure, refusal, remarks } from "./remarks.js";
import { buildSentence, fillTypes, pairOf, roomFor, servedAs, speakAs, textsOf } from "./sentence.js";
import { onTyped } from "../player/dom/typing.js";

/**
 * @import { Decoder } from "../engine/decoder.js"
 * @import { Answer, Edit, Request, TraceJSON } from "../engine/types.d.ts"
 * @import { HeadChoice, How, Options } from "../player/core/types.d.ts"
 * @import { Given, Live, LiveModel, LiveView, Rule } from "./types.d.ts"
 */

const SOON = 300; // ms within which a model that the browser has kept is open

/**
 * @param {HTMLElement} host
 * @param {Given} given
 * @returns {Live}
 */
export function createLive(host, { trace: first, models, text, options: own = {}, windows = {}, types = {}, view = null, onView, serve, axes, examples, more, between }) {
  const box = el("div", { class: "live" });
  const stage = el("div");
  host.replaceChildren(box, stage);
  const ui = buildSentence(box, { models, text: text || typedOf(first.source), axes, examples, more }, choose);
  const room = roomFor(box, ui.text);
  let options = own;
  let given = first;
  let opened = 0; // counts the models opened so far
  let turns = 0; // counts the traces given by the host
  let choices = 0; // counts the models and views chosen so far
  let ready = Promise.resolve(); // when the chosen model is open, or has failed
  let awaited = 0; // models that open and translations that are made now
  /** @type {Map<string, string>} the last sentence in each language */
  const sentences = new Map();
  /** @type {{ decoder: Decoder | null, files: LiveModel | null, how: How, rule: Rule, alpha: number, type: string, draw: number, model: number, shown: TraceJSON, edits: Edit[], answer: Answer | null, reset: boolean, dropped: boolean, loading: boolean, request: Request | null }} */
  const state = { decoder: null, files: null, how: {}, rule: "length", alpha: 1, type: "", draw: 0, edits: [], answer: null, model: placeOf(first), shown: first, reset: false, dropped: false, loading: false, request: null };
  const decoder = {
    keeps: false,
    async decode(/** @type {How} */ how) {
      await ready;
      const turn = turns;
      state.how = how;
      const answer = await ask();
      if (!answer) return null;
      if (answer.trace && turn === turns) state.shown = answer.trace;
      told(answer.trace);
      return answer.trace;
    },
  };
  const complete = (/** @type {Options} */ given) => ({ ...given, ...knownOf(models[state.model], state.files, { windows, types }) });
  const player = createPlayer(stage, { trace: first, options: complete(options), decoder });
  if (between) stage.querySelector(".ap-body")?.before(between);

  onTyped(ui.text, () => {
    room.fit();
    drop();
    again();
  });
  [ui.beam, ui.unk].forEach((field) => field.addEventListener("change", again));
  ui.type.addEventListener("change", () => {
    state.type = ui.type.value;
    again();
  });
  ui.draw.addEventListener("click", () => {
    state.draw = (state.draw + 1) % (MOST_DRAWS + 1);
    again();
  });
  take(first);
  const recorded = JSON.stringify(wanted());
  if (view) {
    stage.style.visibility = "hidden"; // until the sentence of the view is translated
    put(view);
    arrive(open(state.model), { step: own.step ?? 0, layer: own.layer ?? null, head: own.head ?? null });
  } else open(state.model).then(translated).then((answer) => { if (answer) told(answer.trace); });

  /** Another sentence in the box. @param {string} sentence */
  function say(sentence) {
    ui.text.value = sentence;
    room.fit();
  }

  /** The place of a trace's model; another name may be that of a folder. @param {TraceJSON} trace */
  function placeOf(trace) {
    return Math.max(models.findIndex(({ name }) => name === trace.model), 0);
  }

  /** Another model, in its trained window, with a sentence in its language: `kept`, if given. @param {number} place @param {string} [kept] */
  function choose(place, kept) {
    const [before, after] = [state.model, place].map((one) => models[one].languages[0]);
    const [offeredBefore, offered] = [state.model, place].map((one) => textsOf(examples ?? {}, models[one]));
    const fits = kept ?? (state.answer?.reading.swapped && after === models[state.model].languages[1] ? ui.text.value : null);
    if (before !== after) {
      if (fits === null) leave();
      say(fits ?? sentences.get(after) ?? offered[0] ?? ui.text.value);
    } else if (pairOf(models[state.model]) === pairOf(models[place])) { // an example becomes the model's form of it
      say(offered[offeredBefore.indexOf(ui.text.value)] ?? ui.text.value);
    }
    state.reset = isChanged(state.how);
    state.how = {};
    drop();
    choices += 1;
    open(place).then(() => anew());
  }

  /** Keep the sentence of a language for the way back, unless it is one in another language. */
  function leave() {
    if (!models[state.model].joined && !state.answer?.reading.swapped) sentences.set(models[state.model].languages[0], ui.text.value);
  }

  /** Remove the edits and the p_t set by hand, which belong to a sentence and a model. */
  function drop() {
    state.dropped ||= state.edits.length > 0 || Boolean(state.how.centers);
    Object.assign(state, { edits: [], how: { ...state.how, centers: null } });
  }

  /** Show in the box how a trace was made. @param {TraceJSON} trace */
  function take(trace) {
    state.how = runOf(trace, windows);
    state.rule = trace.settings.normalise ?? "length";
    state.alpha = trace.settings.alpha ?? 1;
    if (trace.settings.beam > 1) ui.openAll();
    ui.takeBeam(trace.settings.beam);
    ui.unk.checked = Boolean(trace.settings.replace_unk);
    state.type = trace.settings.attention_type;
    state.edits = trace.settings.edits ?? [];
    named(placeOf(trace));
  }

  /** @param {LiveView} wanted */
  function put({ text: typed, model, beam, normalise, type, how, unk = false, draw = 0, edits = [] }) {
    state.model = Math.max(models.findIndex(({ name }) => name === model), 0);
    Object.assign(state, { how, rule: normalise ?? "length", alpha: 1, type: type ?? "", draw, edits, reset: false, dropped: false });
    say(typed);
    ui.takeBeam(beam);
    ui.unk.checked = unk;
    if (beam > 1 || type) ui.openAll();
    named(state.model);
  }

  /** Show which model is chosen. @param {number} place */
  function named(place) {
    ui.offer(place);
    ui.model.value = String(place);
    ui.chips.show(place, state.how.window);
    hide(ui.other, true, ui.model); // until the answer of this model
    ui.introduce(models[place]);
  }

  /** The attention type, if it is not the trained one. */
  function otherType() {
    const trained = state.files?.graphs.steps[0].type;
    return !trained || ui.type.value === trained ? null : ui.type.value;
  }

  /** Tell the host what is chosen now. @param {TraceJSON | null | undefined} trace its translation, if there is one */
  function told(trace) {
    if (!onView) return;
    const beam = Number(ui.beam.value);
    onView({
      text: trace && state.request ? state.request.text : ui.text.value, model: models[state.model].name, beam, normalise: beam === 1 || state.rule === "length" ? null : state.rule,
      unk: ui.unk.checked, how: state.how,
      type: otherType(), draw: ui.draw.hidden ? 0 : state.draw, edits: state.edits,
    }, state.files, trace ?? null, state.answer);
  }

  /**
   * Start the engine with one of the models. Where it cannot run, the host translates, if it can; else the player shows the
   * translation before as a recorded one.
   * @param {number} place
   */
  function open(place) {
    return (ready = start(place));
  }

  /** @param {number} place */
  async function start(place) {
    const turn = ++opened;
    state.decoder?.close();
    Object.assign(state, { decoder: null, files: null, answer: null, model: place, loading: true });
    named(place);
    wait(turn);
    try {
      const found = await busy(openModel(models[place], serve));
      if (turn !== opened) return found.decoder.close(); // another one was chosen by now
      Object.assign(state, found, { loading: false });
    } catch (problem) {
      if (turn !== opened) return;
      state.loading = false;
      servedAs(ui, models[place]);
      player.update(state.shown, complete(options), { decoder: null });
      tell(problem);
      return told(null);
    }
    if (state.files) speakAs(ui, state.files);
    else servedAs(ui, models[place]);
    decoder.keeps = Boolean(state.files);
    player.update(state.shown, complete(options), { decoder });
  }

  /** Until the promise is settled, assistive technology knows that the player is about to change. @template T @param {Promise<T>} promise */
  async function busy(promise) {
    stage.ariaBusy = String(Boolean(++awaited));
    try {
      return await promise;
    } finally {
      stage.ariaBusy = String(Boolean(--awaited));
    }
  }

  /** While a model loads, the picture is that of the model before: it cannot be used, and a slow load says so. @param {number} turn */
  function wait(turn) {
    if (placeOf(state.shown) === state.model) return;
    stage.inert = true;
    setTimeout(() => {
      if (turn !== opened || !state.loading) return;
      stage.classList.add("live-stale");
      ui.output.textContent = "";
      ui.note.textContent = t("Loading the model …");
    }, SOON);
  }

  /** Translate with the model of a view, and go to its place, unless something else is chosen by then. @param {Promise<void>} opening @param {{ step: number } & HeadChoice} place */
  async function arrive(opening, place) {
    const now = ++choices;
    await opening;
    if (now !== choices) return;
    await anew(place.step);
    if (now === choices) player.go(place);
  }

  /** What to ask for now. */
  function wanted() {
    return requestOf({
      text: ui.text.value, beam: Number(ui.beam.value), normalise: state.rule, alpha: state.alpha, unk: ui.unk.checked, draw: state.draw, how: state.how, edits: state.edits,
      type: otherType(),
    });
  }

  /**
   * The translation of what the box holds, shown under it; null if there is a newer request or another model by now.
   * @returns {Promise<Answer | null>}
   */
  async function ask() {
    const { decoder: asked } = state;
    if (!asked) throw new Error(t("no model is open in the page"));
    if (state.files) {
      state.how = usable(state.how, state.files);
      fillTypes(ui, state.files.graphs, state.how.window, state.type);
    }
    if (!state.files && state.edits.length) Object.assign(state, { edits: [], dropped: true }); // the server makes none
    const request = wanted();
    const slow = state.files ? undefined : setTimeout(() => {
      if (asked === state.decoder) ui.note.textContent = t("The server is loading the model or translating for others …");
    }, SOON);
    const answer = await busy(asked.translate(request)).catch((problem) => {
      if (asked === state.decoder) throw problem;
      return null;
    }).finally(() => clearTimeout(slow));
    if (!answer || asked !== state.decoder) return null;
    state.request = request;
    show(request.text, answer);
    return answer;
  }

  /** Translate what the box holds; null if it failed, or if there is a newer request or a trace of the host by now. */
  async function translated() {
    const turn = turns;
    try {
      const answer = state.decoder && await ask();
      return turn === turns ? answer : null;
    } catch (problem) {
      tell(problem);
      told(null);
      return null;
    }
  }

  /** Translate with the settings of the box, and with a model that could not be opened before if it can be now. */
  async function again() {
    if (!state.decoder && !state.loading) await open(state.model);
    await anew();
  }

  /** Translate what was typed. The step on show is kept for the same sentence; another one begins at `step`. */
  async function anew(step = 0) {
    const answer = await translated();
    if (!answer) return;
    told(answer.trace);
    if (!answer.trace) return;
    state.shown = answer.trace;
    player.update(answer.trace, complete({ ...options, step }));
    options = { ...options, ...NO_HEAD }; // that of the link counts once
  }

  /** @param {string} typed @param {Answer} answer */
  function show(typed, answer) {
    stale(!answer.trace);
    ui.output.textContent = answer.trace && !answer.text ? t("(no words: the model ended the translation at once)") : answer.text;
    state.answer = answer;
    if (answer.trace) leave();
    const { unfit = [] } = answer;
    if (unfit.length) state.edits = state.edits.filter((edit) => !unfit.some((one) => JSON.stringify(one.edit) === JSON.stringify(edit)));
    const said = answer.trace ? remarks(typed, answer, { languages: (state.files ?? models[state.model]).languages, joined: models[state.model].joined ?? state.files?.source.sentences }) : refusal(answer);
    const { place, reason, label } = betterModel(typed, answer, models, state.model, axes ?? [], !answer.trace?.settings.intervention && !state.edits.length && !otherType());
    const reset = state.reset ? t("The window was reset to the trained one.") : "";
    const dropped = state.dropped ? t("Manual changes were removed: they belong to another sentence or model.") : "";
    ui.note.textContent = [reset, dropped, said, reason].filter(Boolean).join(" ");
    ui.chips.show(state.model, state.how.window);
    hide(ui.other, place < 0, ui.model);
    Object.assign(ui.other, { textContent: label, onclick: () => choose(place, ui.text.value) });
    ui.offerUnk(Boolean(answer.trace?.target.includes("<unk>")));
    Object.assign(state, { reset: false, dropped: false });
  }

  /** Whether the player shows what the box holds now. */
  const upToDate = () => placeOf(state.shown) === state.model && JSON.stringify(wanted()) === (state.request ? JSON.stringify(state.request) : recorded);

  /** The picture is of an earlier request: it must not look like that of this one. @param {boolean} now */
  function stale(now) {
    stage.style.removeProperty("visibility");
    stage.classList.toggle("live-stale", now);
    stage.inert = now;
    if (now) ui.output.textContent = "";
  }

  /** @param {unknown} problem */
  function tell(problem) {
    stale(!upToDate());
    ui.note.textContent = failure(problem);
  }

  return {
    update(trace, newOptions) {
      options = newOptions;
      if (trace !== given) {
        given = trace;
        turns += 1;
        if (sentenceOf(trace.source) !== sentenceOf(state.shown.source)) say(typedOf(trace.source));
        state.shown = trace;
        take(trace);
        if (placeOf(trace) !== state.model) open(placeOf(trace)).then(translated);
        else translated();
      }
      player.update(state.shown, complete(options));
    },
    show(next, at) {
      const before = state.model;
      put(next);
      arrive(state.model === before && (state.decoder || state.loading) ? ready : open(state.model), at);
    },
    jump: player.jump,
    async translate(changed) {
      const { decoder: asked, request } = state;
      return asked && request && state.files ? asked.translate({ ...request, ...changed }, true) : null;
    },
    async origin(number) {
      const { decoder: asked, request } = state;
      if (!asked?.origin || !request) throw new Error(t("no model is open in the page"));
      return asked.origin(request, number);
    },
    async edit(edits) {
      state.edits = state.files ? edits : [];
      const trace = (await translated())?.trace;
      if (!trace) return; // a newer edit came first
      state.shown = trace;
      player.update(trace, complete(options));
      told(trace);
    },
    normalise(rule) {
      state.rule = rule;
      anew();
    },
    openAll: ui.openAll,
    destroy() {
      opened += 1;
      room.stop();
      state.decoder?.close();
      player.destroy();
      host.replaceChildren();
    },
  };
}
