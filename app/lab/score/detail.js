// The selected score function for the selected key: its parameters, and how v_a turns a vector into one score.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { exact } from "../../../attn_core/web/player/core/numbers.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { equation, withFormulas } from "../../shell/equation.js";
import { keyName, two } from "./board.js";
import { beside, inner, squashed, times } from "./functions.js";
import { onTyped } from "../../../attn_core/web/player/dom/typing.js";

/** @import { Detail, DetailPart, Matrix, VectorsState, Vector } from "./types.d.ts" */

/** @typedef {[how: string, value: number]} Sum the terms of a score, and the score */

/** @type {Record<string, string>} */
const TITLES = {
  dot: t("No parameters: the lengths of the two vectors and the angle between them determine the score"),
  scaled_dot: t("No parameters: dot divided by the square root of the number of dimensions"),
  general: t("A matrix transforms every key before the dot product"),
  additive: t("A small network: two matrices, tanh, and $v_a$, which turns a vector into one score"),
  concat: t("The same network with one matrix for both vectors: it is $[W_a\\ U_a]$ of additive, so the scores are equal"),
  location: t("One row for each position: the keys are not used"),
};

/** @returns {Detail} */
export function buildDetail() {
  const detail = /** @type {Detail} */ ({});
  detail.title = el("h3", { class: "ap-title" });
  detail.body = el("div", { class: "al-detail-body" });
  detail.root = el("section", { class: "al-detail", "aria-label": t("Details of the selected score function") }, detail.title, detail.body);
  return detail;
}

/**
 * Show the selected function; inputs keep their focus while their numbers change.
 * @param {Detail} detail
 * @param {VectorsState} state
 */
export function showDetail(detail, state) {
  const { score } = state;
  if (detail.shown !== score) {
    detail.shown = score;
    detail.title.replaceChildren(...withFormulas(TITLES[score]));
    detail.parts = make(detail, state);
    detail.body.replaceChildren(...detail.parts.map(({ root }) => root));
  }
  for (const part of detail.parts) part.fill(state);
}

/**
 * @param {Detail} detail
 * @param {VectorsState} state
 * @returns {DetailPart[]}
 */
function make(detail, state) {
  const { score } = state;
  const net = (/** @type {VectorsState} */ s) => s.parameters.additive;
  /**
   * @param {"W_a" | "U_a"} key
   * @param {(state: VectorsState) => Matrix} read
   * @param {number} [split]
   */
  const matrix = (key, read, split) => makeMatrix(detail, score, key, read, read(state), split);
  if (score === "general") return [matrix("W_a", (s) => s.parameters.general.W_a), makeSum(general)];
  if (score === "location") return [matrix("W_a", (s) => s.parameters.location.W_a), makeSum(location)];
  if (score === "additive") {
    return [matrix("W_a", (s) => net(s).W_a), matrix("U_a", (s) => net(s).U_a), makeCollapse(detail, score)];
  }
  if (score === "concat") {
    const joined = (/** @type {VectorsState} */ s) => beside(net(s).W_a, net(s).U_a);
    return [matrix("W_a", joined, net(state).W_a[0].length), makeCollapse(detail, score)];
  }
  return [makeSum(score === "dot" ? dot : scaled)];
}

/**
 * @param {string} label
 * @param {(value: number) => void} act
 */
function numberField(label, act) {
  const input = el("input", { type: "number", step: 0.1, min: -9, max: 9, "aria-label": label, inputmode: "decimal" });
  let used = ""; // the last value that was
  input.addEventListener("focus", () => { used = input.value; });
  onTyped(input, () => {
    if (!Number.isFinite(input.valueAsNumber)) return;
    const value = Math.min(Math.max(input.valueAsNumber, -9), 9);
    used = String(value);
    act(value);
  });
  input.addEventListener("change", () => { input.value = used; });
  return input;
}

/**
 * Write a number into an input unless somebody is typing into it.
 * @param {HTMLInputElement} input
 * @param {number} value
 */
function put(input, value) {
  if (/** @type {Document | ShadowRoot} */ (input.getRootNode()).activeElement !== input) input.value = String(Math.round(value * 100) / 100);
}

/**
 * @param {Detail} detail
 * @param {string} score
 * @param {"W_a" | "U_a"} key
 * @param {(state: VectorsState) => Matrix} read
 * @param {Matrix} values
 * @param {number | undefined} split
 * @returns {DetailPart}
 */
function makeMatrix(detail, score, key, read, values, split) {
  const inputs = values.map((line, i) => line.map((_, j) =>
    numberField(t("{key} row {i}, column {j}", { key, i, j }), (value) => detail.acts.parameter(score, key, [i, j], value))));
  inputs.forEach((line) => { if (split) line[split].classList.add("al-split"); });
  const grid = el("div", { class: "al-grid" }, ...inputs.flat());
  grid.style.setProperty("--al-columns", String(values[0].length));
  return {
    root: el("div", { class: "al-matrix" }, equation(`${key} =`), grid),
    fill: (state) => read(state).forEach((line, i) => line.forEach((value, j) => put(inputs[i][j], value))),
  };
}

