// The numbers of the Gaussian, and the label of p_t over it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bellNumberAt } from "../../attn_core/browser/player/draw/bars.js";

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
