// A page of its own that translates: the trace and the models are part of the page, and nothing is fetched.

import { createWidget } from "../widget/widget.js";

/** @import { LiveModel } from "./types.d.ts" */

const host = /** @type {HTMLElement} */ (document.getElementById("player"));
const read = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";
const { text, windows, ...options } = JSON.parse(read("options"));
/** @type {LiveModel[]} */
const models = JSON.parse(read("models"));
createWidget(host, {
  isHandout: true,
  trace: JSON.parse(read("trace")),
  text,
  options: { ...options, windows: { ...windows, ...models[0].graphs.windows } },
  models: models.map((files, i) => ({
    name: files.graphs.name,
    languages: files.languages,
    load: () => ({ ...files, weights: read(`weights-${i}`) }),
  })),
});
