// The numbers of the Gaussian beside the label of p_t, and the bars of scores where a row is low.

import assert from "node:assert/strict";
import { test } from "node:test";

import { areScoresNumbered, axisOf, bellNumberAt } from "../../attn_core/browser/player/draw/bars.js";

const pen = { family: "sans-serif", ctx: { font: "", measureText: (text) => ({ width: 8 * text.length }) } };
const g = { u: 1, least: 0 };
const tag = { left: 100, width: 60, top: -11, height: 20 };
const base = 30;
const numberAt = (x, y) => bellNumberAt(pen, g, "0.76", x, y, base, tag);

test("a number of the Gaussian goes below its dot where the label of p_t would cover it", () => {
  assert.ok(numberAt(200, 8) < 8, "above, beside the label");
  assert.ok(numberAt(150, 8) > 8, "below, under the label");
  assert.ok(numberAt(150, 8) + 7 <= base);
});

test("a number that has no room beside the label of p_t is left out", () => {
  assert.equal(numberAt(150, 16), null);
});

test("positive scores rise and negative ones hang down, however low their row is", () => {
  const range = { low: -4, high: 10 };
  for (const h of [12, 24, 34, 76]) {
    for (const numbers of [true, false]) {
      const row = { key: "scores", y: 100, h };
      const { zero, unit } = axisOf(row, { ...g, numbers }, { scale: 1, range });
      assert.ok(unit > 0);
      assert.ok(zero - 10 * unit > 99.9 && zero + 4 * unit < 100.1 + h);
    }
  }
});

test("scores in a low row have bars rather than numbers", () => {
  const numbered = (h, low) => areScoresNumbered({ h }, { ...g, numbers: true }, { low, high: 10 });
  assert.ok(numbered(76, -4));
  assert.ok(!numbered(34, -4), "two lines of numbers leave no room");
  assert.ok(numbered(34, 2), "one line does");
});
