// The numbers behind the figures as CSV: a line for each row of the attention on show.

import { csvText } from "../../shell/csv.js";
import { alignment } from "./alignment.js";
import { KINDS, spread } from "./figures.js";
import { largest, attentionRows, wordsOf } from "./rows.js";

/** @import { Measured, AttentionChoice } from "./types.d.ts" */

const COLUMNS = [
  "line",
  "sentence",
  "row",
  "word",
  "columns",
  "largest_at",
  "largest_word",
  "largest_weight",
  "weight_sum",
  "entropy_nats",
  "mean_distance",
  "p_t",
  "lost_to_gaussian",
  "outside_window",
  ...KINDS.map(([kind]) => `weight_${kind}`),
  "sentence_aer",
];

/**
 * @param {Measured[]} sentences
 * @param {AttentionChoice} choice
 */
export function csvOf(sentences, choice) {
  const lines = [...sentences]
    .sort((a, b) => a.line.number - b.line.number)
    .flatMap((sentence) => {
      const {
        line,
        weighed: { local, cross },
        forced,
      } = sentence;
      const { rows, from, to, kinds, listed } = attentionRows(sentence, choice);
      const [words, others] = [wordsOf(from), wordsOf(to)];
      const narrow = local && choice.attention === "cross" ? local : null;
      const aer = forced && choice.attention === "cross" ? alignment([sentence], choice, 0).aer : "";
      return rows.map((row, t) => {
        const best = largest(row);
        const byHead = (/** @type {Float32Array} */ values) => {
          const some = values.subarray(t * cross.heads, (t + 1) * cross.heads);
          return choice.head === null ? some.reduce((sum, value) => sum + value, 0) / cross.heads : some[choice.head];
        };
        const sums = KINDS.map(([kind]) =>
          !listed && (kind === "function" || kind === "content")
            ? ""
            : row.reduce((sum, weight, s) => sum + (kinds[s] === kind ? weight : 0), 0),
        );
        const total = row.reduce((sum, weight) => sum + weight, 0);
        const distance = row.reduce((sum, weight, s) => sum + weight * (s - t), 0);
        return [
          line.number,
          line.text,
          t,
          words[t],
          row.length,
          best ?? "",
          best === null ? "" : others[best],
          best === null ? 0 : row[best],
          total,
          spread(row) ?? "",
          total ? distance / total : "",
          narrow ? narrow.centers[t] : "",
          narrow ? byHead(narrow.lost) : "",
          narrow ? byHead(narrow.outside) : "",
          ...sums,
          aer,
        ];
      });
    });
  return csvText([COLUMNS, ...lines]);
}
