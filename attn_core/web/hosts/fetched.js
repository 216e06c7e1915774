// A model whose files a server has: the page fetches them once and translates by itself.

import { openDecoder } from "../engine/decoder.js";

/**
 * @import { Decoder } from "../engine/decoder.js"
 * @import { LiveModel } from "./types.d.ts"
 * @typedef {{ decoder: Decoder, files: LiveModel }} Opened
 */

/** @type {{ address: string, model: Promise<Opened> } | null} the model that was asked for last */
let current = null;

/**
 * Rejects if a file cannot be fetched or is damaged.
 * @param {string} record the address of the files without the weights
 * @param {string} weights
 */
export function modelAt(record, weights) {
  if (current?.address === record) return current.model;
  current?.model.then(({ decoder }) => decoder.close(), () => {});
  const asked = { address: record, model: opened(record, weights) };
  asked.model.catch(() => {
    if (current === asked) current = null; // the next call tries again
  });
  current = asked;
  return asked.model;
}

/** @param {string} record @param {string} weights @returns {Promise<Opened>} */
async function opened(record, weights) {
  const [files, bytes] = await Promise.all([record, weights].map((address) => fetch(address).then((response) => {
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return address === record ? response.json() : response.arrayBuffer();
  })));
  return { decoder: await openDecoder({ ...files, weights: new Uint8Array(bytes) }), files };
}
