// The maps of compared translations: which words stand side by side, and what differs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { moved, paired } from "../../app/explorer/compare/pairs.js";
import { raced, sentenceOn, sentenceOnAll, sideBySide } from "../../app/explorer/compare/summary.js";
import { lookOf, makeTrace } from "../helpers/made-trace.js";
import { near } from "../helpers/near.js";
import { createRandom } from "../helpers/random.js";

/** The length of the longest common subsequence, by trying all subsequences. */
function longestCommon(one, other) {
  let longest = 0;
  for (let chosen = 0; chosen < 2 ** one.length; chosen++) {
    const letters = [...one].filter((_, place) => chosen & (1 << place));
    let from = 0;
    const isCommon = letters.every((letter) => (from = other.indexOf(letter, from) + 1) > 0);
    if (isCommon) longest = Math.max(longest, letters.length);
  }
  return longest;
}

test("words that both translations have stand side by side", () => {
  const words = ["", "a", "ab", "ba", "abcab", "bacba", "aabbc", "cab", "xyz", "abcxd"];
  for (const one of words) {
    for (const other of words) {
      const pairs = paired([...one], [...other]);
      assert.deepEqual(
        pairs.map(([i]) => i).filter((i) => i !== null),
        [...one].map((_, i) => i),
      );
      assert.deepEqual(
        pairs.map(([, j]) => j).filter((j) => j !== null),
        [...other].map((_, j) => j),
      );
      const shared = pairs.filter(([i, j]) => i !== null && j !== null && one[i] === other[j]);
      assert.equal(shared.length, longestCommon(one, other), `${one}, ${other}`);
    }
  }
});

