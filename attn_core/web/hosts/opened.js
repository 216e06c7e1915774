// A model that a page has opened: in a worker of the page or, where it cannot run there, on the server.

import { newest, openDecoder } from "../engine/decoder.js";
import { valueIn } from "../player/core/lookup.js";
import { t } from "../player/core/messages.js";

/**
 * @import { Decoder } from "../engine/decoder.js"
 * @import { Answer, Request, TraceJSON, WindowFacts } from "../engine/types.d.ts"
 * @import { How } from "../player/core/types.d.ts"
 * @import { LiveModel, LiveView, Offered } from "./types.d.ts"
 *
 * @typedef {(model: string, request: Request) => Promise<Answer>} Serve
 * @typedef {{ decoder: Decoder, files: LiveModel | null }} Opened `files` is null where the server translates
 */

/**
 * Rejects with an Error where the model cannot run in the page and there is no server.
 * @param {Offered} model
 * @param {Serve} [serve]
 * @returns {Promise<Opened>}
 */
export async function openModel({ name, load }, serve) {
  try {
    if (!load) throw new Error(t("it is not exported for the browser"));
    const { weights, ...files } = await load();
    return { decoder: await openDecoder({ ...files, weights }), files };
  } catch (problem) {
    if (!serve) throw problem;
    return { decoder: { translate: newest((request) => serve(name, request)), close() {}, inWorker: false }, files: null };
  }
}

/**
 * What to ask an opened model for.
 * @param {Omit<LiveView, "model"> & Pick<Request, "alpha">} view
 * @returns {Request}
 */
export const requestOf = ({ text, beam, normalise, alpha = 1, unk = false, draw = 0, type, how, edits = [] }) => (
  { text, beam, ...(normalise ? { normalise } : {}), ...(alpha === 1 ? {} : { alpha }), replace_unk: unk, draw, ...(type ? { type } : {}), ...(edits.length ? { edits } : {}), ...how }
);

/**
 * `how` where the model has that window and, for live settings and p_t, where the window has them; else the trained window.
 * @param {How} how
 * @param {LiveModel} model
 * @returns {How}
 */
export function usable(how, { graphs: { steps, windows } }) {
  const { window, centers, keep_states, ...live } = how;
  const facts = valueIn(windows, window ?? steps[0].window);
  const known = new Set(facts?.live.map(({ name }) => name));
  const fits = Object.entries(live).every(([name, value]) => value == null || known.has(name));
  return facts && fits && (facts.centered || !centers) ? how : {};
}

/**
 * The window that a trace was decoded with; {} for that of training.
 * @param {TraceJSON} trace
 * @param {Record<string, WindowFacts>} windows what is known of them
 * @returns {How}
 */
export function runOf({ settings }, windows) {
  const { intervention, window, centers, keep_states } = settings;
  const live = (valueIn(windows, window) ?? { live: [] }).live.map(({ name }) => [name, settings[name]]);
  return { ...(intervention ? { window, ...Object.fromEntries(live), centers } : {}), ...(keep_states ? { keep_states } : {}) };
}

/**
 * What a player is told of windows and attention types: those of a model that is open or, until it is and where the server has
 * it, those that exist; no windows for a model without one.
 * @param {Pick<Offered, "point">} model
 * @param {LiveModel | null} files
 * @param {{ windows: Record<string, WindowFacts>, types: Record<string, string> }} existing
 */
export function knownOf({ point }, files, { windows, types }) {
  return { windows: files?.graphs.windows ?? (point?.window === null ? {} : windows), types: files?.graphs.types ?? types };
}

/** Whether a window is set that is not the trained one. @param {How} how */
export const isChanged = ({ keep_states, ...how }) => Object.values(how).some((value) => value != null);
