// What a number is called, and where in the translation it is.

import { equationsOf, stepOf } from "../../../attn_core/browser/engine/live.js";
import { headName } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { unescaped } from "../../../attn_core/browser/engine/escapes.js";
import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { liveOf } from "../../../attn_core/browser/player/core/settings.js";
import { shortName, spelling } from "./spelling.js";

/**
 * @import { EquationJSON, How, Leaf, ModelJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { StepJSON, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 *
 * @typedef {object} Said
 * @property {string} name of the number by itself
 * @property {string} [row] of several such numbers
 * @property {EquationJSON} [symbol]
 * @property {EquationJSON[]} [lines]
 * @property {string} where
 *
 * What the names are taken from: the translation, its model, and the window and attention type of the run; `placed`:
 * where a number is, if not in a translation.
 * @typedef {{ trace: TraceJSON, graphs: ModelJSON, how: How, placed?: (at: Leaf["names"][number]) => string }} Around
 */

/** Outputs whose last axis is that of the source words. */
const OVER_SOURCE =
  /^(?:looks\.\d+\.(?:scores|alignment|weights|focus\.\w+)|memory\.src_mask|memory\.looks\.\d+\.\w+)$/;
const OVER_TARGET = /^own\.\d+\./;

/** @type {() => Record<string, string>} of outputs that the step graph does not have */
const others = () => ({
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

/** @type {() => Record<string, string>} */
const inputs = () => ({
  word: t("vocabulary index of the previous word"),
  words: t("vocabulary index of a source word"),
  t: t("index of the step"),
  center: t("p_t set by hand"),
  mask: t("1 for a word, 0 for padding"),
  "state.0": t("state before the first word"),
  "state.1": t("cell state before the first word"),
});

/** @type {() => Record<string, string>} of what has no name of its own, nor parts that have one */
const results = () => ({
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

/** @param {Leaf} leaf @param {Around} around @returns {Said} */
export function said(leaf, around) {
  const { trace, graphs, how, placed: place = (at) => placed(at, trace) } = around;
  const step = stepOf(graphs, how) ?? graphs.steps[0];
  const ids = Object.fromEntries(
    Object.entries(step.quantities).flatMap(([id, { tensors }]) => tensors.map((tensor) => [tensor, id])),
  );
  const named = leaf.names.filter(({ name }) => valueIn(ids, name));
  const known = lastComputed(named, ids, step) ?? leaf.names.find(({ name }) => valueIn(others(), anyHead(name)));
  const where = place(
    known ?? leaf.names[0] ?? { name: "", frame: "frame" in leaf.ref ? leaf.ref.frame : "", index: leaf.ref.index },
  );
  if (known && valueIn(ids, known.name)) {
    const id = ids[known.name];
    const { name, element = name } = graphs.quantities[id];
    const lines = new Map(
      named
        .flatMap((output) => linesAt(ids[output.name], output, graphs, step, how))
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
  if (known) return { name: valueIn(others(), anyHead(known.name)) ?? known.name, where };
  if ("weight" in leaf.ref) return { name: shortName(leaf.ref.weight), where: t("learned") };
  if (leaf.weight?.endsWith("output.weight")) return { name: t("logit of a word"), where };
  if (leaf.given) {
    const setting = liveOf(graphs.windows, step.window).find(({ name }) => name === leaf.given);
    return { name: setting?.symbol ?? valueIn(inputs(), leaf.given) ?? leaf.given, where };
  }
  const name = leaf.spelt
    ? spelling(leaf.spelt, (part) => said(part, around).name)
    : (valueIn(results(), leaf.op) ?? t("intermediate result"));
  return { name, where };
}

/**
 * Of the quantities that one number is, the last one: an alignment weight that nothing changes is called an attention
 * weight.
 * @param {Leaf["names"]} names @param {Record<string, string>} ids the quantity of each tensor @param {StepJSON} step
 * @returns {Leaf["names"][number] | undefined}
 */
function lastComputed(names, ids, step) {
  const order = Object.keys(step.quantities);
  const same = names.filter(({ frame, index }) => frame === names[0].frame && index.join() === names[0].index.join());
  return same.sort((one, other) => order.indexOf(ids[other.name]) - order.indexOf(ids[one.name]))[0];
}

/**
 * The equations of a quantity at a step. At the first one those of its first value, if it has one; the state that a
 * later step begins with is the new state of the step before, where the graph computes that late.
 * @param {string} id @param {{ name: string, frame: string }} output @param {ModelJSON} graphs @param {StepJSON} step
 * @param {How} how
 */
function linesAt(id, { name, frame }, graphs, step, how) {
  const own = equationsOf(graphs, step, how, id) ?? { lines: [], first: [] };
  // What the encoder passes on is of the first step, too
  const begins = /^(step|trained)\.0$/.test(frame) || !isStep(frame.split(".")[0]);
  if (begins) return own.first.length ? own.first : own.lines;
  const updated = Object.keys(step.quantities).filter((other) => step.quantities[other].later?.includes(name));
  return [own, ...updated.map((other) => equationsOf(graphs, step, how, other))].flatMap((one) => one?.lines ?? []);
}

/** Whether the frames of a kind are decoding steps: see frames.js. @param {string} kind */
export const isStep = (kind) => kind === "step" || kind === "trained";

/** The name of an output without the number of its head. @param {string} name */
const anyHead = (name) => name.replace(/\.\d+\.(?=weights$|scores$)/, ".N.");

/**
 * Where a number is: its step or source word, and its place in a vector.
 * @param {Leaf["names"][number]} at
 * @param {TraceJSON} trace
 */
function placed({ name, frame, index }, trace) {
  const [kind, ...places] = frame.split(".");
  const last = index.at(-1) ?? 0;
  const parts = [];
  if (isStep(kind))
    parts.push(
      t("step {n} of {all}, “{word}”", {
        n: Number(places[0]) + 1,
        all: trace.target.length,
        word: wordAt(trace.target, Number(places[0])),
      }),
    );
  if (kind === "trained") parts.push(t("as trained"));
  if (kind === "cell")
    parts.push(
      t("at “{word}”, {way}", {
        word: wordAt(trace.source, Number(places[2])),
        way: places[1] === "0" ? t("forward") : t("backward"),
      }),
    );
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
function inSource(s, trace) {
  return t("“{word}”, position {s} (from 0)", { s, word: wordAt(trace.source, s) });
}

/** A token for display: without Moses' escapes, and without the marker before a word. @param {string} token */
export const shownWord = (token) => unescaped(token).replace(/^▁(?=.)/, "");

/** @param {string[]} words @param {number} place */
function wordAt(words, place) {
  return place < 0 ? "<s>" : shownWord(words[place] ?? "");
}

/**
 * The word at each place of a row over the source words; null for another row.
 * @param {Leaf[]} ends
 * @param {TraceJSON} trace
 */
export function wordsOf(ends, trace) {
  const found = ends.some(({ names }) => names.some(({ name }) => OVER_SOURCE.test(name)));
  return found ? trace.source.map((_, s) => wordAt(trace.source, s)) : null;
}
