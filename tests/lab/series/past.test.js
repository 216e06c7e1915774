// What the Series page computes beside the model, by hand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { errorOf, lastWeek, movedValuesIn, onWeekday } from "../../../app/lab/series/past.js";

test("last week is repeated, and the error is the mean absolute difference", () => {
  const past = [9, 9, 1, 2, 3];
  assert.deepEqual(lastWeek(past, 3, 7), [1, 2, 3, 1, 2, 3, 1]);
  assert.equal(errorOf([1, 2, 3, 1], [1, 0, 4, 2]), 1);
});

test("the weight on a weekday is that of every week", () => {
  assert.equal(onWeekday([1, 2, 4, 8], 3, 1), 4); // day 4 + 1 is 5; 2 is 3 days before, and no other
});

test("a link has the changed values of the past", () => {
  assert.deepEqual(movedValuesIn("3~-1.5_40~2", 42, 20), { 3: -1.5, 40: 2 });
  for (const text of ["42~1", "1~21", "1~x", "1", "-1~1", "1~1__2~2"]) assert.equal(movedValuesIn(text, 42, 20), null);
});
