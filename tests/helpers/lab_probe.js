// What the tests of Python ask of the lab's modules: each function takes and returns JSON.

import { alignment } from "../../app/lab/corpus/alignment.js";
import { FIGURES } from "../../app/lab/corpus/figures.js";
import { measureLines } from "../../app/lab/corpus/measuring.js";
import { readText } from "../../app/lab/corpus/text.js";
import { attentionsOf } from "../../app/lab/heads/attentions.js";
import { vectorsOf } from "../../app/lab/kit/steps.js";
import { diagramOf, followsCode, QUANTITIES } from "../../app/lab/paths/diagrams.js";
import { choose, samePolygon, TASKS } from "../../app/lab/pointer/net.js";
import { verdictOf } from "../../app/lab/pointer/parts.js";
import { stepView } from "../../app/lab/pointer/step.js";
import { GRID } from "../../app/lab/score/plane/drawing.js";
import { originsOf } from "../../app/lab/score/scores/breakdown.js";
import { contextOf } from "../../app/lab/score/state/context.js";
import { gramOf } from "../../app/lab/window/treatments.js";
import { entropyOf } from "../../attn_core/browser/engine/measures.js";
import { PointerNet } from "../../attn_core/browser/engine/pointer.js";
import { ScoreFunction } from "../../attn_core/browser/engine/score.js";
import { open } from "../../attn_core/browser/engine/service.js";
import { Translator } from "../../attn_core/browser/engine/trace.js";
import { softmax } from "../../attn_core/browser/engine/vectors.js";
import { readable } from "../../attn_core/browser/player/core/pieces.js";
import { drawnQuantities } from "../../attn_core/browser/player/core/state-vectors.js";

export { samePolygon };

const bytes = (base64) => Uint8Array.from(Buffer.from(base64, "base64"));

/** The keys of the plane of the Score lab. */
export const plane = () => GRID;

/** The scores of each request, one after another by one function, whose parameters a request may change. */
export function scores(document, requests) {
  const score = new ScoreFunction(document);
  return requests.map(({ query, keys, parameters = {} }) => {
    score.setParameters(parameters);
    return score.scores(query, keys);
  });
}

/** What follows from scores: weights, their entropy, and the context vector. */
export function attended(given, values) {
  const weights = softmax(given);
  return { weights, entropy: entropyOf(weights), context: contextOf(weights, values) };
}

/** What the score of each key was computed from. */
export function breakdowns(document, query, keys) {
  const origins = new ScoreFunction(document).origins(query, keys);
  return keys.map((_, s) => originsOf(origins, s));
}

/** The origins of numbers of a score. */
export function scoreOrigins(document, query, keys, refs) {
  const origins = new ScoreFunction(document).origins(query, keys);
  return refs.map((ref) => origins.of(ref));
}

const pointerNet = ({ json, weights }) => new PointerNet(json, bytes(weights));

/** The choices of a pointer network. */
export const choices = (files, inputs, constraint) => choose(pointerNet(files), inputs, constraint);

/** What the picture of a pointer network's steps draws: the names of its parts, and the vectors that are compared. */
export function drawnStates(files, inputs) {
  const quantities = files.json.quantities ?? {};
  const names = ["end", ...inputs.map((_, i) => String(i + 1))];
  const steps = choose(pointerNet(files), inputs, "none", drawnQuantities(quantities));
  const { vectors, places } = stepView({ names, steps, step: 0, quantities, hover: null });
  if (!vectors) return null;
  const { value, query, context, beside } = vectors;
  const [states, queries] = [value.states, query.vectors].map((many) => many.map((numbers) => [...numbers]));
  return { places, parts: [value.name, query.name, context, beside], states, queries };
}

/** The correct answer to a problem for each list of inputs. */
export const answers = (problem, many) => many.map(TASKS[problem].answer);

/** The verdict on a walk: positions, 0 for the end. */
export const verdict = (problem, inputs, walk) =>
  verdictOf(
    problem,
    TASKS[problem].answer(inputs),
    walk.map((place) => ({ place })),
  );

/** The translation of a text, as translating.js hands it to a page; the weights are in base64. */
function translation({ weights, ...files }, text, vectors = ["memory"]) {
  const trace = new Translator({ ...files, weights: bytes(weights) }).translate({ text, vectors });
  return { name: files.graphs.name, trace, shown: readable(trace), text: "", files };
}

/** The diagram of a translation. */
export const diagram = (files, text, printed) => diagramOf(translation(files, text, QUANTITIES), printed);

export const hasPrintedStep = (files, text) => followsCode(translation(files, text));

/** The attention maps of a translation. */
export const attentions = (files, text) => attentionsOf(translation(files, text).shown);

/** The inner products of the encoder states of a translation. */
export const gram = (files, text) => gramOf(vectorsOf(translation(files, text).trace.steps[0]).memory[0]);

/** The lines of each file with their numbers; null for a file that is no text. */
export const numberedLines = (contents) =>
  contents.map((content) => {
    try {
      return readText("my.txt", Uint8Array.from(content)).lines.map(({ number, text }) => [number, text]);
    } catch {
      return null;
    }
  });

/** The lines of a text as the Corpus page measures them. */
async function measured({ weights, ...files }, lines, how = {}, words = []) {
  const model = open({ ...files, weights: bytes(weights) });
  const read = model.lines(lines.map(({ text }) => text));
  const found = [];
  await measureLines(
    { weights: async (asked) => model.weights(asked) },
    lines.map((line, i) => ({ ...line, read: read[i] })),
    how,
    {
      words: new Set(words),
      targetWords: new Set(),
      stopped: () => false,
      onSentence: (sentence) => found.push(sentence),
    },
  );
  return found.sort((a, b) => a.line.number - b.line.number);
}

/** The items of a figure, by line. */
export async function figureItems(files, lines, key, choice, how) {
  const { items } = FIGURES.find((figure) => figure.key === key);
  return (await measured(files, lines, how)).map((sentence) => items(sentence, choice));
}

/** The alignment error rates: row t links word t, and row t + 1. */
export async function alignments(files, lines, choice) {
  const sentences = await measured(files, lines);
  return [0, 1].map((shift) => alignment(sentences, choice, shift));
}

/** By line: the tokens, their kinds, and whether the line has gold links between these words. */
export async function wordKinds(files, lines, functionWords) {
  const sentences = await measured(files, lines, {}, functionWords);
  return sentences.map(({ weighed, kinds, forced }) => [weighed.source, kinds.source, forced !== null]);
}
