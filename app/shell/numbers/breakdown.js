// What a number was computed from: a formula with numbers, or a table of its largest parts.

import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { OUT_OF_VIEW, significant } from "../../../attn_core/browser/player/core/numbers.js";
import { softmax } from "../../../attn_core/browser/engine/vectors.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { formulaOf } from "./formula.js";
import { describeNumber, readableWord, wordsOf } from "./names.js";
import { shortName, typeset } from "./spelling.js";
import { Matrix, Strip } from "./strips.js";

/**
 * @import { ComponentChildren } from "../../../attn_core/browser/vendor/preact.js"
 * @import { Leaf, NumberRef, Origin, Row } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { NumberContext } from "./names.js"
 *
 * @typedef {(ref: NumberRef) => void} Open
 * @typedef {{ name: string, value: number, factors?: ComponentChildren, isCurrent?: boolean }} TableRow
 */

/** @param {{ origin: Origin, context: NumberContext, open: Open }} props */
export function Breakdown({ origin, context, open }) {
  const { number, term, row, kind, place } = origin;
  switch (kind) {
    case "formula":
      return html`<p class="no-formula">${significant(number.value)}${isSaturated(number) ? " ≈ " : " = "}
        ${term && formulaOf(term, (leaf) => html`<${NumberButton} leaf=${leaf} context=${context} open=${open} />`)}
      </p>`;
    case "products":
      return html`<${Products} origin=${origin} context=${context} open=${open} />`;
    case "softmax":
    case "log_softmax":
    case "max":
    case "sum":
    case "place":
    case "choice":
    case "norm":
      return row && html`<${RowBreakdown} origin=${origin} row=${row} context=${context} open=${open} />`;
    case "embedding":
      return (
        row &&
        html`
        <${Line}>${t(
          "The embedding of “{word}”: a learned row of the embedding matrix. This is element {place} of " +
            "{n}, counting from 0.",
          { word: readableWord(String(origin.word)), place: Number(place), n: row.values.length },
        )}<//>
        <${Strip} values=${row.values} label=${t("embedding")} marked=${place} />
        <${InMatrix} row=${row} />`
      );
    case "weight":
      return (
        "weight" in number.ref &&
        html`
        <${Line}>${t("A learned parameter: set in training, and the same for every sentence.")}<//>
        <p><code>${number.ref.weight}</code></p>
        ${row && html`<${Strip} values=${row.values} label=${t("its row")} marked=${number.ref.index.at(-1)} />`}
        ${row && number.shape.length === 2 && html`<${InMatrix} row=${row} />`}`
      );
    case "whole":
      return html`
        <${Line}>${t("Computed by “{name}” from a whole row at once.", { name: origin.via ?? "" })}<//>
        ${row && html`<${LabelledRow} row=${row} title=${titleOf(row, context)} open=${open} />`}`;
    default:
      return html`<${Line}>${sentenceOn(origin)}<//>`;
  }
}

/** Whether a number was rounded to the limit of a function that never reaches it. @param {Leaf} leaf */
const isSaturated = ({ op, value }) =>
  (op === "tanh" && Math.abs(value) === 1) || (op === "sigmoid" && (value === 0 || value === 1));

/** A sentence on the origin of a number without parts. @param {Origin} origin */
function sentenceOn({ kind, number }) {
  if (kind === "edited") return sentenceOnEdit(number);
  if (kind === "given") return t("An input of the computation.");
  if (kind === "drawn") return t("A random number, drawn for sampled attention.");
  if (kind === "other")
    return t("Computed by “{name}”, for which there is no formula here.", { name: number.op ?? "" });
  return number.value < OUT_OF_VIEW
    ? t("It stands for −∞: the position is out of view, and its weight is 0.")
    : t("A constant.");
}

