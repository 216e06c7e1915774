// Numbers as the pages write them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { exact, significant } from "../../attn_core/browser/player/core/numbers.js";

test("a number by itself has three significant digits", () => {
  for (const [value, written] of [
    [0, "0"],
    [-1, "−1"],
    [5921, "5921"],
    [0.58823, "0.588"],
    [0.04, "0.0400"],
    [0.00123, "0.00123"],
    [0.000893, "8.93×10⁻⁴"],
    [19.04, "19.0"],
    [13.0712, "13.1"],
    [-874.25, "−874"],
    [1234567, "1.23×10⁶"],
    [-0.99987, "−0.9999"], // a saturated tanh
    [0.9996, "0.9996"],
    [1.0004, "1.00"],
    [-3.4e38, "−∞"],
  ])
    assert.equal(significant(value), written);
});

test("a number in a column has four decimals", () => {
  assert.deepEqual(
    [0.58823, -12.5, 0.0000893].map((value) => exact(value)),
    ["0.5882", "−12.5000", "8.93×10⁻⁵"],
  );
});
