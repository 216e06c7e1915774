// Rows of attention weights that a reader sets. Each keeps the total of the row it replaces, and has four decimals,
// which a link holds.

import { sum } from "../engine/vectors.js";

const DECIMALS = 1e4;

/**
 * The row with one weight set; the other weights keep their ratios. If they are all 0, they share the rest equally.
 * @param {number[]} row
 * @param {number} place
 * @param {number} weight at most the row's total
 */
export function repainted(row, place, weight) {
  const total = sum(row);
  const allowed = Math.min(Math.max(weight, 0), total);
  const others = total - row[place];
  const each = (total - allowed) / Math.max(row.length - 1, 1);
  const scaled = row.map((value) => (others > 0 ? (value / others) * (total - allowed) : each));
  return rounded(scaled.with(place, row.length > 1 ? allowed : total), place);
}

/** The row with all the weight on one word. @param {number[]} row @param {number} place */
export const alone = (row, place) =>
  rounded(
    row.map((_, s) => (s === place ? sum(row) : 0)),
    place,
  );

/**
 * The row with the same weight on each word in view.
 * @param {number[]} row
 * @param {(place: number) => boolean} inView
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
 * With four decimals and the same total: the largest weight, other than that at `place`, takes what rounding leaves.
 * @param {number[]} row
 * @param {number | null} place
 */
function rounded(row, place) {
  const whole = row.map((value) => Math.round(value * DECIMALS));
  const remainder = Math.round(sum(row) * DECIMALS) - sum(whole);
  const largest = whole.reduce((best, value, s) => (s !== place && (best < 0 || value > whole[best]) ? s : best), -1);
  const index = largest < 0 || whole[largest] + remainder < 0 ? Number(place) : largest;
  return whole.with(index, whole[index] + remainder).map((value) => value / DECIMALS);
}