/** A sentence on a number that a reader's edit has set. @param {Leaf} leaf */
function sentenceOnEdit({ edit }) {
  if (edit?.kind === "off") return t("Set by hand: this head is switched off, so its context vector is 0.");
  if (edit?.kind === "context")
    return t("Set by hand: this is the context vector of step {n} of the translation without edits.", {
      n: edit.from + 1,
    });
  return t("Set by hand: it replaces the weight that the model computed. Later numbers are computed from it.");
}

/**
 * The vector that a number belongs to. A click opens another of its numbers.
 * @param {{ origin: Origin, open: Open }} props
 */
export function OwnVector({ origin: { vector, number }, open }) {
  if (!vector) return null;
  const index = Number(number.ref.index.at(-1));
  const text = t("element {place} of a vector of {n}, counting from 0", { place: index, n: vector.values.length });
  return html`<${LabelledRow} row=${vector} title=${text} label=${t("the vector it belongs to")} marked=${index}
    open=${open} />`;
}

/** A button that opens a number. @param {{ leaf: Leaf, context: NumberContext, open: Open }} props */
function NumberButton({ leaf, context, open }) {
  const { name, where } = describeNumber(leaf, context);
  return html`<button type="button" class="no-number" title=${[name, where].filter(Boolean).join(" · ")}
    onClick=${() => open(leaf.ref)}><b>${significant(leaf.value)}</b><small>${typeset(name)}</small></button>`;
}

/** A number in a table. @param {{ leaf: Leaf, context: NumberContext, open: Open }} props */
function Cell({ leaf, context, open }) {
  const { name, where } = describeNumber(leaf, context);
  return html`<button type="button" class="no-cell" title=${[name, where].filter(Boolean).join(" · ")}
    onClick=${() => open(leaf.ref)}>${significant(leaf.value)}</button>`;
}

/** @param {{ origin: Origin, context: NumberContext, open: Open }} props */
function Products({ origin: { number, left, right, bias, largest = [] }, context, open }) {
  if (!left || !right) return null;
  const words = wordsOf([...left.ends, ...right.ends], context.trace);
  const parts = left.values.map((value, i) => value * right.values[i]);
  const cell = (/** @type {Leaf} */ leaf) => html`<${Cell} leaf=${leaf} context=${context} open=${open} />`;
  /** @type {TableRow[]} */
  const rows = largest.map(({ place, leaves }) => ({
    name: words?.[place] ?? String(place),
    value: parts[place],
    factors: [cell(leaves[0]), "·", cell(leaves[1])],
  }));
  const rest = left.values.length - largest.length;
  const listed = largest.reduce((sum, { place }) => sum + parts[place], 0);
  if (rest > 0)
    rows.push({ name: tn("{n} other", "{n} others", rest), value: number.value - (bias?.value ?? 0) - listed });
  if (bias) rows.push({ name: t("bias"), value: bias.value, factors: cell(bias) });
  const [leftTitle, rightTitle] = [titleOf(left, context), titleOf(right, context)];
  return html`
    <${Line}>${typeset(
      tn(
        "The sum of {n} product: {left} times {right}",
        "The sum of {n} products: {left} times " + "{right}",
        left.values.length,
        { left: leftTitle, right: rightTitle },
      ),
    )}<//>
    <${Table} rows=${rows} longest=${Math.max(...parts.map(Math.abs))} sum=${significant(number.value)} />
    <${LabelledRow} row=${left} title=${leftTitle} open=${open} />
    <${LabelledRow} row=${right} title=${rightTitle} open=${open} />
    <div class="no-labelled"><small>${t("products")}</small><${Strip} values=${parts} label=${t("products")} /></div>
    ${left.ref.index.length === 2 && html`<${InMatrix} row=${left} />`}`;
}

