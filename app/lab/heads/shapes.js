// The matrix products of one layer's attention, drawn to scale.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { grouped } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { lowered } from "../../../attn_core/browser/player/dom/symbols.js";

/** @import { Sizes } from "./types.d.ts" */
/** @typedef {[symbol: string, rows: number, columns: number, kind?: "given" | "learned" | "made"]} Matrix */

/**
 * Heads are numbered from 1, as in section 3.2.2.
 * @param {Sizes} sizes
 */
export function shapes({ key, size: d, heads: h, scaled, queries, keys }) {
  const d_k = d / h;
  const [asks, answers] = { encoder: ["X", "X"], decoder: ["Y", "Y"] }[key] ?? ["Y", "H"];
  const operands = {
    X: t("X: the states of the source words in this layer"),
    Y: t("Y: the states of the target words in this layer"),
    H: t("H: the encoder's final states"),
  };
  const who = [...new Set([asks, answers])]
    .map((name) => operands[/** @type {keyof typeof operands} */ (name)])
    .join("; ");
  /** @type {[title: string, about: string, products: HTMLElement[]][]} */
  const steps = [
    [
      t("1 · Project, in each of the {h} heads", { h }),
      t("{matrices}. Each head has its own three matrices (Vaswani 2017, section 3.2.2).", { matrices: who }),
      [
        product(
          [
            [asks, queries, d, "given"],
            ["W_{Q}", d, d_k, "learned"],
          ],
          ["Q", queries, d_k],
        ),
        product(
          [
            [answers, keys, d, "given"],
            ["W_{K}", d, d_k, "learned"],
          ],
          ["K", keys, d_k],
        ),
        product(
          [
            [answers, keys, d, "given"],
            ["W_{V}", d, d_k, "learned"],
          ],
          ["V", keys, d_k],
        ),
      ],
    ],
    [
      t("2 · Compare"),
      key === "decoder"
        ? t(
            "One row of A for each query; softmax over each row, with later positions masked (Vaswani 2017, " +
              "equation 1).",
          )
        : t("One row of A for each query; softmax over each row (Vaswani 2017, equation 1)."),
      [
        product(
          [
            ["Q", queries, d_k, "made"],
            ["Kᵀ", d_k, keys, "made"],
          ],
          ["A", queries, keys],
          scaled ? `/ √${d_k} → softmax →` : "→ softmax →",
        ),
      ],
    ],
    [
      t("3 · Average"),
      t("Each row of A gives a weighted sum of the values (Vaswani 2017, equation 1)."),
      [
        product(
          [
            ["A", queries, keys, "made"],
            ["V", keys, d_k, "made"],
          ],
          ["head", queries, d_k],
        ),
      ],
    ],
    [
      t("4 · Combine the heads"),
      t("{h} heads of {d_k} dimensions, numbered as in Vaswani 2017.", { h, d_k }),
      [
        product(
          [
            [`[head_{1} … head_{${h}}]`, queries, d, "made"],
            ["W_{O}", d, d, "learned"],
          ],
          ["out", queries, d],
        ),
      ],
    ],
  ];
  const sum = `${h} × 3 × ${d} × ${d_k} + ${d} × ${d}`;
  const total = grouped(h * 3 * d * d_k + d * d);
  return el(
    "div",
    { class: "sh" },
    el("h3", { class: "ap-title sh-all", text: t("Queries, keys and values, to scale") }),
    ...steps.map(([title, about, products]) =>
      el(
        "section",
        {},
        el("h4", { text: title }),
        el("p", { text: about }),
        el("div", { class: "sh-row" }, ...products),
      ),
    ),
    el("p", {
      class: "sh-all sh-count",
      text: t("Parameters of this layer's attention: {sum} = {total}, for any number of words.", { sum, total }),
    }),
  );
}

/** @param {Matrix[]} factors @param {Matrix} made @param {string} between */
function product(factors, made, between = "=") {
  const boxes = factors.flatMap((factor, i) => [
    ...(i ? [el("span", { class: "sh-sign", text: "·" })] : []),
    matrix(factor),
  ]);
  return el("div", { class: "sh-product" }, ...boxes, el("span", { class: "sh-sign", text: between }), matrix(made));
}

/** @param {Matrix} matrix */
function matrix([symbol, rows, columns, kind = "made"]) {
  const rectangle = el("div", { class: `sh-box sh-${kind}` });
  rectangle.style.setProperty("--sh-wide", String(columns));
  rectangle.style.setProperty("--sh-high", String(rows));
  return el(
    "figure",
    { class: "sh-matrix" },
    el("figcaption", { translate: "no" }, ...lowered(symbol)),
    rectangle,
    el("small", { text: `${rows} × ${columns}` }),
  );
}
