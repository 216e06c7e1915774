// A model whose files a server has: the page fetches them and runs it.

import { t } from "../player/core/messages.js";
import { openDecoder } from "../engine/decoder.js";

/**
 * @import { Decoder, Measurer } from "../engine/decoder.js"
 * @import { LiveFiles, LiveModel } from "./types.d.ts"
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
  const unreachable = () => { throw new Error(t("the server that has this model cannot be reached, and the browser has not kept it from an earlier visit")); };
  const [files, bytes] = await Promise.all([record, weights].map((address) => get(address).catch(unreachable).then((response) => {
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return address === record ? response.json() : response.arrayBuffer();
  })));
  return { ...files, weights: new Uint8Array(bytes) };
}

/**
 * The promise in `map` for a name, made if it is not there. One that rejects is removed, so that the next call tries again.
 * @template T
 * @param {Map<string, Promise<T>>} map
 * @param {string} name
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
export function once(map, name, make) {
  const found = map.get(name);
  if (found) return found;
  const made = make();
  map.set(name, made);
  made.catch(() => { if (map.get(name) === made) map.delete(name); });
  return made;
}

/**
 * Fetches a file, or takes it from a cache of this origin, for pages that open without a network too. Files that may
 * change need an address that changes with them.
 * @param {string} address
 */
export async function stored(address) {
  if (!globalThis.caches) return fetch(address); // the page came over plain http
  const store = await caches.open(STORE).catch(() => null); // a browser may forbid it
  const found = await store?.match(address);
  if (found) return found;
  const response = await fetch(address);
  const isPage = response.headers.get("content-type")?.startsWith("text/html"); // from a network that wants a login
  if (store && response.ok && !isPage) await keep(store, address, response.clone()).catch(() => {}); // there may be no space left
  return response;
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
