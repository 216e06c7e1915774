// A page of its own that translates: the trace and the models are part of the page, and nothing is fetched.

import { createLive } from "./live.js";

/** @import { LiveModel } from "./types.d.ts" */

const host = /** @type {HTMLElement} */ (document.getElementById("player"));
const read = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";
const { text, windows, types, ...options } = JSON.parse(read("options"));
/** @type {LiveModel[]} */
const models = JSON.parse(read("models"));
createLive(host, {
  trace: JSON.parse(read("trace")), text, options, windows: { ...windows, ...models[0].graphs.windows }, types,
  models: models.map((files, place) => ({
    name: files.graphs.name,
    languages: files.languages,
    load: () => ({ ...files, weights: read(`weights-${place}`) }),
  })),
});
