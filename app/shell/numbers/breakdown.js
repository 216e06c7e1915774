// What a number was computed from: an equation with the numbers in place, and the largest parts first.

import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { OUT_OF_VIEW, significant } from "../../../attn_core/browser/player/core/numbers.js";
import { softmax } from "../../../attn_core/browser/engine/vectors.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { formula } from "./formula.js";
import { said, shownWord, wordsOf } from "./names.js";
import { shortName, typeset } from "./spelling.js";
import { Matrix, Strip } from "./strips.js";

/**
 * @import { ComponentChildren } from "../../../attn_core/browser/vendor/preact.js"
 * @import { Leaf, NumberRef, Origin, Row } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Around } from "./names.js"
 *
 * @typedef {(ref: NumberRef) => void} Open
 * @typedef {{ name: string, value: number, factors?: ComponentChildren, current?: boolean }} TableRow
 */

/** @param {{ origin: Origin, around: Around, open: Open }} props */
export function Breakdown({ origin, around, open }) {
  const { number, term, row, kind, place } = origin;
  switch (kind) {
    case "formula":
      return html`<p class="no-formula">${significant(number.value)}${isSaturated(number) ? " ≈ " : " = "}
        ${term && formula(term, (leaf) => html`<${NumberButton} leaf=${leaf} around=${around} open=${open} />`)}</p>`;
    case "products":
      return html`<${Products} origin=${origin} around=${around} open=${open} />`;
    case "softmax":
    case "log_softmax":
    case "max":
    case "sum":
    case "place":
    case "choice":
    case "norm":
      return row && html`<${OfRow} origin=${origin} row=${row} around=${around} open=${open} />`;
    case "embedding":
      return (
        row &&
        html`
        <${Line}>${t(
          "The embedding of “{word}”: a learned row of the embedding matrix. This is element {place} of " +
            "{n}, counting from 0.",
          { word: shownWord(String(origin.word)), place: Number(place), n: row.values.length },
        )}<//>
        <${Strip} values=${row.values} label=${t("embedding")} place=${place} />
        <${InMatrix} row=${row} />`
      );
    case "weight":
      return (
        "weight" in number.ref &&
        html`
        <${Line}>${t("A learned parameter: set in training, and the same for every sentence.")}<//>
        <p><code>${number.ref.weight}</code></p>
        ${row && html`<${Strip} values=${row.values} label=${t("its row")} place=${number.ref.index.at(-1)} />`}
        ${row && number.shape.length === 2 && html`<${InMatrix} row=${row} />`}`
      );
    case "whole":
      return html`
        <${Line}>${t("Computed by “{name}” from a whole row at once.", { name: origin.via ?? "" })}<//>
        ${row && html`<${LabelledRow} row=${row} title=${titleOf(row, around)} open=${open} />`}`;
    default:
      return html`<${Line}>${sentenceOn(origin)}<//>`;
  }
}

/** Whether a number is the limit of a function that never reaches it, by rounding. @param {Leaf} leaf */
const isSaturated = ({ op, value }) =>
  (op === "tanh" && Math.abs(value) === 1) || (op === "sigmoid" && (value === 0 || value === 1));

/** What there is to say of a number that has no parts. @param {Origin} origin */
function sentenceOn({ kind, number }) {
  if (kind === "edited") return byHand(number);
  if (kind === "given") return t("An input of the computation.");
  if (kind === "drawn") return t("A random number, drawn for sampled attention.");
  if (kind === "other")
    return t("Computed by “{name}”, for which there is no formula here.", { name: number.op ?? "" });
  return number.value < OUT_OF_VIEW
    ? t("It stands for −∞: the position is out of view, and its weight is 0.")
    : t("A constant.");
}

/** What a reader's edit did to a number. @param {Leaf} leaf */
function byHand({ edit }) {
  if (edit?.kind === "off") return t("Set by hand: this head is switched off, so its context vector is 0.");
  if (edit?.kind === "context")
    return t("Set by hand: this is the context vector of step {n} of the translation without edits.", {
      n: edit.from + 1,
    });
  return t("Set by hand: it replaces the weight that the model computed. Later numbers are computed from it.");
}

