// Comparison of numbers that may differ by rounding, also inside lists and objects.

import assert from "node:assert/strict";

/** @param {any} actual @param {any} expected @param {number} [tolerance] relative, and absolute below 1 */
export function near(actual, expected, tolerance = 1e-6) {
  assert.deepEqual(matched(actual, expected, tolerance), expected);
}

/** `actual` with the numbers of `expected` in place of those within the tolerance. */
function matched(actual, expected, tolerance) {
  if (typeof actual === "number" && typeof expected === "number") {
    return Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected)) ? expected : actual;
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((value, place) => matched(value, expected[place], tolerance));
  }
  if (!actual || !expected || typeof actual !== "object" || typeof expected !== "object") return actual;
  const entries = Object.entries(actual).map(([name, value]) => [name, matched(value, expected[name], tolerance)]);
  return Object.fromEntries(entries);
}
