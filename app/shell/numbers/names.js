// The name of a number, and its location in the translation.

import { equationsOf, stepOf } from "../../../attn_core/browser/engine/live.js";
import { headName } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { unescaped } from "../../../attn_core/browser/engine/escapes.js";
import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { liveOf } from "../../../attn_core/browser/player/core/settings.js";
import { shortName, spellOut } from "./spelling.js";

/**
 * @import { EquationJSON, How, Leaf, ModelJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { StepJSON, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 *
 * @typedef {object} NumberDescription
 * @property {string} name of the number by itself
 * @property {string} [row] the name of several such numbers
 * @property {EquationJSON} [symbol]
 * @property {EquationJSON[]} [lines] its equations
 * @property {string} where its location
 *
 * @typedef {Leaf["names"][number]} Output the name of a number among the outputs of a graph
 *
 * What the names are taken from: the translation, its model, and the window and attention type of the run; `locate`:
 * the location of a number that is not of a translation.
 * @typedef {{ trace: TraceJSON, graphs: ModelJSON, how: How, locate?: (output: Output) => string }} NumberContext
 */

/** Outputs whose last axis is that of the source words. */
const OVER_SOURCE =
  /^(?:looks\.\d+\.(?:scores|alignment|weights|focus\.\w+)|memory\.src_mask|memory\.looks\.\d+\.\w+)$/;
const OVER_TARGET = /^own\.\d+\./;

/** @type {() => Record<string, string>} of outputs that are no quantities of the step */
const outputNames = () => ({
  "next.state.0": t("state"),
  "next.state.1": t("cell state"),
  "next.fed": t("attentional vector"),
  "own.N.weights": t("self-attention weight of the decoder"),
  "own.N.scores": t("self-attention score of the decoder"),
  "memory.looks.N.weights": t("self-attention weight of the encoder"),
  "memory.looks.N.scores": t("self-attention score of the encoder"),
  embedded: t("embedding of a source word"),
  log_probs: t("log probability of a word"),
});

/** @type {() => Record<string, string>} of the inputs of graphs */
const inputNames = () => ({
  word: t("vocabulary index of the previous word"),
  words: t("vocabulary index of a source word"),
  t: t("index of the step"),
  center: t("p_t set by hand"),
  mask: t("1 for a word, 0 for padding"),
  "state.0": t("state before the first word"),
  "state.1": t("cell state before the first word"),
});

/** @type {() => Record<string, string>} of results of operations whose operands have no names */
const resultNames = () => ({
  _softmax: t("softmax"),
  arange: t("position"),
  embedding: t("element of an embedding"),
  amax: t("maximum"),
  argmax: t("index of the maximum"),
  layer_norm: t("output of a layer norm"),
  scalar_tensor: t("constant"),
  full: t("constant"),
  exponential: t("random number"),
  sum: t("sum"),
});

/** @param {Leaf} leaf @param {NumberContext} context @returns {NumberDescription} */
export function describeNumber(leaf, context) {
  const { trace, graphs, how, locate = (output) => locationOf(output, trace) } = context;
  const step = stepOf(graphs, how) ?? graphs.steps[0];
  const ids = Object.fromEntries(
    Object.entries(step.quantities).flatMap(([id, { tensors }]) => tensors.map((tensor) => [tensor, id])),
  );
  const quantities = leaf.names.filter(({ name }) => valueIn(ids, name));
  const output =
    lastComputed(quantities, ids, step) ?? leaf.names.find(({ name }) => valueIn(outputNames(), anyHead(name)));
  const where = locate(
    output ?? leaf.names[0] ?? { name: "", frame: "frame" in leaf.ref ? leaf.ref.frame : "", index: leaf.ref.index },
  );
  if (output && valueIn(ids, output.name)) {
    const id = ids[output.name];
    const { name, element = name } = graphs.quantities[id];
    const lines = new Map(
      quantities
        .flatMap((quantity) => linesAt(ids[quantity.name], quantity, graphs, step, how))
        .map((line) => [line.markup, line]),
    );
    return {
      name: element,
      row: name,
      symbol: equationsOf(graphs, step, how, id)?.symbol,
      lines: leaf.edit ? [] : [...lines.values()],
      where,
    };
  }
  if (output) return { name: valueIn(outputNames(), anyHead(output.name)) ?? output.name, where };
  if ("weight" in leaf.ref) return { name: shortName(leaf.ref.weight), where: t("learned") };
  if (leaf.weight?.endsWith("output.weight")) return { name: t("logit of a word"), where };
  if (leaf.given) {
    const setting = liveOf(graphs.windows, step.window).find(({ name }) => name === leaf.given);
    return { name: setting?.symbol ?? valueIn(inputNames(), leaf.given) ?? leaf.given, where };
  }
  const name = leaf.spelt
    ? spellOut(leaf.spelt, (part) => describeNumber(part, context).name)
    : (valueIn(resultNames(), leaf.op) ?? t("intermediate result"));
  return { name, where };
}

