// The matrix products of one layer's attention, drawn to scale.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { grouped } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { withSubscripts } from "../../../attn_core/browser/player/dom/symbols.js";

/** @import { Sizes } from "./types.d.ts" */
/** @typedef {[symbol: string, rows: number, columns: number, origin: "given" | "learned" | "made"]} Matrix */
/** @typedef {{ factors: [Matrix, Matrix], sign?: string, result: Matrix }} Product `sign`: "=" unless there is one */

/** @type {Record<string, string>} by the symbol of the states */
const STATE_NAMES = {
  X: t("X: the states of the source words in this layer"),
  Y: t("Y: the states of the target words in this layer"),
  H: t("H: the encoder's final states"),
};
/** @type {Record<string, [queries: string, keys: string]>} by attention */
const STATES = { encoder: ["X", "X"], decoder: ["Y", "Y"], cross: ["Y", "H"] };

/**
 * A section for each step of the computation. Heads are numbered from 1, as in section 3.2.2.
 * @param {Sizes} sizes
 */
export function buildShapes(sizes) {
  const { size: d, heads: h } = sizes;
  const sum = `${h} × 3 × ${d} × ${d / h} + ${d} × ${d}`;
  const total = grouped(3 * d * d + d * d);
  const sections = stepsOf(sizes).map(({ title, about, products }) =>
    el(
      "section",
      {},
      el("h4", { text: title }),
      el("p", { text: about }),
      el("div", { class: "sh-row" }, ...products.map(buildProduct)),
    ),
  );
  return el(
    "div",
    { class: "sh" },
    el("h3", { class: "ap-title sh-all", text: t("Queries, keys and values, to scale") }),
    ...sections,
    el("p", {
      class: "sh-all sh-count",
      text: t("Parameters of this layer's attention: {sum} = {total}, for any number of words.", { sum, total }),
    }),
  );
}

/**
 * The steps of multi-head attention with their matrix products.
 * @param {Sizes} sizes
 * @returns {{ title: string, about: string, products: Product[] }[]}
 */
function stepsOf({ key, size: d, heads: h, scaled, queries, keys }) {
  const d_k = d / h;
  const [queryStates, keyStates] = STATES[key];
  /** @type {(matrix: string, states: string, rows: number) => Product} */
  const projection = (matrix, states, rows) => ({
    factors: [
      [states, rows, d, "given"],
      [`W_{${matrix}}`, d, d_k, "learned"],
    ],
    result: [matrix, rows, d_k, "made"],
  });
  const softmaxText = t("One row of A for each query; softmax over each row (Vaswani 2017, equation 1).");
  const maskedText = t(
    "One row of A for each query; softmax over each row, with later positions masked (Vaswani 2017, equation 1).",
  );
  return [
    {
      title: t("1 · Project, in each of the {h} heads", { h }),
      about: t("{matrices}. Each head has its own three matrices (Vaswani 2017, section 3.2.2).", {
        matrices: [...new Set([queryStates, keyStates])].map((states) => STATE_NAMES[states]).join("; "),
      }),
      products: [
        projection("Q", queryStates, queries),
        projection("K", keyStates, keys),
        projection("V", keyStates, keys),
      ],
    },
    {
      title: t("2 · Compare"),
      about: key === "decoder" ? maskedText : softmaxText,
      products: [
        {
          factors: [
            ["Q", queries, d_k, "made"],
            ["Kᵀ", d_k, keys, "made"],
          ],
          sign: scaled ? `/ √${d_k} → softmax →` : "→ softmax →",
          result: ["A", queries, keys, "made"],
        },
      ],
    },
    {
      title: t("3 · Average"),
      about: t("Each row of A gives a weighted sum of the values (Vaswani 2017, equation 1)."),
      products: [
        {
          factors: [
            ["A", queries, keys, "made"],
            ["V", keys, d_k, "made"],
          ],
          result: ["head", queries, d_k, "made"],
        },
      ],
    },
    {
      title: t("4 · Combine the heads"),
      about: t("{h} heads of {d_k} dimensions, numbered as in Vaswani 2017.", { h, d_k }),
      products: [
        {
          factors: [
            [`[head_{1} … head_{${h}}]`, queries, d, "made"],
            ["W_{O}", d, d, "learned"],
          ],
          result: ["out", queries, d, "made"],
        },
      ],
    },
  ];
}

/** @param {Product} product */
function buildProduct({ factors, sign = "=", result }) {
  const [first, second] = factors.map(buildMatrix);
  return el("div", { class: "sh-product" }, first, buildSign("·"), second, buildSign(sign), buildMatrix(result));
}

/** @param {string} text */
const buildSign = (text) => el("span", { class: "sh-sign", text });

/** @param {Matrix} matrix */
function buildMatrix([symbol, rows, columns, origin]) {
  const rectangle = el("div", { class: `sh-box sh-${origin}` });
  rectangle.style.setProperty("--sh-wide", String(columns));
  rectangle.style.setProperty("--sh-high", String(rows));
  return el(
    "figure",
    { class: "sh-matrix" },
    el("figcaption", { translate: "no" }, ...withSubscripts(symbol)),
    rectangle,
    el("small", { text: `${rows} × ${columns}` }),
  );
}
