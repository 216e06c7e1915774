// Statistics of attention maps, which are lists of rows of weights; a decoder's rows differ in length.

import { entropyOf } from "../../../attn_core/browser/engine/measures.js";

/**
 * The position with the largest weight of a row, and that weight.
 * @param {number[]} row
 */
export function largestWeight(row) {
  let at = 0;
  row.forEach((weight, place) => {
    if (weight > row[at]) at = place;
  });
  return { at, weight: row[at] };
}

/**
 * Mean weight of the rows of a square map on their own position, the previous, the next and the first one.
 * @param {number[][]} weights
 */
export function habits(weights) {
  const mean = (/** @type {number} */ from, /** @type {(i: number) => number} */ place) => {
    const rows = weights
      .map((row, i) => row[place(i)])
      .slice(from)
      .filter((weight) => weight !== undefined);
    return rows.length ? rows.reduce((total, weight) => total + weight, 0) / rows.length : null;
  };
  return {
    self: mean(0, (i) => i),
    before: mean(1, (i) => i - 1),
    after: mean(0, (i) => i + 1),
    first: mean(1, () => 0),
  };
}

/**
 * Mean entropy of the rows in nats: 0 for one position, ln 2 for two with equal weights, and so on.
 * @param {number[][]} weights
 */
export function meanEntropy(weights) {
  return weights.reduce((total, row) => total + entropyOf(row), 0) / weights.length;
}

/**
 * The mean of maps of one size: the fixed layer with the smallest squared distance to all of them.
 * @param {number[][][]} maps
 * @returns {number[][]}
 */
export function meanMap(maps) {
  return maps[0].map((row, i) => row.map((_, j) => maps.reduce((total, map) => total + map[i][j], 0) / maps.length));
}

/**
 * The share of the maps' squared distance from uniform weights that the mean of the *other* maps explains: 1 if all are
 * equal, below 0 if the others predict worse than uniform weights.
 * @param {number[][][]} maps
 */
export function explained(maps) {
  let left = 0;
  let all = 0;
  for (const map of maps) {
    const mean = meanMap(maps.filter((other) => other !== map));
    map.forEach((row, i) =>
      row.forEach((weight, j) => {
        left += (weight - mean[i][j]) ** 2;
        all += (weight - 1 / row.length) ** 2;
      }),
    );
  }
  return all > 0 ? 1 - left / all : 1;
}