/**
 * The quantity that is computed last, if one number is several: an alignment weight that nothing changes is called an
 * attention weight.
 * @param {Output[]} names @param {Record<string, string>} ids the quantity of each tensor @param {StepJSON} step
 * @returns {Output | undefined}
 */
function lastComputed(names, ids, step) {
  const order = Object.keys(step.quantities);
  const same = names.filter(({ frame, index }) => frame === names[0].frame && index.join() === names[0].index.join());
  return same.sort((a, b) => order.indexOf(ids[b.name]) - order.indexOf(ids[a.name]))[0];
}

/**
 * The equations of a quantity at a step: at the first step those of its first value, if there are such. If the graph
 * computes the new state late in a step, the equations of the state that a later step begins with are those of the new
 * state.
 * @param {string} id @param {{ name: string, frame: string }} output @param {ModelJSON} graphs @param {StepJSON} step
 * @param {How} how
 */
function linesAt(id, { name, frame }, graphs, step, how) {
  const own = equationsOf(graphs, step, how, id) ?? { lines: [], first: [] };
  // The encoder's outputs are those of the first step, too
  const isFirst = /^(step|trained)\.0$/.test(frame) || !isStep(frame.split(".")[0]);
  if (isFirst) return own.first.length ? own.first : own.lines;
  const updated = Object.keys(step.quantities).filter((other) => step.quantities[other].later?.includes(name));
  return [own, ...updated.map((other) => equationsOf(graphs, step, how, other))].flatMap(
    (equations) => equations?.lines ?? [],
  );
}

/** Whether the frames of a kind are decoding steps: see frames.js. @param {string} kind */
export const isStep = (kind) => kind === "step" || kind === "trained";

/** The name of an output without the number of its head. @param {string} name */
const anyHead = (name) => name.replace(/\.\d+\.(?=weights$|scores$)/, ".N.");

/**
 * The location of a number: its step or source word, and its unit of a vector.
 * @param {Output} output
 * @param {TraceJSON} trace
 */
function locationOf({ name, frame, index }, trace) {
  const [kind, ...numbers] = frame.split(".");
  const last = index.at(-1) ?? 0;
  const parts = [];
  if (isStep(kind))
    parts.push(
      t("step {n} of {all}, “{word}”", {
        n: Number(numbers[0]) + 1,
        all: trace.target.length,
        word: wordAt(trace.target, Number(numbers[0])),
      }),
    );
  if (kind === "trained") parts.push(t("as trained"));
  if (kind === "cell")
    parts.push(
      t("at “{word}”, {way}", {
        word: wordAt(trace.source, Number(numbers[2])),
        way: numbers[1] === "0" ? t("forward") : t("backward"),
      }),
    );
  const [, part, number] = name.match(/^(looks|own|memory\.looks)\.(\d+)/) ?? [];
  const heads = { looks: trace.steps[0].looks, own: trace.steps[0].own, "memory.looks": trace.encoder }[part];
  if (heads && heads.length > 1) parts.push(headName(heads[Number(number)]));
  if (OVER_SOURCE.test(name)) return [...parts, sourceLocation(last, trace)].join(" · ");
  if (OVER_TARGET.test(name)) return [...parts, t("on “{word}”", { word: wordAt(trace.target, last - 1) })].join(" · ");
  if (!isStep(kind) && kind !== "cell" && index.length > 2) parts.push(sourceLocation(index.at(-2) ?? 0, trace));
  if (index.length) parts.push(t("unit {k}", { k: last }));
  return parts.join(" · ");
}

/** @param {number} s @param {TraceJSON} trace */
function sourceLocation(s, trace) {
  return t("“{word}”, position {s} (from 0)", { s, word: wordAt(trace.source, s) });
}

/** A token without Moses' escapes and without the marker before a word. @param {string} token */
export const readableWord = (token) => unescaped(token).replace(/^▁(?=.)/, "");

/** @param {string[]} words @param {number} position -1: the start of the sentence */
function wordAt(words, position) {
  return position < 0 ? "<s>" : readableWord(words[position] ?? "");
}

/**
 * The source word of each number of a row; null for a row of other numbers.
 * @param {Leaf[]} ends
 * @param {TraceJSON} trace
 */
export function wordsOf(ends, trace) {
  const isOverSource = ends.some(({ names }) => names.some(({ name }) => OVER_SOURCE.test(name)));
  return isOverSource ? trace.source.map((_, s) => wordAt(trace.source, s)) : null;
}
