// The Explorer of the site: the models are fetched when they are chosen, and the view is in the address, as in the
// dashboard.

import { t } from "../../attn_core/web/player/core/messages.js";
import { createLive } from "../../attn_core/web/hosts/live.js";
import { filesAt, stored } from "../../attn_core/web/hosts/fetched.js";
import { inBar, indexed, VERSION } from "../shell/address.js";

/**
 * @import { TraceJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { LiveView } from "../../attn_core/web/hosts/types.d.ts"
 * @typedef {{ name: string, record: string, weights: string }} Model with the addresses of its files
 * @typedef {{ trace: TraceJSON, text: string, models: Model[], beams: number[] }} Page
 */

/** @type {Page} */
const page = JSON.parse(document.getElementById("page")?.textContent ?? "null");
const note = /** @type {HTMLElement} */ (document.getElementById("note"));
/** @returns {LiveView} */
const start = () => ({ text: page.text, model: page.trace.model, beam: 1, type: null, how: {} });
const asked = new URLSearchParams(location.search);
/** @type {LiveView} */
let view = asked.size ? viewIn(asked) : start();
let { step, look } = placeIn(asked);

const live = createLive(/** @type {HTMLElement} */ (document.getElementById("player")), {
  trace: page.trace, text: page.text, options: { step, look }, view: asked.size ? view : null,
  models: page.models.map(({ name, record, weights }) => ({ name, load: () => filesAt(record, weights, stored) })),
  onView(chosen) {
    view = chosen;
    bar.soon();
  },
});

const bar = inBar(
  () => new URL(`?${written()}`, location.href),
  (url) => new URLSearchParams(url.search).get("model") ?? "",
  () => {
    const now = new URLSearchParams(location.search);
    view = viewIn(now);
    ({ step, look } = placeIn(now));
    live.show(view, step, look);
  },
);

document.addEventListener("attention-player", (event) => {
  const { detail } = /** @type {CustomEvent<{ step: number, look: string | null }>} */ (event);
  if (detail.step === step && detail.look === look) return;
  ({ step, look } = detail);
  bar.soon();
});

if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {}); // it only adds offline use

/**
 * The view of a link; a model that is not here is named, and the first one is shown instead.
 * @param {URLSearchParams} query
 * @returns {LiveView}
 */
function viewIn(query) {
  const first = start();
  const name = query.get("model") ?? first.model;
  const here = page.models.some((model) => model.name === name);
  note.textContent = here ? "" : t("There is no model “{name}” here; {other} is shown instead.", { name, other: first.model });
  const beam = Number(query.get("beam"));
  /** @param {string} parameter */
  const number = (parameter) => {
    const value = Number(query.get(parameter) ?? NaN);
    return value >= 0 ? value : null;
  };
  return {
    text: query.get("text") ?? first.text,
    model: here ? name : first.model,
    beam: page.beams.includes(beam) ? beam : first.beam,
    type: query.get("attention_type"),
    how: { window: query.get("window"), half_width: number("D"), sigma: number("sigma") },
  };
}

/** @param {URLSearchParams} query */
function placeIn(query) {
  // indexed() reads the version of the address of the page, which is that of `query`.
  return { step: indexed(query.get("step")) ?? 0, look: query.get("look") };
}

/** The view as the query of a link; app/service/view.py reads the same names. */
function written() {
  const { text, model, beam, type, how } = view;
  const values = {
    text, model, beam: beam === 1 ? null : beam, window: how.window, D: how.half_width, sigma: how.sigma,
    attention_type: type, step: step || null, look, v: VERSION,
  };
  const given = Object.entries(values).filter(([, value]) => value != null);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}
