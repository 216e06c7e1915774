// Inputs of the Pointer page: on the screen, at random, and in links.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inputsIn, inputsText, scattered } from "../../../app/lab/pointer/net.js";
import { fromSpot, toSpot } from "../../../app/lab/pointer/plane.js";
import { dice } from "../../../attn_core/browser/engine/dice.js";
import { data } from "../../helpers/data.js";
import { near } from "../../helpers/near.js";
import { createRandom } from "../../helpers/random.js";

const { start, most } = data.pointer;

test("a spot on the screen is the input there", () => {
  const { integer } = createRandom(1);
  for (const sides of [1, 2]) {
    for (let i = 0; i < 4; i++) {
      const input = Array.from({ length: sides }, () => integer(0, 1000) / 1000);
      near(fromSpot(toSpot(input, i, 4, 431), sides, 431), input, 1e-9);
    }
    assert.deepEqual(fromSpot([-50, 900], sides, 431), Array(sides).fill(0));
  }
});

test("random inputs keep their distance", () => {
  for (const [sides, apart] of [
    [1, 0.02],
    [2, 0.12],
  ]) {
    const given = [Array(sides).fill(0.5)];
    for (let seed = 1; seed <= 5; seed++) {
      const found = scattered(20, sides, dice(seed), given);
      assert.equal(found.length, 20);
      assert.ok(found.every((input) => input.length === sides && input.every((value) => 0 <= value && value <= 1)));
      const all = [...given, ...found];
      all.forEach((input, i) => {
        for (const other of all.slice(0, i))
          assert.ok(Math.hypot(...input.map((value, k) => value - other[k])) >= apart - 1e-9);
      });
    }
  }
});

test("a link has the inputs", () => {
  const pairs = [
    [
      [0.1, 0.25],
      [0.9, 0.3],
    ],
    [
      [0.5, 1],
      [0, 0.001],
    ],
  ];
  for (const inputs of [...Object.values(start), ...pairs]) {
    assert.match(inputsText(inputs), /^[0-9._-]+$/);
    assert.deepEqual(inputsIn(inputsText(inputs), inputs[0].length, most), inputs);
  }
  assert.equal(inputsText([]), "");
  assert.deepEqual(inputsIn("", 2, most), []);
});

test("a link that nobody can have drawn has no inputs", () => {
  const tooMany = Array(most + 1)
    .fill("0.1-0.2")
    .join("_");
  for (const text of ["nonsense", "0.1-0.2_0.3", "0.1-1.2", "0.1-nan", tooMany, "0.5", "0.1--0.2", "_"])
    assert.equal(inputsIn(text, 2, most), null, text);
});
