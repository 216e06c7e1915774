// What a reader sets by hand in a sentence: a list of edits, and how a link spells it.

import { MOST_STEPS } from "../engine/limits.js";

/** @import { Edit } from "../engine/types.d.ts" */

const MOST = 200; // edits in a link
const LARGEST = 1; // a weight

/** What an edit sets; a list has one edit for it. @param {Edit} edit */
const target = (edit) =>
  [edit.kind, "step" in edit ? edit.step : "", "head" in edit ? `${edit.layer}.${edit.head}` : ""].join(" ");

/** The list with an edit in the place of that for the same numbers. @param {Edit[]} edits @param {Edit} edit */
export function withEdit(edits, edit) {
  const index = edits.findIndex((other) => target(other) === target(edit));
  return index < 0 ? [...edits, edit] : edits.with(index, edit);
}

/** The list without what is set for the same numbers. @param {Edit[]} edits @param {Edit} edit */
export const withoutEdit = (edits, edit) => edits.filter((other) => target(other) !== target(edit));

/**
 * The edits in a link, with a space between them: "w3-0.25_0.75" (weights of step 3), "w3.1.2-..." (of layer 1,
 * head 2), "c3-5" (the context vector of step 5 in step 3), "o1.2" (layer 1, head 2 off), "n4-dog" (the word of step
 * 4). All count from 0.
 * @param {Edit[]} edits
 */
export function writeEdits(edits) {
  const of = (/** @type {{ layer: number | null, head: number | null }} */ { layer, head }) =>
    head === null ? "" : `.${layer}.${head}`;
  return edits
    .map((edit) => {
      if (edit.kind === "weights") return `w${edit.step}${of(edit)}-${edit.weights.join("_")}`;
      if (edit.kind === "context") return `c${edit.step}${of(edit)}-${edit.from}`;
      return edit.kind === "off" ? `o${edit.layer}.${edit.head}` : `n${edit.step}-${edit.word}`;
    })
    .join(" ");
}

/**
 * The edits of a link, and the parts of it that are none.
 * @param {string} text
 * @returns {{ edits: Edit[], bad: string[] }}
 */
export function readEdits(text) {
  /** @type {Edit[]} */
  let edits = [];
  /** @type {string[]} */
  const bad = [];
  for (const part of text.split(" ").filter(Boolean)) {
    const edit = edits.length < MOST ? readEdit(part) : null;
    if (edit) edits = withEdit(edits, edit);
    else bad.push(part);
  }
  return { edits, bad };
}

/** @param {string} text @returns {Edit | null} */
function readEdit(text) {
  const off = /^o(\d+)\.(\d+)$/.exec(text);
  if (off) return { kind: "off", layer: Number(off[1]), head: Number(off[2]) };
  const [, kind, number, inLayer, inHead, value] = /^([wcn])(\d+)(?:\.(\d+)\.(\d+))?-(.+)$/u.exec(text) ?? [];
  const [layer, head] = inHead === undefined ? [null, null] : [Number(inLayer), Number(inHead)];
  const step = Number(number);
  if (!kind || step > MOST_STEPS) return null;
  if (kind === "n") return head === null ? { kind: "word", step, word: value } : null;
  if (kind === "c")
    return /^\d+$/.test(value) && Number(value) <= MOST_STEPS
      ? { kind: "context", step, layer, head, from: Number(value) }
      : null;
  const parts = value.split("_");
  const fits = parts.every((part) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= LARGEST);
  return fits ? { kind: "weights", step, layer, head, weights: parts.map(Number) } : null;
}
