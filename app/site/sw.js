// The service worker of the site: after the first visit, its pages open without a network. It stores the few files of
// the pages, in a cache whose name changes with them; a file is stored only if it has the size and digest that the
// build has listed. The pages store the models themselves (hosts/model-files.js).

import { valueIn } from "../../attn_core/browser/engine/lookup.js";
import { isAsListed } from "../../attn_core/browser/hosts/file-check.js";

/** @typedef {import("../../attn_core/browser/hosts/file-check.js").Listed} Listed */

/** @type {{ name: string, files: Record<string, Listed> }} */
const SHELL = JSON.parse(`SHELL`); // page.py puts the record here
const scope = /** @type {any} */ (globalThis);
const base = scope.registration.scope;
const siteSuffix = ` ${base}`; // another site of this origin has its own caches
const cacheName = `${SHELL.name}${siteSuffix}`;

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(storeAll().then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  const isOld = (/** @type {string} */ name) =>
    name.startsWith("shell-") && name.endsWith(siteSuffix) && name !== cacheName;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))));
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  event.respondWith(answer(request));
});

/** Store all files of this build. If one cannot be fetched, it rejects and stores none; the next visit tries again. */
async function storeAll() {
  const cache = await caches.open(cacheName);
  try {
    await Promise.all(
      Object.entries(SHELL.files).map(async ([name, listed]) => {
        const { isWhole, response } = await fetchAsListed(new URL(name, base), listed);
        if (!isWhole || !response) throw new Error(`${name} is not as this build has listed it`);
        await cache.put(name, response);
      }),
    );
  } catch (problem) {
    await caches.delete(cacheName);
    throw problem;
  }
}

/**
 * Fetch a file from the network. The browser's own cache is used only if the server says that the file is unchanged,
 * and not at all once the file differs from the list. `response` is null without a connection; `isWhole`: whether the
 * file is as listed.
 * @param {URL} address
 * @param {Listed} listed
 * @returns {Promise<{ response: Response | null, isWhole: boolean, text: () => string }>}
 */
async function fetchAsListed(address, listed) {
  let last = { response: /** @type {Response | null} */ (null), isWhole: false, text: () => "" };
  for (const cache of /** @type {RequestCache[]} */ (["no-cache", "reload"])) {
    const response = await fetch(address, { cache }).catch(() => null);
    if (!response?.ok) return last.response ? last : { ...last, response };
    const bytes = await response.arrayBuffer();
    const type = response.headers.get("content-type") ?? "";
    last = {
      response: new Response(bytes, { headers: { "content-type": type } }),
      isWhole: await isAsListed(bytes, listed),
      text: () => new TextDecoder().decode(bytes),
    };
    if (last.isWhole) break;
  }
  return last;
}

/**
 * The response to a request: from the network if possible, since files change under the same name, and a page from the
 * cache may name models that are gone. A file of this build that arrives damaged is taken from the cache.
 * @param {Request} request
 */
async function answer(request) {
  const { origin, pathname } = new URL(request.url);
  const path = `${origin}${pathname}`;
  const name = path.startsWith(base) ? path.slice(base.length) : null;
  const file = name === "" || name === "index.html" ? "./" : name;
  const listed = valueIn(SHELL.files, file);
  if (!file || !listed) return fetch(request);
  const { isWhole, response, text } = await fetchAsListed(new URL(request.url), listed);
  if (response?.ok && (isWhole || (await isNewer(request, text())))) return response;
  const copy = await (await caches.open(cacheName)).match(new URL(file, base));
  return copy ?? response ?? Response.error();
}

/**
 * Whether a file that differs from the list is a complete file of a newer build: a page is complete if it has an end,
 * and other files are newer if the server has another worker.
 * @param {Request} request
 * @param {string} text
 */
async function isNewer(request, text) {
  if (request.mode === "navigate") return text.trimEnd().endsWith("</html>");
  const worker = await fetch(new URL("sw.js", base), { cache: "no-cache" }).then(
    (response) => response.text(),
    () => "",
  );
  return worker.trimEnd().endsWith("})();") && !worker.includes(SHELL.name);
}