/** @param {Vector} vector */
const pair = (vector) => `(${vector.map(two).join(", ")})`;
/**
 * @param {Vector} a
 * @param {Vector} b
 */
const products = (a, b) => a.map((x, i) => `${two(x)} · ${two(b[i])}`).join("  +  ");

/**
 * @param {VectorsState} vectorsState
 * @returns {Sum}
 */
const dot = ({ query, keys, chosen }) => [products(query, keys[chosen]), inner(query, keys[chosen])];
/**
 * @param {VectorsState} state
 * @returns {Sum}
 */
const scaled = (state) => [`( ${dot(state)[0]} ) / √${state.query.length}`, dot(state)[1] / Math.sqrt(state.query.length)];
/**
 * @param {VectorsState} vectorsState
 * @returns {Sum}
 */
const general = ({ query, keys, chosen, parameters }) => {
  const turned = times(parameters.general.W_a, keys[chosen]);
  return [`$W_a \\bar h$ = ${pair(turned)};   ${products(query, turned)}`, inner(query, turned)];
};
/**
 * @param {VectorsState} vectorsState
 * @returns {Sum}
 */
const location = ({ query, chosen, parameters }) => {
  const line = parameters.location.W_a[chosen];
  return [`${t("row {chosen}:", { chosen })}   ${products(line, query)}`, inner(line, query)];
};

/**
 * @param {(state: VectorsState) => Sum} read
 * @returns {DetailPart}
 */
function makeSum(read) {
  const where = el("span");
  const text = el("span", { class: "al-sum" });
  return {
    root: el("p", { class: "al-line" }, where, text),
    fill: (state) => {
      const [how, value] = read(state);
      where.replaceChildren(keyName(state.chosen), ": ");
      text.replaceChildren(...withFormulas(how), " = ", el("b", { text: two(value) }));
      text.title = exact(value);
    },
  };
}

/**
 * The tanh vector as bars, its products with v_a, and their sum, the score.
 * @param {Detail} detail
 * @param {string} score
 * @returns {DetailPart}
 */
function makeCollapse(detail, score) {
  const caption = el("caption");
  const body = el("tbody");
  const total = el("b");
  /** @type {ReturnType<typeof line>[]} */
  const lines = [];
  const table = el("table", { class: "al-collapse" }, caption,
    el("thead", {}, el("tr", {}, el("td"),
      el("th", { scope: "col", colspan: 2 }, t("tanh vector")),
      el("th", { scope: "col" }, "× ", equation("v_a")), el("th", { scope: "col", colspan: 2 }, t("= term of the score")))),
    body, el("tfoot", {}, el("tr", {},
      el("th", { colspan: 4, scope: "row", text: t("sum: the score") }), el("td", { colspan: 2 }, total))));
  const line = (/** @type {number} */ i) => {
    const input = numberField(t("v_a, entry {i}", { i }), (value) => detail.acts.parameter(score, "v_a", [i], value));
    const [from, value, to, part] = [bar(), el("td"), bar(), el("td")];
    const root = el("tr", {}, el("th", { text: String(i), scope: "row" }),
      el("td", { class: "al-wide" }, from.root), value,
      el("td", {}, input), el("td", { class: "al-wide" }, to.root), part);
    return { root, from, value, input, to, part };
  };
  return {
    root: table,
    fill: (state) => {
      const { v_a } = state.parameters.additive;
      const vector = squashed(state.query, state.keys[state.chosen], state.parameters.additive);
      if (!lines.length) {
        lines.push(...v_a.map((_, i) => line(i)));
        body.replaceChildren(...lines.map(({ root }) => root));
      }
      caption.replaceChildren(keyName(state.chosen));
      const most = Math.max(1, ...v_a.map(Math.abs));
      lines.forEach((row, i) => {
        row.from.set(vector[i], 1);
        row.value.textContent = two(vector[i]);
        row.value.title = exact(vector[i]);
        put(row.input, v_a[i]);
        row.to.set(vector[i] * v_a[i], most);
        row.part.textContent = two(vector[i] * v_a[i]);
      });
      const value = inner(v_a, vector);
      total.textContent = two(value);
      total.title = exact(value);
    },
  };
}

/** A bar to the right of a middle line for positive numbers, to the left for negative ones. */
function bar() {
  const fill = el("i");
  return {
    root: el("span", { class: "al-bar", "aria-hidden": "true" }, fill),
    set: (/** @type {number} */ value, /** @type {number} */ most) => {
      const share = Math.min(Math.abs(value) / most, 1) * 50;
      Object.assign(fill.style, { width: `${share}%`, left: `${value < 0 ? 50 - share : 50}%` });
      fill.classList.toggle("al-negative", value < 0);
    },
  };
}
