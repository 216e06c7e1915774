// What a number is called, and where in the translation it is.

import { equationsOf, stepOf } from "../../../attn_core/web/engine/live.js";
import { headName } from "../../../attn_core/web/player/core/looks.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { unescaped } from "../../../attn_core/web/player/core/pieces.js";
import { valueIn } from "../../../attn_core/web/player/core/lookup.js";
import { liveOf } from "../../../attn_core/web/player/core/settings.js";

/**
 * @import { EquationJSON, How, Leaf, ModelJSON, StepJSON, TraceJSON } from "../../../attn_core/web/engine/types.d.ts"
 *
 * @typedef {object} Said
 * @property {string} name
 * @property {EquationJSON} [symbol]
 * @property {EquationJSON[]} [lines]
 * @property {string} where
 *
 * What the names are taken from: the translation, its model, and the window and attention type of the run.
 * @typedef {{ trace: TraceJSON, graphs: ModelJSON, how: How }} Around
 */

/** Outputs whose last axis is that of the source words. */
const OVER_SOURCE = /^(?:looks\.\d+\.(?:scores|alignment|weights|focus\.\w+)|memory\.src_mask|memory\.looks\.\d+\.\w+)$/;
export const OUT_OF_VIEW = -1e30; // scores below it are of positions out of view
const OVER_TARGET = /^own\.\d+\./;

/** @type {() => Record<string, string>} of outputs that the step graph does not have */
const others = () => ({
  "memory.keys": t("encoder state, projected for the score"), "next.state.0": t("state"), "next.state.1": t("cell state"), "next.fed": t("attentional vector"),
  "own.N.weights": t("self-attention weight of the decoder"), "own.N.scores": t("self-attention score of the decoder"),
  "memory.looks.N.weights": t("self-attention weight of the encoder"), "memory.looks.N.scores": t("self-attention score of the encoder"),
  embedded: t("embedding of a source word"), "log_probs": t("log probability of a word"), "memory.values": t("encoder state, projected for the context"),
});

/** @type {() => Record<string, string>} */
const inputs = () => ({
  word: t("vocabulary index of the previous word"), words: t("vocabulary index of a source word"), t: t("index of the step"), center: t("p_t set by hand"),
  mask: t("1 for a word, 0 for padding"), "state.0": t("state before the first word"), "state.1": t("cell state before the first word"),
});

/** @type {() => Record<string, string>} of what has no name of its own */
const results = () => ({
  linear: t("product with {weight}"), matmul: t("sum of products"), _softmax: t("softmax"), arange: t("position"), embedding: t("element of an embedding"),
  amax: t("maximum"), argmax: t("index of the maximum"), layer_norm: t("layer norm"), scalar_tensor: t("constant"), full: t("constant"), exponential: t("random number"), sum: t("sum"),
});

/** @param {Leaf} leaf @param {Around} around @returns {Said} */
export function said(leaf, { trace, graphs, how }) {
  const step = stepOf(graphs, how) ?? graphs.steps[0];
  const ids = Object.fromEntries(Object.entries(step.quantities).flatMap(([id, { tensors }]) => tensors.map((tensor) => [tensor, id])));
  const named = leaf.names.filter(({ name }) => valueIn(ids, name));
  const known = named[0] ?? leaf.names.find(({ name }) => valueIn(others(), anyHead(name)));
  const where = placed(known ?? { name: "", frame: "frame" in leaf.ref ? leaf.ref.frame : "", index: leaf.ref.index }, trace);
  if (known && valueIn(ids, known.name)) {
    const id = ids[known.name];
    const lines = new Map(named.flatMap((output) => linesAt(ids[output.name], output, graphs, step, how)).map((line) => [line.markup, line]));
    return { name: graphs.quantities[id].name, symbol: equationsOf(graphs, step, how, id)?.symbol, lines: leaf.edit ? [] : [...lines.values()], where };
  }
  if (known) return { name: valueIn(others(), anyHead(known.name)) ?? known.name, where };
  if ("weight" in leaf.ref) return { name: shortName(leaf.ref.weight), where: t("learned") };
  if (leaf.weight?.endsWith("output.weight")) return { name: t("logit of a word"), where };
  if (leaf.given) {
    const setting = liveOf(graphs.windows, step.window).find(({ name }) => name === leaf.given);
    return { name: setting?.symbol ?? valueIn(inputs(), leaf.given) ?? leaf.given, where };
  }
  const name = valueIn(results(), leaf.op) ?? t("intermediate result");
  return { name: name.replace("{weight}", shortName(leaf.weight ?? "")), where };
}

