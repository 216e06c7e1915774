// The service worker of the site: after the first visit, the page opens without a network. The page keeps the models by
// itself (hosts/fetched.js); here are the few files of the page, under a name that changes with them. A file is kept
// only if it has the size and digest that the build has listed.

import { valueIn } from "../../attn_core/browser/engine/lookup.js";
import { isAsListed } from "../../attn_core/browser/hosts/whole.js";

/** @typedef {import("../../attn_core/browser/hosts/whole.js").Listed} Listed */

/** @type {{ name: string, files: Record<string, Listed> }} */
const SHELL = JSON.parse(`SHELL`); // page.py puts the record here
const scope = /** @type {any} */ (globalThis);
const base = scope.registration.scope;
const mine = ` ${base}`; // another site of this origin has caches of its own
const shell = `${SHELL.name}${mine}`;

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keepAll().then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  const old = (/** @type {string} */ name) => name.startsWith("shell-") && name.endsWith(mine) && name !== shell;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  event.respondWith(answer(request));
});

/** Keep all files of this build. Rejects, and keeps none, if one of them cannot be had; the next visit tries again. */
async function keepAll() {
  const cache = await caches.open(shell);
  try {
    await Promise.all(
      Object.entries(SHELL.files).map(async ([name, listed]) => {
        const found = await fetchedAsListed(new URL(name, base), listed);
        if (!found.whole || !found.response) throw new Error(`${name} is not as this build has listed it`);
        await cache.put(name, found.response);
      }),
    );
  } catch (problem) {
    await caches.delete(shell);
    throw problem;
  }
}

/**
 * A file from the network: the browser's own cache is asked only for what the server calls unchanged, and not at all
 * once the file differs from the list. `response` is null without a connection.
 * @param {URL} address
 * @param {Listed} listed
 * @returns {Promise<{ response: Response | null, whole: boolean, text: () => string }>}
 */
async function fetchedAsListed(address, listed) {
  let last = { response: /** @type {Response | null} */ (null), whole: false, text: () => "" };
  for (const cache of /** @type {RequestCache[]} */ (["no-cache", "reload"])) {
    const response = await fetch(address, { cache }).catch(() => null);
    if (!response?.ok) return last.response ? last : { ...last, response };
    const bytes = await response.arrayBuffer();
    const type = response.headers.get("content-type") ?? "";
    last = {
      response: new Response(bytes, { headers: { "content-type": type } }),
      whole: await isAsListed(bytes, listed),
      text: () => new TextDecoder().decode(bytes),
    };
    if (last.whole) break;
  }
  return last;
}

/**
 * From the network first, since files change under the same name, and a page from the cache may name models that are
 * gone. A file of this build that arrives damaged is taken from the cache.
 * @param {Request} request
 */
async function answer(request) {
  const { origin, pathname } = new URL(request.url);
  const path = `${origin}${pathname}`;
  const name = path.startsWith(base) ? path.slice(base.length) : null;
  const file = name === "" || name === "index.html" ? "./" : name;
  const listed = valueIn(SHELL.files, file);
  if (!file || !listed) return fetch(request);
  const found = await fetchedAsListed(new URL(request.url), listed);
  if (found.response?.ok && (found.whole || (await isNewer(request, found.text())))) return found.response;
  const kept = await (await caches.open(shell)).match(new URL(file, base));
  return kept ?? found.response ?? Response.error();
}

/**
 * Whether a file that differs from the list is complete all the same: a page has an end, and the other files are those
 * of a newer build if the server has another worker.
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
