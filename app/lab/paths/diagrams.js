// The diagrams of models' steps with the numbers of translations.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { vectorsOf } from "../kit/steps.js";
import { nodeOf } from "./graph.js";

/** @import { StepTrace, Tensor } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { TokenizerRecord } from "../../../attn_core/browser/engine/tokenizer/types.d.ts" */
/** @import { Translation } from "../kit/types.d.ts" */
/** @import { Path, PathStep, Values } from "./types.d.ts" */

/** The quantities that boxes show. */
export const QUANTITIES = ["memory", "previous", "fed", "state", "next", "context", "readout"];

/**
 * One diagram; throws an Error if the step of the model cannot be drawn.
 * @param {Translation} translation
 * @param {boolean} printed Bahdanau's step as printed in the paper, although the model was trained with the step of the
 * authors' code
 * @returns {Path}
 */
export function diagramOf({ name, shown, files: { graphs, source, target } }, printed = false) {
  const diagram = graphs.diagrams[printed ? 1 : 0];
  if (!diagram) throw new Error(t("The step of {model} cannot be drawn.", { model: name }));
  const sizes = { S: shown.source.length, V: size(target) ?? size(source) };
  return {
    ...diagram,
    title:
      diagram.order === "attend-then-update" ? t("Bahdanau: attend, then update") : t("Luong: update, then attend"),
    model: name,
    source: shown.source,
    nodes: diagram.nodes.map((node) => ({
      ...node,
      shape: node.shape.map((size) => sizes[/** @type {"S" | "V"} */ (size)] ?? size),
    })),
    ask: nodeOf(diagram, diagram.instead).symbol,
    bare: printed,
    steps: shown.steps.map((step, i) => stepOf(step, shown.steps, i, printed)),
  };
}

/**
 * Whether a model was trained with the step of the authors' code, so that the paper's step differs.
 * @param {Translation} translation
 */
export function followsCode({ files: { graphs } }) {
  return graphs.diagrams.length > 1;
}

/**
 * @param {StepTrace} step @param {StepTrace[]} steps @param {number} i @param {boolean} bare
 * @returns {PathStep}
 */
function stepOf(step, steps, i, bare) {
  return {
    token: step.token,
    before: i ? steps[i - 1].token : null,
    top: step.top,
    values: bare ? {} : valuesOf(step, steps, i),
  };
}

/**
 * The numbers of a step, by node; of the encoder states, the length of each.
 * @param {StepTrace} step @param {StepTrace[]} steps @param {number} i
 * @returns {Values}
 */
function valuesOf(step, steps, i) {
  const vectors = vectorsOf(step);
  /** @type {Values} */
  const values = { weights: step.looks[0].weights, memory: lengthsOf(vectorsOf(steps[0]).memory[0]) };
  if (step.center !== null) values.center = step.center;
  for (const id of QUANTITIES) {
    if (id !== "memory" && vectors[id]?.length) values[id] = Array.from(vectors[id][0].data);
  }
  // A step of the authors' code ends before its next state, which needs the word: the step after it has that.
  const nextStep = steps[i + 1];
  if (!values.next && nextStep) values.next = Array.from(vectorsOf(nextStep).previous[0].data);
  return values;
}

/** The number of words in a vocabulary; null if another file holds it. @param {TokenizerRecord} record */
function size({ tokenizer }) {
  return typeof tokenizer === "string" ? null : Object.keys(tokenizer.model.vocab).length;
}

/** @param {Tensor} states */
function lengthsOf({ data, shape }) {
  const [n, size] = shape.slice(-2);
  return Array.from({ length: n }, (_, s) => Math.hypot(...data.subarray(s * size, (s + 1) * size)));
}
