// A model that a page has opened: in a worker of the page or, where it cannot run there, on the server.

import { newest, openDecoder } from "../engine/decoder.js";
import { valueIn } from "../player/core/lookup.js";
import { t } from "../player/core/messages.js";

/**
 * @import { Decoder } from "../engine/decoder.js"
 * @import { Answer, How, Request, TraceJSON } from "../engine/types.d.ts"
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
 * `how` where the model has that window and, for D, sigma and p_t, where the window has them; else the trained window.
 * @param {How} how
 * @param {LiveModel} model
 * @returns {How}
 */
export function usable(how, { graphs: { steps, windows } }) {
  const { window, centers, ...live } = how;
  const facts = valueIn(windows, window ?? steps[0].window);
  const known = new Set(facts?.live.map(({ name }) => name));
  const fits = Object.entries(live).every(([name, value]) => value == null || known.has(name));
  return facts && fits && (facts.centered || !centers) ? how : {};
}

/** The settings of the window that a trace was decoded with. @param {TraceJSON} trace @returns {How} */
export function howOf({ settings }) {
  const { intervention, window, half_width, sigma, centers } = settings;
  return intervention ? { window, half_width, sigma, centers } : {};
}
