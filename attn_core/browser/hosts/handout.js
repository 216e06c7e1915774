// A handout, a page of its own that translates: it contains the trace and the models, and fetches nothing.

import { createWidget } from "../widget/widget.js";

/** @import { LiveModel } from "./types.d.ts" */

const host = /** @type {HTMLElement} */ (document.getElementById("player"));
const textOf = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";
const { text, windows, ...options } = JSON.parse(textOf("options"));
/** @type {LiveModel[]} */
const models = JSON.parse(textOf("models"));
createWidget(host, {
  isHandout: true,
  trace: JSON.parse(textOf("trace")),
  text,
  options: { ...options, windows: { ...windows, ...models[0].graphs.windows } },
  models: models.map((files, i) => ({
    name: files.graphs.name,
    languages: files.languages,
    load: () => ({ ...files, weights: textOf(`weights-${i}`) }),
  })),
});