/** @param {{ origin: Origin, row: Row, context: NumberContext, open: Open }} props */
function RowBreakdown({ origin: { kind, place = 0, largest = [], words, scale }, row, context, open }) {
  const sourceWords =
    wordsOf(row.ends, context.trace) ??
    (row.values.length === context.trace.source.length ? context.trace.source.map(readableWord) : null);
  const shares = kind === "softmax" || kind === "log_softmax" ? softmax(row.values) : row.values;
  /** @type {TableRow[]} */
  const rows = largest.map((part, i) => ({
    name: words ? readableWord(words[i]) : (sourceWords?.[part.place] ?? String(part.place)),
    value: shares[part.place],
    isCurrent: part.place === place,
    factors: html`<${Cell} leaf=${part.leaves[0]} context=${context} open=${open} />`,
  }));
  const rest = row.values.length - largest.length;
  const listed = largest.reduce((sum, part) => sum + shares[part.place], 0);
  if (rest > 0 && kind.endsWith("softmax"))
    rows.push({ name: tn("{n} other", "{n} others", rest), value: Math.max(1 - listed, 0) });
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
  const button = (/** @type {Leaf} */ leaf) => html`<${NumberButton} leaf=${leaf} context=${context} open=${open} />`;
  return html`
    <${Line}>${lines[kind] ?? ""}<//>
    ${scale && html`<p class="no-formula">${t("scale")}${button(scale[0])}${t("shift")}${button(scale[1])}</p>`}
    ${rows.length > 0 && html`<${Table} rows=${rows} longest=${Math.max(...shares.map(Math.abs))} />`}
    <${LabelledRow} row=${row} title=${titleOf(row, context)} marked=${place} open=${open} />`;
}

/** The name of the numbers of a row. @param {Row} row @param {NumberContext} context */
function titleOf({ ref, ends }, context) {
  if ("weight" in ref) return shortName(ref.weight);
  const names = ends
    .filter(({ value }) => value > OUT_OF_VIEW)
    .map((leaf) => describeNumber(leaf, context))
    .map(({ name, row = name }) => row);
  return [...new Set(names)].join("; ");
}

/** A weight matrix with the row that was used. @param {{ row: Row }} props */
const InMatrix = ({ row: { ref, rows, values } }) =>
  "weight" in ref
    ? html`<${Matrix} name=${shortName(ref.weight)} rows=${rows} columns=${values.length} row=${ref.index[0]} />`
    : null;

/** @param {{ children?: ComponentChildren }} props */
const Line = ({ children }) => html`<p class="no-line">${children}</p>`;

/**
 * A row as a strip whose numbers can be opened.
 * @param {{ row: Row, title: string, label?: string, marked?: number, open: Open }} props
 */
function LabelledRow({ row: { ref, axis, values }, title, label = title, marked, open }) {
  const drawn = values.map((value) => (value < OUT_OF_VIEW ? 0 : value));
  return html`<div class="no-labelled"><small>${typeset(title)}</small>
    <${Strip} values=${drawn} label=${label} marked=${marked} open=${(/** @type {number} */ index) =>
      open({ ...ref, index: ref.index.with(axis, index) })} /></div>`;
}

/**
 * Numbers with bars, and their sum. The longest bar is that of the largest part; the bar of a larger number, such as
 * the rest, is broken.
 * @param {{ rows: TableRow[], longest: number, sum?: string }} props `longest`: the number of the longest bar
 */
function Table({ rows, longest, sum }) {
  return html`
    <table class="no-table">
      <tbody>
        ${rows.map(
          ({ name, value, factors, isCurrent }) => html`
          <tr class=${isCurrent ? "no-this" : undefined}>
            <th scope="row">${name}</th>
            <td class="no-factors">${factors}</td>
            <td class="no-value">${significant(value)}</td>
            <td class="no-track"><${Bar} value=${value} longest=${longest} /></td>
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

/** @param {{ value: number, longest: number }} props */
function Bar({ value, longest }) {
  const share = longest ? Math.abs(value) / longest : 0;
  const isBroken = share > 1 + 1e-6;
  const classes = ["no-bar", value < 0 ? "no-minus" : "", isBroken ? "no-broken" : ""];
  return html`<span class=${classes.filter(Boolean).join(" ")} title=${isBroken ? t("longer than drawn") : undefined}
    style=${{ width: `${100 * Math.min(share, 1)}%` }}></span>`;
}
