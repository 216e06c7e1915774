// What is said of attention maps: lists of rows of weights; a row may be shorter than the others (a decoder's past).

import { entropyOf } from "../kit/chance.js";

/**
 * The place with the largest weight of a row, and that weight.
 * @param {number[]} row
 */
export function most(row) {
  let at = 0;
  row.forEach((weight, place) => { if (weight > row[at]) at = place; });
  return { at, weight: row[at] };
}

/**
 * Mean weight that the rows of a square map put on their own place, the one before, the one after and the first.
 * @param {number[][]} weights
 */
export function habits(weights) {
  const mean = (/** @type {number} */ from, /** @type {(i: number) => number} */ place) => {
    const rows = weights.map((row, i) => row[place(i)]).slice(from).filter((weight) => weight !== undefined);
    return rows.length ? rows.reduce((total, weight) => total + weight, 0) / rows.length : null;
  };
  return { self: mean(0, (i) => i), before: mean(1, (i) => i - 1), after: mean(0, (i) => i + 1), first: mean(1, () => 0) };
}

/**
 * Mean entropy of the rows in nats: 0 looks at one place, ln 2 at two alike, and so on.
 * @param {number[][]} weights
 */
export function meanEntropy(weights) {
  return weights.reduce((total, row) => total + entropyOf(row), 0) / weights.length;
}

/**
 * The mean of maps of one size: the weights of the fully connected layer that comes nearest to all of them.
 * @param {number[][][]} maps
 * @returns {number[][]}
 */
export function meanMap(maps) {
  return maps[0].map((row, i) => row.map((_, j) => maps.reduce((total, map) => total + map[i][j], 0) / maps.length));
}

/**
 * The share of each map's distance from "everywhere alike" that the mean of the *other* maps explains: 1 if all are the
 * same, below 0 if the others are worse than no map at all.
 * @param {number[][][]} maps
 */
export function explained(maps) {
  let left = 0;
  let all = 0;
  for (const map of maps) {
    const mean = meanMap(maps.filter((other) => other !== map));
    map.forEach((row, i) => row.forEach((weight, j) => {
      left += (weight - mean[i][j]) ** 2;
      all += (weight - 1 / row.length) ** 2;
    }));
  }
  return all > 0 ? 1 - left / all : 1;
}
