// Measures of attention maps, by hand and by slow formulas.

import assert from "node:assert/strict";
import { test } from "node:test";

import { explained, habits, largestWeight, meanEntropy, meanMap } from "../../../app/lab/heads/measures.js";
import { sum } from "../../../attn_core/browser/engine/vectors.js";
import { near } from "../../helpers/near.js";
import { createRandom } from "../../helpers/random.js";

const { next } = createRandom(0);
const divided = (row) => row.map((weight) => weight / sum(row));
const mean = (numbers) => sum(numbers) / numbers.length;
const randomMap = (rows, columns) =>
  Array.from({ length: rows }, () => divided(Array.from({ length: columns }, () => next() ** 3)));

test("the largest weight of a row", () => {
  for (const row of randomMap(5, 7)) {
    const { at, weight } = largestWeight(row);
    assert.equal(weight, Math.max(...row));
    assert.equal(row[at], weight);
  }
});

test("where a head attends to on average", () => {
  const square = randomMap(6, 6);
  const places = square.map((_, i) => i);
  near(habits(square), {
    self: mean(places.map((i) => square[i][i])),
    before: mean(places.slice(1).map((i) => square[i][i - 1])),
    after: mean(places.slice(0, -1).map((i) => square[i][i + 1])),
    first: mean(places.slice(1).map((i) => square[i][0])),
  });
  const past = square.map((row, i) => divided(row.slice(0, i + 1))); // of a decoder
  const { self, after } = habits(past);
  near(self, mean(past.map((row) => row.at(-1))));
  assert.equal(after, null);
  assert.deepEqual(habits([[1]]), { self: 1, before: null, after: null, first: null });
});

test("mean entropy", () => {
  const weights = randomMap(4, 5);
  near(meanEntropy(weights), mean(weights.map((row) => -sum(row.map((weight) => weight * Math.log(weight))))));
  const rows = [
    [0.5, 0.5],
    [1, 0],
  ];
  near(meanEntropy(rows), Math.log(2) / 2);
});

test("the nearest fixed layer", () => {
  const maps = [randomMap(4, 4), randomMap(4, 4), randomMap(4, 4)];
  const squared = (differences) => sum(differences.flat(2).map((difference) => difference ** 2));
  const each = (of) => maps.map((map, m) => map.map((row, i) => row.map((weight, j) => of(weight, m, i, j))));
  const cell = (i, j, left = null) => mean(maps.filter((_, m) => m !== left).map((map) => map[i][j]));
  near(
    meanMap(maps),
    maps[0].map((row, i) => row.map((_, j) => cell(i, j))),
  );
  const rest = squared(each((weight, m, i, j) => weight - cell(i, j, m)));
  near(explained(maps), 1 - rest / squared(each((weight) => weight - 1 / 4)));
  near(explained([1, 2, 3].map(() => structuredClone(maps[0]))), 1);
  const even = [
    [0.5, 0.5],
    [0.5, 0.5],
  ];
  assert.equal(explained([even, structuredClone(even)]), 1);
});
