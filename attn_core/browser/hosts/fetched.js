// A model whose files a server has: the page fetches them and runs it.

import { t } from "../player/core/messages.js";
import { valueIn } from "../engine/lookup.js";
import { openDecoder } from "../engine/decoder.js";
import { isAsListed, isComplete, isWeights } from "./whole.js";

/**
 * @import { Decoder, Measurer } from "../engine/decoder.js"
 * @import { LiveFiles, LiveModel } from "./types.d.ts"
 * @import { Listed } from "./whole.js"
 * @typedef {{ decoder: Decoder & Measurer, files: LiveModel }} Opened
 */

const STORE = "models"; // the name of the cache of this origin in which stored() keeps files

/**
 * The model of these files, open. Rejects if one cannot be fetched or is damaged.
 * @param {string} record
 * @param {string} weights
 * @param {(address: string) => Promise<Response>} [get]
 * @returns {Promise<Opened>}
 */
export async function opened(record, weights, get) {
  const { weights: bytes, ...files } = await filesAt(record, weights, get);
  return { decoder: await openDecoder({ ...files, weights: bytes }), files };
}

/**
 * The files of a model. Rejects if one cannot be fetched.
 * @param {string} record
 * @param {string} weights
 * @param {(address: string) => Promise<Response>} get
 * @returns {Promise<LiveFiles>}
 */
export async function filesAt(record, weights, get = (address) => fetch(address)) {
  const unreachable = (/** @type {Error} */ problem) => {
    if (!(problem instanceof TypeError)) throw problem; // what fetch throws without a connection
    throw new Error(
      t(
        "the server that has this model cannot be reached, and the browser has no copy of the model from an earlier " +
          "visit",
      ),
    );
  };
  const [files, bytes] = await Promise.all(
    [record, weights].map((address) =>
      get(address)
        .catch(unreachable)
        .then((response) => {
          if (!response.ok) throw new Error(`${address}: ${response.status}`);
          return address === record ? response.json() : response.arrayBuffer();
        }),
    ),
  );
  return { ...files, weights: new Uint8Array(bytes) };
}

/**
 * The promise in `map` for a name, made if it is not there. One that rejects is removed, so that the next call tries
 * again.
 * @template T
 * @param {Map<string, Promise<T>>} map
 * @param {string} name
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
export function once(map, name, make) {
  const known = map.get(name);
  if (known) return known;
  const promise = make();
  map.set(name, promise);
  promise.catch(() => {
    if (map.get(name) === promise) map.delete(name);
  });
  return promise;
}

/**
 * Fetches a file of a model, or takes it from a cache of this origin, for pages that open without a network too. Files
 * that may change need an address that changes with them. A file is kept only if it is the one that the server lists; a
 * copy that is not complete is thrown away and fetched again. Rejects if the server cannot be reached or sends a
 * damaged file.
 * @param {string} address
 * @returns {Promise<Response>}
 */
export async function stored(address) {
  // A page that came over plain http has no cache, and a browser may forbid it.
  const store = (await globalThis.caches?.open(STORE).catch(() => null)) ?? null;
  const kept = await (await store?.match(address))?.arrayBuffer();
  if (kept && isComplete(address, kept)) return new Response(kept);
  if (kept) await store?.delete(address);
  const listing = listedAt(address);
  for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
    // the second time past the browser's own cache
    const response = await fetch(address, { cache });
    const isPage = response.headers.get("content-type")?.startsWith("text/html"); // from a network that wants a login
    if (!response.ok || isPage) return response;
    const bytes = await response.arrayBuffer();
    const listed = await listing;
    if (!(listed ? await isAsListed(bytes, listed) : isComplete(address, bytes))) continue;
    if (store && listed) await keep(store, address, new Response(bytes)).catch(() => {}); // there may be no space left
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
 * What the server's list, beside a file, says about it; null if it has no such list.
 * @param {string} address
 * @returns {Promise<Listed | null>}
 */
async function listedAt(address) {
  const at = new URL(address, location.href);
  const name = at.pathname.slice(at.pathname.lastIndexOf("/") + 1);
  for (const cache of /** @type {RequestCache[]} */ (["no-cache", "reload"])) {
    try {
      const response = await fetch(new URL("files.json", at), { cache });
      if (!response.ok) return null;
      return valueIn(/** @type {Record<string, Listed>} */ (await response.json()), name) ?? null;
    } catch {
      // half a list, or no connection
    }
  }
  return null;
}

/**
 * Keep a file, in place of older versions of it.
 * @param {Cache} store @param {string} address @param {Response} response
 */
async function keep(store, address, response) {
  await store.put(address, response);
  const { href } = new URL(address, location.href);
  const old = (await store.keys()).filter(({ url }) => url !== href && versionless(url) === versionless(href));
  await Promise.all(old.map((request) => store.delete(request)));
}

/**
 * The address of a file without the digest in it: NAME-DIGEST.json on a site, NAME/DIGEST/record.json on the dashboard.
 * @param {string} address
 */
function versionless(address) {
  return address.replace(/-[0-9a-f]{8,}(?=\.\w+$)|\/[0-9a-f]{16}(?=\/[^/]+$)/, "");
}