/**
 * The vector that a number belongs to, whose other numbers can be opened.
 * @param {{ origin: Origin, open: Open }} props
 */
export function OfVector({ origin: { vector, number }, open }) {
  if (!vector) return null;
  const place = Number(number.ref.index.at(-1));
  const text = t("element {place} of a vector of {n}, counting from 0", { place, n: vector.values.length });
  return html`<${LabelledRow} row=${vector} title=${text} label=${t("the vector it belongs to")} place=${place}
    open=${open} />`;
}

/** A number that can be opened, with its name below. @param {{ leaf: Leaf, around: Around, open: Open }} props */
function NumberButton({ leaf, around, open }) {
  const { name, where } = said(leaf, around);
  return html`<button type="button" class="no-number" title=${[name, where].filter(Boolean).join(" · ")}
    onClick=${() => open(leaf.ref)}><b>${significant(leaf.value)}</b><small>${typeset(name)}</small></button>`;
}

/** A number in a table. @param {{ leaf: Leaf, around: Around, open: Open }} props */
function Cell({ leaf, around, open }) {
  const { name, where } = said(leaf, around);
  return html`<button type="button" class="no-cell" title=${[name, where].filter(Boolean).join(" · ")}
    onClick=${() => open(leaf.ref)}>${significant(leaf.value)}</button>`;
}

/** @param {{ origin: Origin, around: Around, open: Open }} props */
function Products({ origin: { number, left, right, bias, largest = [] }, around, open }) {
  if (!left || !right) return null;
  const words = wordsOf([...left.ends, ...right.ends], around.trace);
  const parts = left.values.map((value, i) => value * right.values[i]);
  const cell = (/** @type {Leaf} */ leaf) => html`<${Cell} leaf=${leaf} around=${around} open=${open} />`;
  /** @type {TableRow[]} */
  const rows = largest.map(({ place, leaves }) => ({
    name: words?.[place] ?? String(place),
    value: parts[place],
    factors: [cell(leaves[0]), "·", cell(leaves[1])],
  }));
  const rest = left.values.length - largest.length;
  const shown = largest.reduce((sum, { place }) => sum + parts[place], 0);
  if (rest > 0)
    rows.push({ name: tn("{n} other", "{n} others", rest), value: number.value - (bias?.value ?? 0) - shown });
  if (bias) rows.push({ name: t("bias"), value: bias.value, factors: cell(bias) });
  const [one, other] = [titleOf(left, around), titleOf(right, around)];
  return html`
    <${Line}>${typeset(
      tn(
        "The sum of {n} product: {left} times {right}",
        "The sum of {n} products: {left} times " + "{right}",
        left.values.length,
        { left: one, right: other },
      ),
    )}<//>
    <${Table} rows=${rows} most=${Math.max(...parts.map(Math.abs))} sum=${significant(number.value)} />
    <${LabelledRow} row=${left} title=${one} open=${open} />
    <${LabelledRow} row=${right} title=${other} open=${open} />
    <div class="no-labelled"><small>${t("products")}</small><${Strip} values=${parts} label=${t("products")} /></div>
    ${left.ref.index.length === 2 && html`<${InMatrix} row=${left} />`}`;
}

