// What a number was computed from, as elements of the page: an equation with the numbers in place, and the largest parts first.

import { softmax } from "../../../attn_core/web/player/core/vectors.js";
import { t, tn } from "../../../attn_core/web/player/core/messages.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { formula } from "./formula.js";
import { digits, OUT_OF_VIEW, said, shownWord, shortName, wordsOf } from "./names.js";
import { matrix, strip } from "./strips.js";

/**
 * @import { Leaf, NumberRef, Origin, Part, Row } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Around } from "./names.js"
 *
 * @typedef {(ref: NumberRef) => void} Open
 */

/**
 * @param {Origin} origin
 * @param {Around} around
 * @param {Open} open
 * @returns {HTMLElement[]}
 */
export function breakdown(origin, around, open) {
  const button = (/** @type {Leaf} */ leaf) => numberButton(leaf, around, open);
  const { number, term, row } = origin;
  switch (origin.kind) {
    case "formula":
      return [el("p", { class: "no-formula" }, digits(number.value), " = ", ...(term ? formula(term, button) : []))];
    case "products":
      return products(origin, around, open);
    case "softmax": case "log_softmax": case "max": case "sum": case "place": case "choice": case "norm":
      return row ? ofRow(origin, row, around, open) : [];
    case "embedding":
      return row ? [
        line(t("The embedding of “{word}”: a learned row of the embedding matrix. This is element {place} of {n}, counting from 0.", { word: shownWord(String(origin.word)), place: Number(origin.place), n: row.values.length })),
        strip(row.values, { label: t("embedding"), place: origin.place }),
        ...("weight" in row.ref ? [inMatrix(row)] : []),
      ] : [];
    case "weight":
      return "weight" in number.ref ? [
        line(t("A learned parameter: set in training, and the same for every sentence.")), el("p", {}, el("code", { text: number.ref.weight })),
        ...(row ? [strip(row.values, { label: t("its row"), place: number.ref.index.at(-1) })] : []), ...(row && number.shape.length === 2 ? [inMatrix(row)] : []),
      ] : [];
    case "whole":
      return [
        line(t("Computed by “{name}” from a whole row at once.", { name: origin.via ?? "" })),
        ...(row ? [labelled(titleOf(row, around), strip(row.values.map((value) => (value < OUT_OF_VIEW ? 0 : value)), { label: titleOf(row, around), open: (place) => open(elementOf(row, place)) }))] : []),
      ];
    case "edited":
      return [line(byHand(number))];
    case "given":
      return [line(t("An input of the computation."))];
    case "drawn":
      return [line(t("A random number, drawn for sampled attention."))];
    default:
      return [line(number.value < OUT_OF_VIEW ? t("It stands for −∞: the position is out of view, and its weight is 0.") : t("A constant."))];
  }
}

/** The vector that a number belongs to, whose other numbers can be opened. @param {Origin} origin @param {Open} open */
export function ofVector({ vector, number }, open) {
  if (!vector) return [];
  const place = number.ref.index.at(-1);
  return [labelled(t("element {place} of a vector of {n}, counting from 0", { place: Number(place), n: vector.values.length }), strip(vector.values.map((value) => (value < OUT_OF_VIEW ? 0 : value)), { label: t("the vector it belongs to"), place, open: (at) => open(elementOf(vector, at)) }))];
}

/** A number that can be opened, with its name below. @param {Leaf} leaf @param {Around} around @param {Open} open */
function numberButton(leaf, around, open) {
  const { name, where } = said(leaf, around);
  const button = el("button", { type: "button", class: "no-number", title: [name, where].filter(Boolean).join(" · ") }, el("b", { text: digits(leaf.value) }), el("small", { text: name }));
  button.addEventListener("click", () => open(leaf.ref));
  return button;
}

/** What a reader's edit did to a number. @param {Leaf} leaf */
function byHand({ edit }) {
  if (edit?.kind === "off") return t("Set by hand: this head is switched off, so its context vector is 0.");
  if (edit?.kind === "context") return t("Set by hand: this is the context vector of step {n} of the translation without edits.", { n: edit.from + 1 });
  return t("Set by hand: it replaces the weight that the model computed. Later numbers are computed from it.");
}

/** A number in a table. @param {Leaf} leaf @param {Around} around @param {Open} open */
function cell(leaf, around, open) {
  const { name, where } = said(leaf, around);
  const button = el("button", { type: "button", class: "no-cell", title: [name, where].filter(Boolean).join(" · "), text: digits(leaf.value) });
  button.addEventListener("click", () => open(leaf.ref));
  return button;
}

