// Rows of attention weights that a reader sets. Each keeps the total of the row it replaces, and has four decimals,
// which a link holds.

import { sum } from "../engine/vectors.js";

const DECIMALS = 1e4;

/**
 * The row with one weight set; the other weights keep their ratios. If they are all 0, they share the rest equally.
 * @param {number[]} row
 * @param {number} position
 * @param {number} weight at most the row's total
 */
export function repainted(row, position, weight) {
  const total = sum(row);
  const allowed = Math.min(Math.max(weight, 0), total);
  const others = total - row[position];
  const each = (total - allowed) / Math.max(row.length - 1, 1);
  const scaled = row.map((value) => (others > 0 ? (value / others) * (total - allowed) : each));
  return rounded(scaled.with(position, row.length > 1 ? allowed : total), position);
}

/** The row with all the weight on one word. @param {number[]} row @param {number} position */
export const alone = (row, position) =>
  rounded(
    row.map((_, s) => (s === position ? sum(row) : 0)),
    position,
  );

/**
 * The row with the same weight on each word in view.
 * @param {number[]} row
 * @param {(position: number) => boolean} inView
 */
export function even(row, inView) {
  const seen = row.map((_, s) => inView(s));
  const n = seen.filter(Boolean).length;
  return rounded(
    row.map((_, s) => (n && !seen[s] ? 0 : sum(row) / (n || row.length))),
    null,
  );
}

/**
 * With four decimals and the same total: the largest weight, other than that at `position`, takes what rounding leaves.
 * @param {number[]} row
 * @param {number | null} position
 */
function rounded(row, position) {
  const whole = row.map((value) => Math.round(value * DECIMALS));
  const remainder = Math.round(sum(row) * DECIMALS) - sum(whole);
  const largest = whole.reduce(
    (best, value, s) => (s !== position && (best < 0 || value > whole[best]) ? s : best),
    -1,
  );
  const index = largest < 0 || whole[largest] + remainder < 0 ? Number(position) : largest;
  return whole.with(index, whole[index] + remainder).map((value) => value / DECIMALS);
}
