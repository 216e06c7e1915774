// What a view asks of the engine.

import { liveOf } from "../player/core/settings.js";
import { OF_RUN, RULES } from "./view.js";

/**
 * @import { Request, TraceJSON, WindowFacts } from "../engine/types.d.ts"
 * @import { How, Settings } from "../player/core/types.d.ts"
 * @import { Run, View } from "./types.d.ts"
 */

/** @type {Pick<Run, "window" | "live" | "centers" | "keep">} */
export const AS_TRAINED = { window: null, live: {}, centers: null, keep: false };

/** How a view's sentence is translated, without the sentence. @param {Run} view @returns {Run} */
export const runOf = (view) =>
  /** @type {any} */ (Object.fromEntries(OF_RUN.map((name) => [name, view[/** @type {keyof Run} */ (name)]])));

/** A model as trained, with the search of another run. @param {string} model @param {Run} run @returns {Run} */
export const trainedRun = (model, run) => ({ ...runOf(run), ...AS_TRAINED, model, type: null, draw: 0, edits: [] });

/**
 * The window of a run, and its attention type; what is as trained is left out.
 * @param {Run} run
 * @returns {How}
 */
export function howOf({ window, live, centers, type, keep }) {
  return {
    ...(window ? { window } : {}),
    ...live,
    ...(centers ? { centers } : {}),
    ...(type ? { type } : {}),
    ...(keep ? { keep_states: true } : {}),
  };
}

/** Whether a run has the window and the attention type of another one. @param {Run} run @param {How} how */
export const runsAs = (run, how) => JSON.stringify(howOf(run)) === JSON.stringify(how);

/**
 * The request for the translation of a sentence.
 * @param {Run} run
 * @param {string} text
 * @returns {Request}
 */
export function requestOf(run, text) {
  const { beam, normalise, alpha, unk, draw, edits } = run;
  return {
    text,
    beam,
    normalise,
    ...(alpha === 1 ? {} : { alpha }),
    replace_unk: unk,
    draw,
    ...(edits.length ? { edits } : {}),
    ...howOf(run),
  };
}

/** A run as text: two runs with the same key give the same translation of a sentence. @param {Run} run */
export const runKey = (run) => JSON.stringify([run.model, requestOf(run, "")]);

/** What a view asks for, as text. @param {View} view */
export const requestKey = (view) => JSON.stringify([view.model, requestOf(view, view.text)]);

/** Whether the window of a run is not the trained one. @param {Run} run */
export const isMoved = ({ window, live, centers }) => Boolean(window || centers || Object.keys(live).length);

/**
 * How a trace was decoded.
 * @param {TraceJSON} trace
 * @param {Record<string, WindowFacts>} windows what is known of them
 * @returns {Run}
 */
export function runOfTrace({ model, settings }, windows) {
  const {
    intervention,
    window = null,
    centers = null,
    attention_type: type,
    trained_attention_type: trained,
    keep_states: keep,
  } = settings;
  const live = liveOf(windows, window).flatMap(({ name }) =>
    typeof settings[name] === "number" ? [[name, settings[name]]] : [],
  );
  return {
    model,
    type: type === trained ? null : (type ?? null),
    keep: Boolean(keep),
    edits: settings.edits ?? [],
    ...(intervention ? { window, live: Object.fromEntries(live), centers } : { window: null, live: {}, centers: null }),
    beam: settings.beam,
    normalise: settings.normalise ?? RULES[0],
    alpha: settings.alpha ?? 1,
    unk: Boolean(settings.replace_unk),
    draw: 0,
  };
}

/**
 * The settings of a window's sliders, while the translation with them is made.
 * @param {Run} run
 * @param {Settings} trained
 * @param {Record<string, WindowFacts>} windows
 * @returns {Settings}
 */
export function settingsOf(run, trained, windows) {
  const { window, live, centers, keep } = run;
  if (!isMoved(run)) return { ...trained, keep };
  const moved = Object.keys(live).length > 0;
  const values = liveOf(windows, window ?? trained.window).map(({ name, nullable, default: usual }) => [
    name,
    live[name] ?? (moved && nullable ? null : (trained.live[name] ?? usual)),
  ]);
  return { window: window ?? trained.window, live: Object.fromEntries(values), centers, keep };
}