/** @param {{ origin: Origin, row: Row, around: Around, open: Open }} props */
function OfRow({ origin: { kind, place = 0, largest = [], words, scale }, row, around, open }) {
  const over =
    wordsOf(row.ends, around.trace) ??
    (row.values.length === around.trace.source.length ? around.trace.source.map(shownWord) : null);
  const shares = kind === "softmax" || kind === "log_softmax" ? softmax(row.values) : row.values;
  /** @type {TableRow[]} */
  const rows = largest.map((part, i) => ({
    name: words ? shownWord(words[i]) : (over?.[part.place] ?? String(part.place)),
    value: shares[part.place],
    current: part.place === place,
    factors: html`<${Cell} leaf=${part.leaves[0]} around=${around} open=${open} />`,
  }));
  const rest = row.values.length - largest.length;
  const shown = largest.reduce((sum, part) => sum + shares[part.place], 0);
  if (rest > 0 && kind.endsWith("softmax"))
    rows.push({ name: tn("{n} other", "{n} others", rest), value: Math.max(1 - shown, 0) });
  /** @type {Partial<Record<Origin["kind"], string>>} */
  const lines = {
    softmax: t("Softmax: the exponential of each number, divided by the sum of all exponentials. The largest first:"),
    log_softmax: t("Softmax over the logits of {n} words. The most probable first:", { n: row.values.length }),
    max: t("The maximum of:"),
    sum: t("The sum of:"),
    place: t("The index of the maximum of:"),
    choice: t("1 at the largest number of this row, 0 elsewhere (hard attention)."),
    norm: t(
      "Layer norm: this element minus the mean of the row below, divided by the row's standard deviation, then " +
        "scaled and shifted:",
    ),
  };
  const button = (/** @type {Leaf} */ leaf) => html`<${NumberButton} leaf=${leaf} around=${around} open=${open} />`;
  return html`
    <${Line}>${lines[kind] ?? ""}<//>
    ${scale && html`<p class="no-formula">${t("scale")}${button(scale[0])}${t("shift")}${button(scale[1])}</p>`}
    ${rows.length > 0 && html`<${Table} rows=${rows} most=${Math.max(...shares.map(Math.abs))} />`}
    <${LabelledRow} row=${row} title=${titleOf(row, around)} place=${place} open=${open} />`;
}

/** What the numbers of a row are. @param {Row} row @param {Around} around */
function titleOf({ ref, ends }, around) {
  if ("weight" in ref) return shortName(ref.weight);
  const names = ends
    .filter(({ value }) => value > OUT_OF_VIEW)
    .map((leaf) => said(leaf, around))
    .map(({ name, row = name }) => row);
  return [...new Set(names)].join("; ");
}

/** A row of a weight matrix in it. @param {{ row: Row }} props */
const InMatrix = ({ row: { ref, rows, values } }) =>
  "weight" in ref
    ? html`<${Matrix} name=${shortName(ref.weight)} rows=${rows} columns=${values.length} row=${ref.index[0]} />`
    : null;

/** @param {{ children?: ComponentChildren }} props */
const Line = ({ children }) => html`<p class="no-line">${children}</p>`;

/**
 * A row as a strip, each number of which can be opened.
 * @param {{ row: Row, title: string, label?: string, place?: number, open: Open }} props
 */
function LabelledRow({ row: { ref, axis, values }, title, label = title, place, open }) {
  const shown = values.map((value) => (value < OUT_OF_VIEW ? 0 : value));
  return html`<div class="no-labelled"><small>${typeset(title)}</small>
    <${Strip} values=${shown} label=${label} place=${place} open=${(/** @type {number} */ at) =>
      open({ ...ref, index: ref.index.with(axis, at) })} /></div>`;
}

/**
 * Numbers with bars, up to the largest part, and their sum; the bar of a larger number, such as the rest, is broken.
 * @param {{ rows: TableRow[], most: number, sum?: string }} props
 */
function Table({ rows, most, sum }) {
  return html`
    <table class="no-table">
      <tbody>
        ${rows.map(
          ({ name, value, factors, current }) => html`
          <tr class=${current ? "no-this" : undefined}>
            <th scope="row">${name}</th>
            <td class="no-factors">${factors}</td>
            <td class="no-value">${significant(value)}</td>
            <td class="no-track"><${Bar} value=${value} most=${most} /></td>
          </tr>`,
        )}
      </tbody>
      ${
        sum &&
        html`<tfoot><tr><th scope="row">${t("sum")}</th><td></td><td class="no-value">${sum}</td><td></td>
        </tr></tfoot>`
      }
    </table>`;
}

/** @param {{ value: number, most: number }} props `most`: the length of the track */
function Bar({ value, most }) {
  const share = most ? Math.abs(value) / most : 0;
  const isBroken = share > 1 + 1e-6;
  const classes = ["no-bar", value < 0 ? "no-minus" : "", isBroken ? "no-broken" : ""];
  return html`<span class=${classes.filter(Boolean).join(" ")} title=${isBroken ? t("longer than drawn") : undefined}
    style=${{ width: `${100 * Math.min(share, 1)}%` }}></span>`;
}
