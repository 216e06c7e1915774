// The treatments of the Gaussian as a table: sum and missing mass of the weights, and length of the context vector.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";

/** @import { AdjustedAttention } from "./types.d.ts" */

/**
 * The names of the treatments; `key` is the key of its row of bars.
 * @type {Record<string, { key: string, row: string, name: string, how: string }>}
 */
export const TREATMENTS = {
  after_softmax: { key: "weights", row: t("paper"), name: t("the paper"), how: t("alignment weights × Gaussian") },
  renorm: {
    key: "renorm",
    row: t("÷ sum"),
    name: t("renormalised"),
    how: t("alignment weights × Gaussian, divided by their sum"),
  },
  on_scores: {
    key: "on_scores",
    row: t("on scores"),
    name: t("authors' normLocalAttn"),
    how: "softmax(score × Gaussian)",
  },
};

/**
 * The table in its section; `show` fills it.
 * @returns {{ root: HTMLElement, show: (attention: AdjustedAttention) => void }}
 */
export function buildTreatmentTable() {
  const body = el("tbody");
  const heads = [t("sum"), t("missing"), "|c|"].map((text) => el("th", { text, scope: "col" }));
  const root = el(
    "section",
    { class: "ap-section", "aria-label": t("Treatments of the Gaussian") },
    el("h3", { class: "ap-title", text: t("Three uses of the Gaussian") }),
    el("table", { class: "wl-ways" }, el("thead", {}, el("tr", {}, el("td"), ...heads)), body),
  );
  return { root, show: ({ treatments }) => body.replaceChildren(...treatments.map(tableRow)) };
}

/** @param {AdjustedAttention["treatments"][number]} treatment */
function tableRow({ mode, massKept, length }) {
  const { name, how } = TREATMENTS[mode];
  const missing = Math.max(0, 1 - massKept);
  const bar = el("span", { class: "ap-meter-lost" });
  bar.style.transform = `scaleX(${missing})`;
  const numbers = { sum: short(massKept), missing: short(missing < 5e-4 ? 0 : missing), length: length.toFixed(2) };
  return el(
    "tr",
    { "data-mode": mode },
    el(
      "th",
      { scope: "row", title: how },
      el("span", { class: "wl-way", text: name }),
      el("code", { class: "wl-source", text: mode }),
      el("span", { class: "ap-meter" }, bar),
    ),
    ...Object.entries(numbers).map(([key, text]) => el("td", { text, "data-name": key })),
  );
}
