// What the boxes of a path show at a step: words, vectors, or why there are none.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { fixed, short } from "../../../attn_core/browser/player/core/numbers.js";

/** @import { NumberAsked } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { Contents, Path, PathNode, Values } from "./types.d.ts" */

const MOST_WORDS = 6; // of the sentence in a narrow diagram

/**
 * The contents of a box at a step.
 * @param {Path} path
 * @param {PathNode} node
 * @param {number} step
 * @param {{ isNarrow: boolean, hasWeights: boolean }} diagram
 * @returns {Contents}
 */
export function contentsOf(path, node, step, { isNarrow, hasWeights }) {
  const { source } = path;
  const { values, top, before } = path.steps[step];
  const value = values[node.id];
  if (node.given && !path.edges.some(([from]) => from === node.id))
    return { strip: null, text: t("off in this model") };
  switch (node.id) {
    case "memory": {
      const weights = hasWeights ? vectorOf(values.weights) : null;
      const most = isNarrow ? MOST_WORDS : Infinity;
      return { strip: null, shaded: mostAttended(source, weights ?? source.map(() => 0), most) };
    }
    case "word":
      return { strip: null, text: before ?? t("start"), large: true };
    case "output":
      return { strip: null, lines: top.slice(0, 3).map(([word, logProb]) => [word, short(Math.exp(logProb))]) };
    case "center":
      return { strip: null, text: typeof value === "number" ? fixed(value, 2) : "", large: true, window: true };
  }
  const vector = vectorOf(value);
  if (!vector) return { strip: null, text: absenceText(path, node, step) };
  if (node.id !== "weights") return { strip: vector, text: `|·| ${lengthOf(vector).toFixed(2)}` };
  const best = vector.indexOf(Math.max(...vector));
  const text = vector[best] > 0 ? `${short(vector[best])} ${source[best]}` : t("no word in the window");
  return { strip: vector, bars: true, text };
}

/** Why a box has no vector. @param {Path} path @param {PathNode} node @param {number} step */
function absenceText({ bare }, { given }, step) {
  if (bare) return "";
  if (!given) return t("not computed at the end");
  return step ? "" : t("from the encoder");
}

/** The values of a node if they are a vector. @param {Values[string]} value */
function vectorOf(value) {
  return Array.isArray(value) ? value : null;
}

/**
 * [word, weight] of the `most` words with the largest weights, in the order of the sentence; ["…", null] for words that
 * are left out.
 * @param {string[]} source
 * @param {number[]} weights
 * @param {number} most
 * @returns {[string, number | null][]}
 */
function mostAttended(source, weights, most) {
  const places = source
    .map((_, s) => s)
    .sort((a, b) => weights[b] - weights[a])
    .slice(0, most);
  places.sort((a, b) => a - b);
  return [...places, source.length].flatMap((s, i) => {
    const skipped = s > (i ? places[i - 1] + 1 : 0);
    return /** @type {[string, number | null][]} */ ([
      ...(skipped ? [["…", null]] : []),
      ...(s < source.length ? [[source[s], weights[s]]] : []),
    ]);
  });
}

/** @param {number[]} numbers */
export function lengthOf(numbers) {
  return Math.sqrt(numbers.reduce((total, value) => total + value * value, 0));
}

/**
 * The number of a box that is taken apart first: the largest of a vector; null for a box without numbers.
 * @param {Path} path @param {string} id @param {number} step @returns {NumberAsked | null}
 */
export function largestNumber({ bare, steps }, id, step) {
  const values = steps[step].values[id];
  if (bare) return null;
  if (id === "output") return { step, rank: 0 };
  if (id === "center" && typeof values === "number") return { step, quantity: id, place: 0 };
  if (id === "memory" || !Array.isArray(values)) return null;
  const sizes = values.map(Math.abs);
  return { step, quantity: id, place: sizes.indexOf(Math.max(...sizes)) };
}
