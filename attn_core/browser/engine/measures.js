// Measures of attention weights and of alignments, as in attn_core: attention/measures.py and data/alignments.py.

import { softmax, sum } from "./vectors.js";

/** @import { AlignmentScores, Link, Span } from "../player/core/types.d.ts" */

/**
 * -sum w ln w, in nats (attn_core.attention.measures.entropy). Rows are not normalised.
 * @param {ArrayLike<number>} weights
 */
export function entropyOf(weights) {
  let total = 0;
  for (let s = 0; s < weights.length; s++) if (weights[s] > 0) total -= weights[s] * Math.log(weights[s]);
  return total;
}

/**
 * The total weight of each column (attn_core.attention.measures.coverage).
 * @param {ArrayLike<number>[]} rows of equal length
 */
export function coverageOf(rows) {
  return Array.from(rows[0] ?? [], (_, s) => rows.reduce((total, row) => total + row[s], 0));
}

/**
 * The total weight outside `span` of a softmax over the whole sentence.
 * @param {number[]} scores
 * @param {Span | null} span
 */
export function massOutside(scores, span) {
  return sum(softmax(scores).filter((_, s) => !span || s < span.lo || s > span.hi));
}

/**
 * Counts of hypothesised links and of gold links, and the alignment error rate (Och and Ney 2003;
 * attn_core.data.alignments.alignment_error_rate). Sure links are possible too.
 * @param {{ sure: Link[], possible: Link[], links: Link[] }[]} pairs
 * @returns {AlignmentScores}
 */
export function alignmentScores(pairs) {
  const counts = { links: 0, sure: 0, possible: 0, sureHits: 0, possibleHits: 0 };
  for (const pair of pairs) {
    const sure = new Set(pair.sure.map(String));
    const possible = new Set([...sure, ...pair.possible.map(String)]);
    const links = [...new Set(pair.links.map(String))];
    counts.links += links.length;
    counts.sure += sure.size;
    counts.possible += possible.size;
    counts.sureHits += links.filter((link) => sure.has(link)).length;
    counts.possibleHits += links.filter((link) => possible.has(link)).length;
  }
  const { links, sure, sureHits, possibleHits } = counts;
  return {
    ...counts,
    aer: links + sure ? 1 - (sureHits + possibleHits) / (links + sure) : 0,
    precision: links ? possibleHits / links : 1,
    recall: sure ? sureHits / sure : 1,
  };
}
