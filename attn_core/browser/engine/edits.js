// What a reader sets in a translation by hand: attention weights, context vectors, heads that are switched off, and
// words. A step is computed as always, with these numbers in place of the computed ones (see Plan.run).

/**
 * @import { Change, Edit, Unfit } from "./types.d.ts"
 * @typedef {{ head: number, numbers: Float32Array }} Context of one head, by its place in the record
 */

/**
 * The edits that a model and a sentence can have, and the others, each with a reason.
 * @param {Edit[]} edits
 * @param {{ heads: [layer: number, head: number][], n: number, steps: number, knows: (word: string) => boolean }} fits
 * `n`: source positions; `steps`: those of the translation without edits
 * @returns {{ fit: Edit[], unfit: Unfit[] }}
 */
export function fitting(edits, { heads, n, steps, knows }) {
  /** @type {Edit[]} */
  const fit = [];
  /** @type {Unfit[]} */
  const unfit = [];
  for (const edit of edits) {
    /** @type {Unfit["why"] | null} */
    let why = null;
    if (edit.kind === "word") why = knows(edit.word) ? null : "word";
    else if (!headsOf(edit, heads).length) why = "head";
    else if (edit.kind === "weights" && edit.weights.length !== n) why = "length";
    else if (edit.kind === "context" && edit.from >= steps) why = "step";
    if (why) unfit.push({ edit, why });
    else fit.push(edit);
  }
  return { fit, unfit };
}

/**
 * The places in the record of the head that an edit changes, or of all heads if it names none.
 * @param {{ layer: number | null, head: number | null }} edit
 * @param {[layer: number, head: number][]} heads
 */
function headsOf(edit, heads) {
  return heads.flatMap(([layer, head], i) =>
    edit.head === null || (layer === edit.layer && head === edit.head) ? [i] : [],
  );
}

/**
 * What the edits set in each step; of two for the same numbers the later one counts.
 * @param {Edit[]} edits which fit
 * @param {{ heads: [layer: number, head: number][], id: (word: string) => number, contexts: (step: number) => Context[]
 * }} sentence `contexts`: those of a step of the translation without edits
 * @returns {Change}
 */
export function changeOf(edits, { heads, id, contexts }) {
  /** @type {Map<number, Change["always"]>} */
  const steps = new Map();
  /** @type {Map<number, number>} */
  const words = new Map();
  /** @type {Change["always"]} */
  const always = [];
  const setAt = (/** @type {number} */ t, /** @type {Change["always"][number]} */ put) =>
    steps.set(t, [...(steps.get(t) ?? []), put]);
  for (const edit of edits) {
    if (edit.kind === "word") words.set(edit.step, id(edit.word));
    else
      for (const i of headsOf(edit, heads)) {
        if (edit.kind === "off") always.push({ output: `looks.${i}.context`, numbers: null, edit });
        else if (edit.kind === "weights")
          setAt(edit.step, { output: `looks.${i}.weights`, numbers: Float32Array.from(edit.weights), edit });
        else {
          const { numbers } = /** @type {Context} */ (contexts(edit.from).find(({ head }) => head === i));
          setAt(edit.step, { output: `looks.${i}.context`, numbers, edit });
        }
      }
  }
  return { always, at: (t) => [...(steps.get(t) ?? []), ...always], word: (t) => words.get(t) };
}
