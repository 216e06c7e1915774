// Numbers that a reader opens: which one was clicked, and what parameters are called.

import assert from "node:assert/strict";
import { test } from "node:test";

import { formulaOf } from "../../app/shell/numbers/formula.js";
import { shortName, spellOut } from "../../app/shell/numbers/spelling.js";
import { WRITTEN } from "../../attn_core/browser/engine/leaves.js";
import { numberAt } from "../../attn_core/browser/state/numbers.js";

test("parameters have the symbols of the papers", () => {
  for (const [parameter, name] of [
    ["decoder.attention.score.W_a.weight", "W_a"],
    ["decoder.attention.score.v_a", "v_a"],
    ["decoder.output.weight", "output layer"],
    ["decoder.U_o.bias", "bias of U_o"],
    ["encoder.rnn.weight_hh_l0_reverse", "W_hh"],
    ["encoder.layers.3.around_feed.norm.weight", "scale of the layer norm"],
    ["encoder.layers.3.feed.0.weight", "W_1"],
    ["encoder.layers.3.feed.2.weight", "W_2"],
  ])
    assert.equal(shortName(parameter), name);
});

test("a click asks for the number under it, unless it is of another step", () => {
  const looks = [{ layer: 0, head: 0, weights: [0.2, 0.7, 0.1] }];
  const asked = (clicked) => numberAt(clicked, { steps: [{ looks }, { looks }] }, { step: 1, layer: null, head: null });
  assert.deepEqual(asked({ rank: 2 }), { step: 1, rank: 2 });
  const gaussian = { step: 1, output: "looks.0.focus.gaussian", place: 2 };
  assert.deepEqual(asked({ key: "gaussian", position: 2, row: null }), gaussian);
  assert.deepEqual(asked({ key: "weights", position: null, row: null }), {
    step: 1,
    output: "looks.0.weights",
    rank: 0,
  });
  assert.deepEqual(asked({ key: "weights", position: 0, row: 1 }), { step: 1, output: "looks.0.weights", place: 0 });
  assert.equal(asked({ key: "weights", position: 0, row: 0 }), null);
});

test("of the mean over heads the largest number is opened", () => {
  const looks = [
    [0.1, 0.9],
    [0.6, 0.4],
  ].map((weights, head) => ({ layer: 0, head, weights }));
  const clicked = { key: "weights", position: 0, row: null };
  const opened = (head) => numberAt(clicked, { steps: [{ looks }] }, { step: 0, ...head });
  assert.deepEqual(opened({ layer: null, head: "mean" }), { step: 0, output: "looks.1.weights", place: 0 });
  assert.deepEqual(opened({ layer: 0, head: 0 }), { step: 0, output: "looks.0.weights", place: 0 });
});

test("a root is an operation that a formula shows, and is written with its sign", () => {
  assert.ok(WRITTEN.has("sqrt"));
  assert.ok(!WRITTEN.has("exponential"), "a random number follows from nothing");
  const root = { op: "sqrt", terms: [{ value: 2 }] };
  assert.equal(formulaOf(root, () => "").join(""), "√(2)");
  assert.equal(
    spellOut(root, () => ""),
    "√(2)",
  );
});
