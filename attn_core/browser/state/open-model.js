// A model is opened in a worker of the page or, where it cannot run there, on the server.

import { newest, openDecoder } from "../engine/decoder.js";
import { t } from "../player/core/messages.js";

/**
 * @import { Decoder } from "../engine/decoder.js"
 * @import { Answer, Request } from "../engine/types.d.ts"
 * @import { LiveModel, Offered } from "../hosts/types.d.ts"
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
    return {
      decoder: { translate: newest((request) => serve(name, request)), close() {}, inWorker: false },
      files: null,
    };
  }
}
