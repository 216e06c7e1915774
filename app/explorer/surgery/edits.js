// The edits of a sentence as a list: in a link, in words, and with another one in it.

import { MOST_STEPS } from "../../../attn_core/web/engine/limits.js";
import { headName } from "../../../attn_core/web/player/core/looks.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { shownWord } from "../../shell/numbers/names.js";

/** @import { Edit, TraceJSON, Unfit } from "../../../attn_core/web/engine/types.d.ts" */

const MOST = 200; // edits in a link
const LARGEST = 1; // a weight

/** What an edit sets; a list has one edit for it. @param {Edit} edit */
const target = (edit) => [edit.kind, "step" in edit ? edit.step : "", "head" in edit ? `${edit.layer}.${edit.head}` : ""].join(" ");

/** The list with an edit in the place of that for the same numbers. @param {Edit[]} edits @param {Edit} edit */
export function withEdit(edits, edit) {
  const at = edits.findIndex((one) => target(one) === target(edit));
  return at < 0 ? [...edits, edit] : edits.with(at, edit);
}

/** The list without what is set for the same numbers. @param {Edit[]} edits @param {Edit} edit */
export const withoutEdit = (edits, edit) => edits.filter((one) => target(one) !== target(edit));

/**
 * The edits in a link, with a space between them: "w3-0.25_0.75" (weights of step 3), "w3.1.2-..." (of layer 1,
 * head 2), "c3-5" (the context vector of step 5 in step 3), "o1.2" (layer 1, head 2 off), "n4-dog" (the word of step 4).
 * All count from 0.
 * @param {Edit[]} edits
 */
export function written(edits) {
  const of = (/** @type {{ layer: number | null, head: number | null }} */ { layer, head }) => (head === null ? "" : `.${layer}.${head}`);
  return edits.map((edit) => {
    if (edit.kind === "weights") return `w${edit.step}${of(edit)}-${edit.weights.join("_")}`;
    if (edit.kind === "context") return `c${edit.step}${of(edit)}-${edit.from}`;
    return edit.kind === "off" ? `o${edit.layer}.${edit.head}` : `n${edit.step}-${edit.word}`;
  }).join(" ");
}

/**
 * The edits of a link, and the parts of it that are none.
 * @param {string} text
 * @returns {{ edits: Edit[], bad: string[] }}
 */
export function read(text) {
  /** @type {Edit[]} */
  let edits = [];
  /** @type {string[]} */
  const bad = [];
  for (const part of text.split(" ").filter(Boolean)) {
    const edit = edits.length < MOST ? one(part) : null;
    if (edit) edits = withEdit(edits, edit);
    else bad.push(part);
  }
  return { edits, bad };
}

/** @param {string} text @returns {Edit | null} */
function one(text) {
  const off = /^o(\d+)\.(\d+)$/.exec(text);
  if (off) return { kind: "off", layer: Number(off[1]), head: Number(off[2]) };
  const [, kind, number, inLayer, inHead, value] = /^([wcn])(\d+)(?:\.(\d+)\.(\d+))?-(.+)$/u.exec(text) ?? [];
  const [layer, head] = inHead === undefined ? [null, null] : [Number(inLayer), Number(inHead)];
  const step = Number(number);
  if (!kind || step > MOST_STEPS) return null;
  if (kind === "n") return head === null ? { kind: "word", step, word: value } : null;
  if (kind === "c") return /^\d+$/.test(value) && Number(value) <= MOST_STEPS ? { kind: "context", step, layer, head, from: Number(value) } : null;
  const parts = value.split("_");
  const fits = parts.every((part) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= LARGEST);
  return fits ? { kind: "weights", step, layer, head, weights: parts.map(Number) } : null;
}

/**
 * An edit in words, with the source words that got the most weight. In sentences a step counts from 1; in links, and as t, from 0.
 * @param {Edit} edit
 * @param {Pick<TraceJSON, "source">} trace
 * @param {boolean} [many] whether the model has several heads
 */
export function inWords(edit, { source }, many = false) {
  if (edit.kind === "off") return t("{head}: off", { head: headName(edit) });
  const step = edit.step + 1;
  if (edit.kind === "word") return t("step {step}: word “{word}”", { step, word: shownWord(edit.word) });
  const head = many ? ` (${spelled(edit) ?? t("all heads")})` : "";
  if (edit.kind === "context") return `${t("step {step}: context of step {from}", { step, from: edit.from + 1 })}${head}`;
  const { weights } = edit;
  const most = weights.indexOf(Math.max(...weights));
  const share = Math.round(100 * weights[most]);
  const positive = weights.filter((weight) => weight > 0);
  const alike = positive.length > 1 && positive.every((weight) => Math.abs(weight - weights[most]) < 1e-3);
  const what = alike
    ? positive.length === weights.length ? t("step {step}: uniform weights", { step }) : t("step {step}: equal weights on {n} words", { step, n: positive.length })
    : t("step {step}: weights, {share}% on “{word}”", { step, share, word: shownWord(source[most] ?? "") });
  return `${what}${head}`;
}

/** The head of an edit in words; null: all heads. @param {{ layer: number | null, head: number | null }} edit */
const spelled = ({ layer, head }) => (layer === null || head === null ? null : headName({ layer, head }));

/** Why an edit was left out. @param {Unfit} unfit @param {TraceJSON} trace */
export function leftOut({ edit, why }, trace) {
  if (edit.kind === "weights" && why === "length") {
    return t("The edit of step {step} was removed: it has {n} weights, and this sentence has {words} source words.", { step: edit.step + 1, n: edit.weights.length, words: trace.source.length });
  }
  if (edit.kind === "context" && why === "step") {
    return t("The edit of step {step} was removed: the translation has no step {from} whose context vector it could take.", { step: edit.step + 1, from: edit.from + 1 });
  }
  if (edit.kind === "word") return t("The edit of step {step} was removed: the model's vocabulary has no “{word}”.", { step: edit.step + 1, word: edit.word.slice(0, 40) });
  const head = spelled(edit);
  if (head === null) return t("An edit was removed: {model} has no attention.", { model: trace.model });
  return t("An edit was removed: {model} has no {head}.", { model: trace.model, head });
}
