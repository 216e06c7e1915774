// Word alignments from the weights of forced decoding, as the command `align` makes them (attn_core/cli/align.py).

import { END } from "../../../attn_core/browser/engine/tokenizer/specials.js";
import { links } from "../../../attn_core/browser/engine/unknown.js";
import { alignmentScores } from "../../../attn_core/browser/engine/measures.js";
import { wordNumbers } from "../../../attn_core/browser/player/core/pieces.js";
import { rowOf } from "./rows.js";

/** @import { Link } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Measured, AttentionChoice, Weighed } from "./types.d.ts" */

/**
 * The links between words: each target word is linked to the source word with the largest weight; </s> has none.
 * @param {Weighed} forced
 * @param {number | null} head null: the mean over the heads
 * @param {0 | 1} shift 1: row t + 1 links word t (Luong 2015, section 5.4)
 * @returns {Link[]}
 */
function linksOf({ source, target, cross }, head, shift) {
  const rows = Array.from({ length: cross.rows }, (_, row) => rowOf(cross, row, head));
  const [from, to] = numbers(source, target);
  return links(rows, cross.columns, shift).flatMap((s, t) =>
    s !== null && s < from.length && t < to.length ? [/** @type {Link} */ ([from[s], to[t]])] : [],
  );
}

/**
 * The alignment error rate of the sentences that have a gold alignment.
 * @param {Measured[]} sentences
 * @param {AttentionChoice} choice
 * @param {0 | 1} shift
 */
export function alignment(sentences, { head }, shift) {
  return alignmentScores(
    sentences.flatMap(({ line: { pair }, forced }) =>
      pair && forced ? [{ ...pair, links: linksOf(forced, head, shift) }] : [],
    ),
  );
}

/** How many words there are on each side, without the end symbol. @param {Weighed} forced */
export function wordsIn({ source, target }) {
  return numbers(source, target).map((side) => (side.length ? side[side.length - 1] + 1 : 0));
}

/** The word of each token of both sides, without the end symbol. @param {string[]} source @param {string[]} target */
function numbers(source, target) {
  const inputs = source[source.length - 1] === END ? source.slice(0, -1) : source;
  return [wordNumbers(inputs), wordNumbers(target.slice(0, -1))];
}
