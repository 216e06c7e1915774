// The service worker of the site: after the first visit, the page opens without a network. The page keeps the models
// by itself (hosts/fetched.js); here are the few files of the page, under a name that changes with them.

/** @type {{ name: string, files: string[] }} */
const SHELL = JSON.parse(`SHELL`); // page.py puts the record here
const scope = /** @type {any} */ (globalThis);
const mine = ` ${scope.registration.scope}`; // another site of this origin has caches of its own
const shell = `${SHELL.name}${mine}`;

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(SHELL.files)).then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  const own = (/** @type {string} */ name) => name.endsWith(mine) || !name.includes(" "); // without a scope: of earlier versions
  const old = (/** @type {string} */ name) => name.startsWith("shell-") && own(name) && name !== shell;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  event.respondWith(answer(request));
});

/**
 * From the network first, since files change under the same name, and a page from the cache may name models that are gone.
 * @param {Request} request
 */
async function answer(request) {
  const now = await fetch(request).catch(() => null);
  if (now?.ok) return now;
  const kept = await caches.open(shell).then((cache) => cache.match(request, { ignoreSearch: request.mode === "navigate" }));
  return kept ?? now ?? Response.error();
}
