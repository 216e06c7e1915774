// Two moments of a training side by side.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atBoth, movedBetween } from "../../../app/lab/training/moments.js";

// The first word's attention moves from one source word to the other; that of the second word stays.
const moment = (update, first, log_probs, centers) => ({
  update,
  sentences: [{ weights: [first, [0.5, 0.5]], log_probs, centers }],
});
const BOTH = [moment(1, [1, 0], [-1, -2], [0, 1]), moment(1000, [0, 1], [null, -1], null)];

test("two moments differ by the weights that moved", () => {
  const { differences, sides } = atBoth({ source: ["a", "b"], target: ["c", "d"] }, 0, BOTH);
  assert.deepEqual(differences, [
    { by: [1, -1], share: 1 },
    { by: [0, 0], share: 0 },
  ]);
  const [before, after] = sides;
  assert.equal(before.title, "after update 1: log p per word −1.50");
  assert.equal(after.title, "after update 1,000"); // a diverged training has no log p
  const centers = sides.map(({ rows }) => rows.map(({ center }) => center));
  assert.deepEqual(centers, [
    [0, 1],
    [null, null],
  ]);
  assert.equal(movedBetween(BOTH), 0.5);
  assert.equal(movedBetween(BOTH.map((moment) => ({ ...moment, sentences: [] }))), null);
});
