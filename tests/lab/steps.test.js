// The steps of translations: which steps of two models belong together, and where a page opens.

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstStep, partners } from "../../app/lab/kit/steps.js";
import { makeTrace } from "../helpers/made-trace.js";

test("a step has its partner where the other model has the largest weight on the same source word", () => {
  const ofWords = [
    [0.1, 0.2, 0.7],
    [0.8, 0.1, 0.1],
    [0, 0, 0],
    [0, 1, 0],
  ];
  const ofPieces = [
    [0.5, 0.1, 0.1, 0.1, 0.2],
    [0, 0.2, 0.3, 0.5, 0],
    [0.1, 0.3, 0.1, 0.4, 0.9],
  ];
  const words = makeTrace("a man runs </s>", ofWords, "ein schneemann läuft");
  const pieces = makeTrace("▁x ▁y ▁z", ofPieces, "▁ein ▁schnee mann ▁läuft </s>");
  const [snowman, end] = [{ word: "schneemann" }, { word: "</s>", step: null }];
  const found = [{ word: "läuft", step: 1 }, { word: "ein", step: 0 }, null, { ...snowman, step: 1 }];
  assert.deepEqual(partners(words, pieces), found);
  assert.deepEqual(partners(pieces, words), [{ word: "ein", step: 1 }, { ...snowman, step: 3 }, end]);
});

test("a page opens at the step with the largest weight on the word", () => {
  const weights = [
    [1, 0, 0],
    [0.2, 0.1, 0.7],
    [0, 0, 1],
  ];
  const trace = makeTrace("a dog sits", weights, "ein hund sitzt");
  assert.deepEqual(
    ["sitzt", "hund", undefined].map((word) => firstStep(trace, word)),
    [1, 0, 0],
  );
});
