// The places of a beam search's nodes on the page, and the ranking of its hypotheses.

import assert from "node:assert/strict";
import { test } from "node:test";

import { finished, place, wordsOf } from "../../app/explorer/beam/placed.js";

const nodeOf = (token, parent, total, score = null, best = false) => ({ token, parent, total, score, best });
const TREE = {
  steps: [
    { nodes: [nodeOf("a", null, -1, null, true), nodeOf("the", null, -2), nodeOf("dog", null, -3)] },
    { nodes: [nodeOf("dog", 0, -2, null, true), nodeOf("cat", 1, -4), nodeOf("</s>", 0, -5, -2.5)] },
    { nodes: [nodeOf("</s>", 0, -3, -1, true), nodeOf("</s>", 1, -6, -2)] },
  ],
};

test("each step is a column with the most probable node at the top", () => {
  const { columns, width, height } = place(TREE, ({ token }) => 10 * token.length);
  const tokens = columns.map((column) => column.map(({ node }) => node.token));
  assert.deepEqual(tokens, [
    ["a", "the", "dog"],
    ["dog", "cat", "</s>"],
    ["</s>", "</s>"],
  ]);
  const starts = [0, 46 + 26, 46 + 26 + 56 + 26]; // after the widest word of the column before
  columns.forEach((column, t) => {
    const wide = 10 * Math.max(...tokens[t].map(({ length }) => length)) + 16;
    const boxes = column.map((node) => [node.t, node.x, node.y, node.width]);
    assert.deepEqual(
      boxes,
      column.map((_, row) => [t, starts[t], 42 * row, wide]),
    );
  });
  assert.deepEqual([width, height], [starts[2] + 56, 2 * 42 + 36]);
  assert.deepEqual(
    columns[1].map(({ parent }) => parent.node.token),
    ["a", "the", "a"],
  );
  assert.deepEqual(
    columns[0].map(({ grows }) => grows),
    [true, true, false],
  ); // "dog" died
  assert.deepEqual(
    columns[1].map(({ grows }) => grows),
    [true, true, false],
  );
});

test("the finished hypotheses are ranked", () => {
  const ranked = finished(place(TREE, () => 1).columns).map((end) => [wordsOf(end).join(" "), end.node.score]);
  assert.deepEqual(ranked, [
    ["a dog </s>", -1],
    ["the cat </s>", -2],
    ["a </s>", -2.5],
  ]);
});