/**
 * The equations of a quantity at a step. At the first one those of its first value, if it has one; the state that a later step
 * begins with is the new state of the step before, where the graph computes that late.
 * @param {string} id @param {{ name: string, frame: string }} output @param {ModelJSON} graphs @param {StepJSON} step
 * @param {How} how
 */
function linesAt(id, { name, frame }, graphs, step, how) {
  const own = equationsOf(graphs, step, how, id) ?? { lines: [], first: [] };
  const begins = /^(step|trained)\.0$/.test(frame) || !isStep(frame.split(".")[0]); // what the encoder passes on is of the first step, too
  if (begins) return own.first.length ? own.first : own.lines;
  const updated = Object.keys(step.quantities).filter((other) => step.quantities[other].later?.includes(name));
  return [own, ...updated.map((other) => equationsOf(graphs, step, how, other))].flatMap((one) => one?.lines ?? []);
}

/** Whether the frames of a kind are decoding steps: see frames.js. @param {string} kind */
export const isStep = (kind) => kind === "step" || kind === "trained";

/** The name of an output without the number of its head. @param {string} name */
const anyHead = (name) => name.replace(/\.\d+\.(?=weights$|scores$)/, ".N.");

/** The last part of a parameter's name, as in the code. @param {string} name */
export function shortName(name) {
  const parts = name.split(".");
  const last = parts.at(-1) ?? "";
  return last === "weight" ? (parts.at(-2) ?? "") : last === "bias" ? parts.slice(-2).join(".") : last;
}

/**
 * Where a number is: its step or source word, and its place in a vector.
 * @param {Leaf["names"][number]} at
 * @param {TraceJSON} trace
 */
function placed({ name, frame, index }, trace) {
  const [kind, ...places] = frame.split(".");
  const last = index.at(-1) ?? 0;
  const parts = [];
  if (isStep(kind)) parts.push(t("step {n} of {all}, “{word}”", { n: Number(places[0]) + 1, all: trace.target.length, word: wordAt(trace.target, Number(places[0])) }));
  if (kind === "trained") parts.push(t("as trained"));
  if (kind === "cell") parts.push(t("at “{word}”, {way}", { word: wordAt(trace.source, Number(places[2])), way: places[1] === "0" ? t("forward") : t("backward") }));
  const [, which, number] = name.match(/^(looks|own|memory\.looks)\.(\d+)/) ?? [];
  const heads = { looks: trace.steps[0].looks, own: trace.steps[0].own, "memory.looks": trace.encoder }[which];
  if (heads && heads.length > 1) parts.push(headName(heads[Number(number)]));
  if (OVER_SOURCE.test(name)) return [...parts, inSource(last, trace)].join(" · ");
  if (OVER_TARGET.test(name)) return [...parts, t("on “{word}”", { word: wordAt(trace.target, last - 1) })].join(" · ");
  if (!isStep(kind) && kind !== "cell" && index.length > 2) parts.push(inSource(index.at(-2) ?? 0, trace));
  if (index.length) parts.push(t("unit {k}", { k: last }));
  return parts.join(" · ");
}

/** @param {number} s @param {TraceJSON} trace */
export function inSource(s, trace) {
  return t("“{word}”, position {s} (from 0)", { s, word: wordAt(trace.source, s) });
}

/** A token for display: without Moses' escapes, and without the marker before a word. @param {string} token */
export const shownWord = (token) => unescaped(token).replace(/^▁(?=.)/, "");

/** @param {string[]} words @param {number} place */
export function wordAt(words, place) {
  return place < 0 ? "<s>" : shownWord(words[place] ?? "");
}

/** The word at each place of a row over the source words; null for another row. @param {Leaf[]} ends @param {TraceJSON} trace */
export function wordsOf(ends, trace) {
  const found = ends.some(({ names }) => names.some(({ name }) => OVER_SOURCE.test(name)));
  return found ? trace.source.map((_, s) => wordAt(trace.source, s)) : null;
}

/**
 * A number of the page: with four digits, a minus sign, and a power of ten only where it is needed.
 * @param {number} value
 */
export function digits(value) {
  if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
  if (value < OUT_OF_VIEW) return "−∞";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(2) : String(Number(value.toPrecision(size < 1 ? 3 : 4)));
  return text.replaceAll("-", "−");
}
