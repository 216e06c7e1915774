// What painting a weight and choosing a word do to the edits of a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { editedHead, paintedEdits, wordEdit, wordOfRank } from "../../attn_core/browser/state/editing.js";
import { near } from "../helpers/near.js";

const ROW = [0.5, 0.3, 0.2];
const FLAT = [0.4, 0.3, 0.3];

/** The same weights at each step; heads count on in layer 0. Hard attention has other alignment weights. */
function traceOf(heads, alignment) {
  const looks = heads.map((weights, head) => ({ layer: 0, head, weights, alignment: alignment ?? weights }));
  const top = [
    ["a", -0.1],
    ["b", -2],
  ];
  return { settings: {}, steps: [0, 1].map(() => ({ token: "a", top, looks })) };
}

const at = (step = 1, layer = null, head = null) => ({ step, layer, head });
const weightsEdit = (weights, step = 1, layer = null, head = null) => ({ kind: "weights", step, layer, head, weights });
const moved = (position, weight, phase = "move", more = {}) => ({ position, weight, phase, ...more });

/** After each act: the rows of the edits, the word painted last, and whether the edits before can be restored. */
function paint(trace, acts) {
  let given = { edits: [], stroke: null, trace, at: at() };
  return acts.map((act) => {
    const { edits, stroke, keepsHistory } = paintedEdits(given, act);
    given = { ...given, edits, stroke };
    return [edits.map(({ weights }) => weights), stroke && stroke.position, keepsHistory];
  });
}

test("a drag keeps the ratios at its start and is one change", () => {
  const acts = [moved(0, 1, "start"), moved(0, 0), moved(0, 0.5), moved(0, 0, "end"), moved(0, 0.75)];
  assert.deepEqual(paint(traceOf([ROW]), acts), [
    [[[1, 0, 0]], 0, true],
    [[[0, 0.6, 0.4]], 0, false], // 0.3 and 0.2 are 3 : 2
    [[ROW], 0, false],
    [[ROW], 0, false],
    [[[0.75, 0.15, 0.1]], 0, true], // another drag
  ]);
});

test("a drag at another step begins with the weights there", () => {
  const first = paintedEdits({ edits: [], stroke: null, trace: traceOf([ROW]), at: at(0) }, moved(0, 1));
  const second = paintedEdits({ ...first, trace: traceOf([ROW]), at: at(1) }, moved(1, 0.8));
  assert.deepEqual(second.edits, [weightsEdit([1, 0, 0], 0), weightsEdit([0.1429, 0.8, 0.0571])]);
  assert.ok(second.keepsHistory);
  assert.deepEqual(second.stroke.start, { ...at(1), row: ROW });
});

test("a missing end of a drag does not join the next one", () => {
  const acts = [moved(0, 1, "start"), moved(1, 0.5, "start")];
  assert.deepEqual(paint(traceOf([ROW]), acts), [
    [[[1, 0, 0]], 0, true],
    [[[0.5, 0.5, 0]], 1, true],
  ]);
});

test("a clicked word gets all the weight", () => {
  assert.deepEqual(paint(traceOf([ROW]), [moved(2, null, "end")]), [[[[0, 0, 1]], 2, true]]);
});

test("painted cells share the weight", () => {
  const acts = [
    moved(1, null, "start", { positions: [0, 1] }),
    moved(2, null, "move", { positions: [0, 1, 2] }),
    moved(2, 0, "end"),
  ];
  const found = paint(traceOf([ROW]), acts).map(([[row], ...rest]) => [[...row].sort((a, b) => b - a), ...rest]);
  const third = [0.3334, 0.3333, 0.3333];
  assert.deepEqual(found, [
    [[0.5, 0.5, 0], 1, true],
    [third, 2, false],
    [third, 2, false],
  ]);
});

test("hard attention has all its weight on one word", () => {
  const acts = [
    moved(1, 0.4, "start"),
    moved(1, 0.7),
    moved(1, 0, "end"),
    moved(2, null, "start", { positions: [1, 2] }),
  ];
  assert.deepEqual(paint(traceOf([[1, 0, 0]], [0.4, 0.4, 0.4]), acts), [
    [[[0, 1, 0]], 1, true],
    [[[0, 1, 0]], 1, false],
    [[[0, 1, 0]], 1, false],
    [[[0, 0, 1]], 2, true],
  ]);
});

test("a model without attention has no weights to paint", () => {
  assert.deepEqual(paint(traceOf([]), [moved(0, 1, "start")]), [[[], null, false]]);
});

const ALL = { layer: null, head: null };
const SECOND = { layer: 0, head: 1 };
for (const [name, edits, place, edited] of [
  ["of one head", [], at(1, 0, 1), { ...SECOND, row: FLAT }],
  ["of the mean", [], at(1, null, "mean"), { ...ALL, row: [0.45, 0.3, 0.25] }],
  ["of a head, set for all heads", [weightsEdit([0, 1, 0])], at(1, 0, 1), { ...SECOND, row: [0, 1, 0] }],
  ["of a head, set for another", [weightsEdit([0, 1, 0], 1, 0, 0)], at(1, 0, 1), { ...SECOND, row: FLAT }],
  ["of a head, set at another step", [weightsEdit([0, 1, 0], 0)], at(1, 0, 1), { ...SECOND, row: FLAT }],
  ["of the mean, set for all heads", [weightsEdit([0, 1, 0])], at(1, null, "mean"), { ...ALL, row: [0, 1, 0] }],
  [
    "of the mean, set for all heads and for one",
    [weightsEdit([0, 1, 0]), weightsEdit([1, 0, 0], 1, 0, 0)],
    at(1, null, "mean"),
    { ...ALL, row: [0.45, 0.3, 0.25] },
  ],
  ["of the clearest head, of two the first", [], at(1), { layer: 0, head: 0, row: ROW }],
  ["at a step beyond the last", [], at(9, 0, 1), null],
]) {
  test(`the weights to edit ${name}`, () => {
    near(editedHead({ edits, trace: traceOf([ROW, FLAT]), at: place }), edited);
  });
}

test("a word is chosen and given back", () => {
  const word = { kind: "word", step: 1, word: "a" };
  const edits = [weightsEdit(ROW), word];
  assert.deepEqual(wordEdit(edits, 1, "b"), [edits[0], { ...word, word: "b" }]);
  assert.deepEqual(wordEdit(edits, 1, ""), edits.slice(0, 1));
  assert.deepEqual(wordEdit([], 0, "b"), [{ kind: "word", step: 0, word: "b" }]);
});

test("a next word is known by its rank unless it is the word already", () => {
  const words = [
    [0, 0],
    [0, 1],
    [0, 5],
    [7, 0],
  ].map(([step, rank]) => wordOfRank(traceOf([ROW]), step, rank));
  assert.deepEqual(words, [null, "b", null, null]);
});