test("words that differ stand side by side from the first on", () => {
  assert.deepEqual(paired([..."abxd"], [..."aqwd"]), [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  assert.deepEqual(paired([..."ad"], [..."aqwd"]), [
    [0, 0],
    [null, 1],
    [null, 2],
    [1, 3],
  ]);
});

test("the attention that moved is the total variation distance", () => {
  const { next } = createRandom(3);
  const [one, other] = [0, 1].map(() => {
    const row = Array.from({ length: 9 }, next);
    const total = row.reduce((sum, value) => sum + value);
    return row.map((value) => value / total);
  });
  near(moved(one, other), one.reduce((sum, value, s) => sum + Math.abs(value - other[s]), 0) / 2, 1e-12);
  assert.equal(moved([0.5, 0.5], [0, 0]), 1);
  assert.equal(moved([1, 0], [0, 1]), 1);
});

test("the rows of two translations and their difference", () => {
  const one = makeTrace("a b </s>", [
    [0.75, 0.25],
    [0.5, 0.5],
    [0, 1],
  ]);
  const other = makeTrace("a c d </s>", [
    [0.25, 0.75],
    [1, 0],
    [1, 0],
    [0, 1],
  ]);
  const { steps, differences, summary, sides } = sideBySide(one, other);
  assert.deepEqual(steps, [0, 1, null, 2]);
  assert.deepEqual(differences, [{ by: [0.5, -0.5], share: 0.5 }, null, null, { by: [0, 0], share: 0 }]);
  assert.equal(summary, "2 words differ. Where the words agree, 25% of the attention differs on average.");
  const labels = sides.map((side) => side.labels.map((label) => label && [label.text, label.differs]));
  assert.deepEqual(labels[0], [["a", false], ["b", true], null, ["</s>", false]]);
  assert.deepEqual(labels[1], [
    ["a", false],
    ["c", true],
    ["d", true],
    ["</s>", false],
  ]);
  assert.deepEqual(
    sides[0].rows.map((row) => row && row.weights),
    [[0.75, 0.25], [0.5, 0.5], null, [0, 1]],
  );
});

test("maps of another source, or without attention, have no difference", () => {
  const one = makeTrace("a b </s>", [
    [0.75, 0.25],
    [0.5, 0.5],
    [0, 1],
  ]);
  const pieces = sideBySide(
    one,
    makeTrace(
      "a b </s>",
      [
        [1, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
      ],
      "x y z",
    ),
  );
  assert.deepEqual([pieces.differences, pieces.summary], [null, "All words are the same."]);
  const without = sideBySide(one, makeTrace("a b </s>", []));
  assert.equal(without.differences, null);
  assert.equal(without.sides[1].title, "m (no attention)");
});

// 0.3 and 0.1 are 75% and 25%: no attention is on other words, though the sum is 0.4.
test("a row that a Gaussian made smaller is compared as a whole", () => {
  const one = makeTrace("a </s>", [
    [0.75, 0.25],
    [1, 0],
  ]);
  const { differences, sides } = sideBySide(
    one,
    makeTrace("a </s>", [
      [0.3, 0.1],
      [0, 0.5],
    ]),
  );
  near(
    differences.map(({ share }) => share),
    [0, 1],
  );
  assert.deepEqual(sides[1].rows[0].weights, [0.3, 0.1]); // its map shows what the model computed
});

test("a map of several heads names the chosen one, at first the clearest", () => {
  const one = makeTrace("a </s>", [
    [1, 0],
    [0, 1],
  ]);
  const heads = makeTrace("a </s>", []);
  [
    [1, 0],
    [0, 1],
  ].forEach((row, t) => {
    heads.steps[t].looks = [lookOf([0.5, 0.5]), lookOf(row, 1)];
  });
  for (const [layer, head, title, weights] of [
    [null, null, "m · layer 0, head 1", [1, 0]],
    [0, 0, "m · layer 0, head 0", [0.5, 0.5]],
    [null, "mean", "m · mean of 2 heads", [0.75, 0.25]],
  ]) {
    const [, side] = sideBySide(one, heads, { choice: { layer, head } }).sides;
    assert.deepEqual([side.title, side.rows[0].weights], [title, weights]);
  }
});

// The weights of a source word's pieces are summed, those of a target word's averaged: (0.4 + 0.8) / 2 is 0.6.
test("the maps are by words unless pieces are asked for", () => {
  const rows = [
    [0.25, 0.15, 0.6],
    [0.5, 0.3, 0.2],
    [0, 0, 1],
  ];
  const pieces = makeTrace("▁ca tch </s>", rows, "▁fan gen </s>", { unknown: [1] });
  const words = makeTrace(
    "catch </s>",
    [
      [0.5, 0.5],
      [0, 1],
    ],
    "fangen </s>",
  );
  const namesOf = ({ source, target, unknown }) => [source, target, unknown];
  const byWords = sideBySide(pieces, words);
  for (const {
    sides: [side],
    steps,
    hasPieces,
  } of [byWords, raced([pieces, words], ["a", "b"])]) {
    assert.deepEqual(namesOf(side), [["fangen", "</s>"], ["catch", "</s>"], [0]]);
    near(
      side.rows.map(({ weights }) => weights),
      [
        [0.6, 0.4],
        [0, 1],
      ],
    );
    assert.deepEqual(steps, [0, 2]); // the first of the word's steps
    assert.ok(hasPieces);
  }
  near(byWords.differences[0].share, 0.1);
  const byPieces = sideBySide(pieces, words, { byPieces: true });
  assert.deepEqual(namesOf(byPieces.sides[0]), [["fan", "·gen", "</s>"], ["ca", "·tch", "</s>"], [1]]);
  assert.equal(byPieces.differences, null);
  assert.deepEqual(byPieces.steps, [0, 1, 2]);
  assert.ok(!sideBySide(words, words).hasPieces);
});

test("the rows of a race are the steps", () => {
  const [one, other] = [
    makeTrace("a b </s>", [
      [1, 0],
      [1, 0],
      [1, 0],
    ]),
    makeTrace("b </s>", [
      [0, 1],
      [0, 1],
    ]),
  ];
  const { steps, sides, summary } = raced([one, other, one], ["dot", "general", "concat"]);
  assert.deepEqual(steps, [0, 1, 2]);
  assert.deepEqual(
    sides.map(({ title }) => title),
    ["dot", "general · 1 word differs", "concat · same words"],
  );
  assert.deepEqual(
    sides[1].labels.map((label) => label && label.differs),
    [false, false, null],
  );
  assert.equal(summary, "Same words as the first translation: 1 of 2.");
});

test("a sentence names what differs", () => {
  const apart = [{ label: "Score", one: "dot", other: "general" }];
  assert.equal(sentenceOn(apart, []), "Only difference: Score (dot | general)");
  assert.equal(sentenceOn([], ["encoder.cell"]), "These differ: encoder.cell");
  const many = "Differences: Score (dot | general). Also differ: a, b, c, d and 2 more";
  assert.equal(sentenceOn(apart, [..."abcdef"]), many);
  assert.equal(sentenceOn([], []), "Same settings. Change one above, or choose another model in the list.");
  assert.equal(sentenceOnAll(0, []), "No trained model differs in this setting alone.");
  assert.equal(sentenceOnAll(2, []), "Nothing else differs.");
  assert.equal(sentenceOnAll(2, ["a"]), "Some models also differ in: a");
});
