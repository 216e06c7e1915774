// The heatmap by words, where a vocabulary has word pieces: what is joined, and by which rule.

import assert from "node:assert/strict";
import { test } from "node:test";

import { labelsOf } from "../../attn_core/browser/player/core/layout.js";
import { readable } from "../../attn_core/browser/player/core/pieces.js";
import { sum } from "../../attn_core/browser/engine/vectors.js";
import { rowsOf, viewOf } from "../../attn_core/browser/player/core/view.js";
import { joinedRows, openedNumber, viewByWords, wordsOfPieces } from "../../attn_core/browser/player/core/word-map.js";
import { data } from "../helpers/data.js";
import { near } from "../helpers/near.js";

// ▁die ▁kirch platz uhr ▁. → ▁the ▁clock s ▁. </s>
function joined(window = "local-p", { eos = true, step = 0 } = {}) {
  const { trace } = data.pieces[window];
  const [shown, words] = [readable(trace), wordsOfPieces(trace)];
  const view = viewOf(shown, { headIndex: null, heat: "weights", eos, step }, rowsOf(shown, null), "light");
  return { view, words, byWords: viewByWords(view, words, joinedRows(view.rows, words)) };
}

test("words are those that the tokenizer marks", () => {
  const {
    words,
    byWords: { targets, display },
  } = joined();
  assert.deepEqual(words.source, [
    { text: "die", first: 0, count: 1 },
    { text: "kirchplatzuhr", first: 1, count: 3 },
    { text: ".", first: 4, count: 1 },
  ]);
  const labels = labelsOf(display.source, undefined, display.words).map(({ text, at }) => [text, at]);
  assert.deepEqual(labels, [
    ["die", 0],
    ["kirchplatzuhr", 1],
    [".", 2],
  ]); // a column each
  assert.deepEqual(targets, ["the", "clocks", ".", "</s>"]);
  assert.deepEqual(
    words.target.map(({ first }) => first),
    [0, 1, 3, 4],
  );
});

test("tokens that are words are not joined", () => {
  const wordsOf = (source) => wordsOfPieces({ source, steps: source.map((token) => ({ token })) });
  assert.equal(wordsOf(["ein", "hund", "·", "</s>"]), null);
  assert.equal(wordsOf([..."我喜歡狗。"]), null); // characters
  assert.equal(wordsOf(["▁ein", "▁hund", "</s>"]), null); // of pieces, but each word has one
});

const span = (first, count) => ({ first, count });

test("source pieces are summed and target pieces averaged", () => {
  const rows = [
    [0.5, 0.25, 0.25],
    [0, 0.75, 0.25],
  ].map((weights) => ({ weights, alignment: weights, span: { lo: 0, hi: 2 }, center: null }));
  const [row] = joinedRows(rows, { source: [span(0, 1), span(1, 2)], target: [span(0, 2)] });
  assert.deepEqual(row.weights, [0.25, 0.75]); // (0.5 + 0) / 2, ((0.25 + 0.25) + (0.75 + 0.25)) / 2
  assert.deepEqual(row.alignment, [0.25, 0.75]);
  assert.deepEqual([row.scores, row.gaussian], [[], []]); // which belong to pieces
});

for (const window of ["local-p", "local-m", "global"]) {
  test(`${window}: a joined row adds up to the mean of its pieces`, () => {
    const { view, byWords } = joined(window);
    const totals = view.rows.map(({ weights }) => sum(weights));
    const means = [totals[0], (totals[1] + totals[2]) / 2, totals[3], totals[4]];
    near(
      byWords.rows.map(({ weights }) => sum(weights)),
      means,
    );
  });

  test(`${window}: the figures of Python join the same words`, () => {
    const { rows } = joined(window).byWords;
    const { cells, centers } = data.pieces[window];
    for (const [part, name] of [
      ["weights", "weight"],
      ["alignment", "alignment"],
    ]) {
      const drawn = rows.map((row) => row[part].map(() => 0));
      for (const cell of cells) drawn[cell.target_position][cell.source_position] = cell[name];
      near(
        drawn,
        rows.map((row) => row[part]),
        1e-5,
      );
    }
    near(
      centers,
      rows.map(({ center }) => center),
      1e-5,
    );
  });
}

// The second word has three pieces, a third of its width each; p_t = 2 is its middle.
test("a window lies between words as between their pieces", () => {
  const zeros = [0, 0, 0, 0, 0];
  const rows = [
    [{ lo: 0, hi: 1 }, 2],
    [{ lo: 2, hi: 4 }, 4.2],
    [null, null],
  ].map(([window, center]) => ({ weights: zeros, alignment: zeros, span: window, center }));
  const source = [span(0, 1), span(1, 3), span(4, 1)];
  const [first, second, nowhere] = joinedRows(rows, { source, target: [span(0, 1), span(1, 1), span(2, 1)] });
  near(first.span, { lo: 0, hi: 1 / 3 }); // the right edge of column hi is hi + 1: a third of the word
  near(first.center, 1);
  near(second.span, { lo: 1 + 1 / 3, hi: 2 });
  near(second.center, 2.2);
  assert.deepEqual([nowhere.span, nowhere.center], [null, null]);
  const [all] = joinedRows(rows, { source, target: [span(0, 3)] });
  near(all.span, { lo: 0, hi: 2 });
  near(all.center, 1.6);
});

test("the row of a word is that of each of its steps", () => {
  const steps = [0, 1, 2, 3, 4].map((step) => joined("local-p", { step }).byWords.display.step);
  assert.deepEqual(steps, [0, 1, 1, 2, 3]);
  assert.deepEqual(joined("local-p", { eos: false }).byWords.targets, ["the", "clocks", "."]);
});

test("a cell opens the largest number of its word at the first step", () => {
  const { view, words } = joined("global");
  const { weights } = view.rows[1];
  const position = [1, 2, 3].reduce((best, s) => (weights[s] > weights[best] ? s : best));
  assert.deepEqual(openedNumber(view, words, { row: 1, column: 1 }), { key: "weights", position, row: 1 });
});