/** @param {Origin} origin @param {Around} around @param {Open} open @returns {HTMLElement[]} */
function products({ number, left, right, bias, largest = [] }, around, open) {
  if (!left || !right) return [];
  const words = wordsOf([...left.ends, ...right.ends], around.trace);
  const parts = left.values.map((value, i) => value * right.values[i]);
  const most = Math.max(...parts.map(Math.abs));
  const rows = largest.map(({ place, leaves }) => tableRow(words?.[place] ?? String(place), parts[place], most, cell(leaves[0], around, open), "·", cell(leaves[1], around, open)));
  const shown = largest.reduce((sum, { place }) => sum + parts[place], 0);
  const rest = left.values.length - largest.length;
  const all = number.value - (bias?.value ?? 0);
  if (rest > 0) rows.push(tableRow(tn("{n} other", "{n} others", rest), all - shown, most));
  if (bias) rows.push(tableRow(t("bias"), bias.value, most, cell(bias, around, open)));
  const [one, other] = [titleOf(left, around), titleOf(right, around)];
  return [
    line(tn("The sum of {n} product: {left} times {right}", "The sum of {n} products: {left} times {right}", left.values.length, { left: one, right: other })),
    table(rows, digits(number.value)),
    labelled(one, strip(left.values, { label: one, open: (place) => open(elementOf(left, place)) })),
    labelled(other, strip(right.values, { label: other, open: (place) => open(elementOf(right, place)) })),
    labelled(t("products"), strip(parts, { label: t("products") })),
    ...("weight" in left.ref && left.ref.index.length === 2 ? [inMatrix(left)] : []),
  ];
}

/** @param {Origin} origin @param {Row} row @param {Around} around @param {Open} open @returns {HTMLElement[]} */
function ofRow({ kind, place = 0, largest = [], words, scale }, row, around, open) {
  const title = titleOf(row, around);
  const over = wordsOf(row.ends, around.trace) ?? (row.values.length === around.trace.source.length ? around.trace.source.map(shownWord) : null);
  const shares = kind === "softmax" || kind === "log_softmax" ? softmax(row.values) : row.values;
  const most = Math.max(...shares.map(Math.abs));
  const name = (/** @type {Part} */ part, /** @type {number} */ i) => (words ? shownWord(words[i]) : (over?.[part.place] ?? String(part.place)));
  const rows = largest.map((part, i) => {
    const made = tableRow(name(part, i), shares[part.place], most, cell(part.leaves[0], around, open));
    if (part.place === place) made.classList.add("no-this");
    return made;
  });
  const rest = row.values.length - largest.length;
  const shown = largest.reduce((sum, part) => sum + shares[part.place], 0);
  if (rest > 0 && kind.endsWith("softmax")) rows.push(tableRow(tn("{n} other", "{n} others", rest), Math.max(1 - shown, 0), most));
  /** @type {Partial<Record<Origin["kind"], string>>} */
  const lines = {
    softmax: t("Softmax: the exponential of each number, divided by the sum of all exponentials. The largest first:"),
    log_softmax: t("Softmax over the logits of {n} words. The most probable first:", { n: row.values.length }),
    max: t("The maximum of:"), sum: t("The sum of:"), place: t("The index of the maximum of:"),
    choice: t("1 at the largest number of this row, 0 elsewhere (hard attention)."),
    norm: t("Layer norm: this element minus the mean of the row below, divided by the row's standard deviation, then scaled and shifted:"),
  };
  return [
    line(lines[kind] ?? ""),
    ...(scale ? [el("p", { class: "no-formula" }, ...[t("scale"), numberButton(scale[0], around, open), t("shift"), numberButton(scale[1], around, open)])] : []),
    ...(rows.length ? [table(rows, "")] : []),
    labelled(title, strip(row.values.map((value) => (value < OUT_OF_VIEW ? 0 : value)), { label: title, place, open: (at) => open(elementOf(row, at)) })),
  ];
}

/** What the numbers of a row are. @param {Row} row @param {Around} around */
function titleOf({ ref, ends }, around) {
  if ("weight" in ref) return shortName(ref.weight);
  return [...new Set(ends.filter(({ value }) => value > OUT_OF_VIEW).map((leaf) => said(leaf, around).name))].join("; ");
}

/** @param {Row} row */
function inMatrix({ ref, rows, values }) {
  if (!("weight" in ref)) return el("span");
  return matrix(shortName(ref.weight), [rows, values.length], ref.index[0]);
}

/** @param {Row} row @param {number} place @returns {NumberRef} */
const elementOf = ({ ref, axis }, place) => ({ ...ref, index: ref.index.with(axis, place) });

/** @param {string} text */
const line = (text) => el("p", { class: "no-line", text });

/** @param {string} text @param {HTMLElement} strip */
const labelled = (text, strip) => el("div", { class: "no-labelled" }, el("small", { text }), strip);

/**
 * @param {string} name @param {number} value @param {number} most
 * @param {...(Node | string)} cells
 */
function tableRow(name, value, most, ...cells) {
  const bar = el("span", { class: `no-bar ${value < 0 ? "no-minus" : ""}` });
  bar.style.transform = `scaleX(${most ? Math.min(Math.abs(value) / most, 1) : 0})`;
  return el(
    "tr", {}, el("th", { scope: "row", text: name }), el("td", { class: "no-factors" }, ...cells), el("td", { class: "no-value", text: digits(value) }),
    el("td", { class: "no-track" }, bar),
  );
}

/** @param {HTMLElement[]} rows @param {string} sum */
function table(rows, sum) {
  const foot = sum ? [el("tfoot", {}, el("tr", {}, el("th", { scope: "row", text: t("sum") }), el("td"), el("td", { class: "no-value", text: sum }), el("td")))] : [];
  return el("table", { class: "no-table" }, el("tbody", {}, ...rows), ...foot);
}
