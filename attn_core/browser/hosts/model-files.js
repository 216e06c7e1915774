// The files of a model, fetched from a server or from the cache of the page's origin.

import { t } from "../player/core/messages.js";
import { valueIn } from "../engine/lookup.js";
import { openDecoder } from "../engine/decoder.js";
import { isAsListed, isComplete, isWeights } from "./file-check.js";

/**
 * @import { Decoder, Measurer } from "../engine/decoder.js"
 * @import { LiveFiles, LiveModel } from "./types.d.ts"
 * @import { Listed } from "./file-check.js"
 * @typedef {{ decoder: Decoder & Measurer, files: LiveModel }} Opened
 */

const CACHE = "models"; // the cache of this origin in which fetchStored() keeps files

/**
 * Open the model whose files have these addresses. Rejects if one cannot be fetched or is damaged.
 * @param {string} record
 * @param {string} weights
 * @param {(address: string) => Promise<Response>} [fetchFile]
 * @returns {Promise<Opened>}
 */
export async function openModelAt(record, weights, fetchFile) {
  const { weights: bytes, ...files } = await fetchModelFiles(record, weights, fetchFile);
  return { decoder: await openDecoder({ ...files, weights: bytes }), files };
}

/**
 * Fetch the files of a model from their addresses. Rejects if one cannot be fetched.
 * @param {string} record
 * @param {string} weights
 * @param {(address: string) => Promise<Response>} fetchFile
 * @returns {Promise<LiveFiles>}
 */
export async function fetchModelFiles(record, weights, fetchFile = (address) => fetch(address)) {
  const explainFailure = (/** @type {Error} */ problem) => {
    if (!(problem instanceof TypeError)) throw problem; // fetch throws a TypeError without a connection
    throw new Error(
      t(
        "the server that has this model cannot be reached, and the browser has no copy of the model from an earlier " +
          "visit",
      ),
    );
  };
  const [files, bytes] = await Promise.all(
    [record, weights].map((address) =>
      fetchFile(address)
        .catch(explainFailure)
        .then((response) => {
          if (!response.ok) throw new Error(`${address}: ${response.status}`);
          return address === record ? response.json() : response.arrayBuffer();
        }),
    ),
  );
  return { ...files, weights: new Uint8Array(bytes) };
}

/**
 * The promise in `map` for a name; if there is none, the one that `load` returns is put there. A promise that rejects
 * is removed, so that the next call loads again.
 * @template T
 * @param {Map<string, Promise<T>>} map
 * @param {string} name
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export function loadOnce(map, name, load) {
  const known = map.get(name);
  if (known) return known;
  const promise = load();
  map.set(name, promise);
  promise.catch(() => {
    if (map.get(name) === promise) map.delete(name);
  });
  return promise;
}

/**
 * Fetch a file of a model, from a cache of this origin if it is there, so that pages open without a network too. Files
 * that may change need an address that changes with them. A file is stored only if it is the one that the server lists;
 * a stored file that is not complete is deleted and fetched again. Rejects if the server cannot be reached or sends a
 * damaged file.
 * @param {string} address
 * @returns {Promise<Response>}
 */
export async function fetchStored(address) {
  // A page that came over plain http has no cache, and a browser may forbid it.
  const storage = (await globalThis.caches?.open(CACHE).catch(() => null)) ?? null;
  const copy = await (await storage?.match(address))?.arrayBuffer();
  if (copy && isComplete(address, copy)) return new Response(copy);
  if (copy) await storage?.delete(address);
  const listing = fetchListing(address);
  // The second attempt bypasses the browser's own cache
  for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
    const response = await fetch(address, { cache });
    const isPage = response.headers.get("content-type")?.startsWith("text/html"); // from a network that wants a login
    if (!response.ok || isPage) return response;
    const bytes = await response.arrayBuffer();
    const listed = await listing;
    if (!(listed ? await isAsListed(bytes, listed) : isComplete(address, bytes))) continue;
    // There may be no space left
    if (storage && listed) await storeFile(storage, address, new Response(bytes)).catch(() => {});
    return new Response(bytes);
  }
  const file = isWeights(address) ? "model.safetensors" : "record.json";
  throw new Error(
    t("{file} is damaged or incomplete on the server, perhaps because it is being updated; try again in a minute", {
      file,
    }),
  );
}

/**
 * The size and digest of a file in the list beside it on the server; null if there is no list or it cannot be read.
 * @param {string} address
 * @returns {Promise<Listed | null>}
 */
async function fetchListing(address) {
  const url = new URL(address, location.href);
  const name = url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
  for (const cache of /** @type {RequestCache[]} */ (["no-cache", "reload"])) {
    try {
      const response = await fetch(new URL("files.json", url), { cache });
      if (!response.ok) return null;
      return valueIn(/** @type {Record<string, Listed>} */ (await response.json()), name) ?? null;
    } catch {
      // Half a list arrived, or there is no connection
    }
  }
  return null;
}

/**
 * Store a file, and delete its older versions.
 * @param {Cache} storage @param {string} address @param {Response} response
 */
async function storeFile(storage, address, response) {
  await storage.put(address, response);
  const { href } = new URL(address, location.href);
  const older = (await storage.keys()).filter(({ url }) => url !== href && versionless(url) === versionless(href));
  await Promise.all(older.map((request) => storage.delete(request)));
}

/**
 * The address of a file without the digest in it: NAME-DIGEST.json on a site, NAME/DIGEST/record.json on the dashboard.
 * @param {string} address
 */
function versionless(address) {
  return address.replace(/-[0-9a-f]{8,}(?=\.\w+$)|\/[0-9a-f]{16}(?=\/[^/]+$)/, "");
}
