// Editing a translation in the Explorer: rows that a reader paints, edits in links and in words, undo.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inWords, leftOut } from "../../app/explorer/surgery/edits.js";
import { historyKey } from "../../app/explorer/surgery/history-keys.js";
import { rowsOf, viewOf } from "../../attn_core/browser/player/core/view.js";
import { sum } from "../../attn_core/browser/engine/vectors.js";
import { readEdits, withEdit, withoutEdit, writeEdits } from "../../attn_core/browser/state/edits.js";
import { NO_HISTORY, keepEdits, redoEdits, undoEdits } from "../../attn_core/browser/state/history.js";
import { alone, even, repainted } from "../../attn_core/browser/state/weight-rows.js";
import { near } from "../helpers/near.js";
import { createRandom } from "../helpers/random.js";

const { integer, list, next, pick } = createRandom(11);

test("the other weights keep their ratios and the row its total", () => {
  for (let n = 0; n < 500; n++) {
    const drawn = Array.from({ length: integer(2, 9) }, () => pick([0, 0, integer(0, 1000)]));
    const row = drawn.map((value) => value / Math.max(sum(drawn), 1));
    const [place, weight] = [integer(0, row.length - 1), pick([0, 1, next()])];
    const painted = repainted(row, place, weight);
    near(sum(painted), sum(row), 5e-5);
    near(painted[place], Math.min(weight, sum(row)), 1e-4);
    const scale = (sum(row) - painted[place]) / (sum(row) - row[place]);
    painted.forEach((value, s) => {
      assert.ok(value >= 0);
      near(value * 10_000, Math.round(value * 10_000));
      if (s !== place && Number.isFinite(scale)) near(value, row[s] * scale, 1e-3);
    });
  }
});

test("a row can be uniform in view, and of one word", () => {
  const row = [0.1, 0.2, 0.3, 0.2]; // a Gaussian took the rest
  assert.deepEqual(alone(row, 1), [0, 0.8, 0, 0]);
  assert.deepEqual(
    even(row, (s) => s > 1),
    [0, 0, 0.4, 0.4],
  );
  assert.deepEqual(
    even(row, () => false),
    [0.2, 0.2, 0.2, 0.2],
  );
  near(sum(even([1, 0, 0], () => true)), 1);
  assert.deepEqual(repainted([1, 0, 0], 0, 0.5), [0.5, 0.25, 0.25]);
});

const ALL = { layer: null, head: null };
const pickHead = () =>
  pick([
    { layer: 0, head: 0 },
    { layer: 1, head: 3 },
  ]);
const pickHeads = () => pick([ALL, pickHead()]);
const EDITS = [
  () => {
    const weights = [integer(0, 10_000), ...list(5, () => integer(0, 10_000))].map((value) => value / 10_000);
    return { kind: "weights", step: integer(0, 60), weights, ...pickHeads() };
  },
  () => ({ kind: "context", step: integer(0, 60), from: integer(0, 60), ...pickHeads() }),
  () => ({ kind: "off", ...pickHead() }),
  () => ({ kind: "word", step: integer(0, 60), word: pick(["dog", "</s>", "-", "3-x", "▁a", "&amp;"]) }),
];

test("a link holds every edit", () => {
  for (let n = 0; n < 300; n++) {
    const edits = list(6, () => pick(EDITS)()).reduce(withEdit, []); // no two of the same numbers
    assert.deepEqual(readEdits(writeEdits(edits)), { edits, bad: [] });
  }
});

test("what is no edit is left out of those of a link", () => {
  for (const text of [
    "w3",
    "w3-",
    "w3-1.5",
    "w3-0.5_x",
    "w3.1-0.5",
    "w99999-1",
    "c1-x",
    "c1-",
    "o1",
    "o",
    "n3",
    "x3-1",
    "n1.1.1-dog",
    "o1.2.3",
    "w3.1.-1-1",
    "W1-1",
  ]) {
    assert.deepEqual(readEdits(`n1-dog ${text}`), { edits: [{ kind: "word", step: 1, word: "dog" }], bad: [text] });
  }
});

test("a new edit takes the place of that for the same numbers", () => {
  const row = { kind: "weights", step: 1, ...ALL, weights: [1] };
  const [other, head, later] = [
    { ...row, weights: [0.5] },
    { ...row, layer: 0, head: 0 },
    { ...row, step: 2 },
  ];
  assert.deepEqual(withEdit([row, head, later], other), [other, head, later]);
  assert.deepEqual(withEdit([row], head), [row, head]);
  assert.deepEqual(withoutEdit([row, head, later], other), [head, later]);
});

test("edits in words", () => {
  const trace = { source: ["ein", "hund"], model: "m" };
  const context = { kind: "context", step: 3, ...ALL, from: 5 };
  const even3 = { kind: "weights", step: 3, ...ALL, weights: [0.5, 0.5] };
  const written = (edit, many) => inWords(edit, trace, many);
  assert.equal(written({ ...even3, weights: [0.25, 0.75] }), "step 4: weights, 75% on “hund”");
  assert.equal(written(even3), "step 4: uniform weights");
  assert.equal(written(context), "step 4: context of step 6");
  assert.equal(written({ kind: "off", layer: 1, head: 3 }), "layer 1, head 3: off");
  assert.equal(written({ kind: "word", step: 3, word: "▁a" }), "step 4: word “a”");
  assert.equal(written(context, true), "step 4: context of step 6 (all heads)");
  assert.equal(written({ ...context, layer: 1, head: 3 }, true), "step 4: context of step 6 (layer 1, head 3)");
  const off = { kind: "off", layer: 9, head: 2 };
  assert.equal(leftOut({ edit: off, why: "head" }, trace), "An edit was removed: m has no layer 9, head 2.");
  assert.equal(leftOut({ edit: even3, why: "head" }, trace), "An edit was removed: m has no attention.");
  const word = { kind: "word", step: 3, word: "a" };
  assert.ok(leftOut({ edit: word, why: "word" }, trace).startsWith("The edit of step 4 was removed"));
});

test("undo and redo", () => {
  let [edits, history] = [["a"], NO_HISTORY];
  const change = (changed) => {
    [edits, history] = [changed, keepEdits(history, edits)];
  };
  /** The edits after a move; null: there is none to undo or redo. */
  const after = (move) => {
    const moved = move(history, edits);
    if (moved) ({ edits, history } = moved);
    return moved && edits;
  };
  change(["b"]);
  change(["c"]);
  assert.deepEqual([undoEdits, undoEdits, undoEdits, redoEdits].map(after), [["b"], ["a"], null, ["b"]]);
  change(["d"]);
  assert.deepEqual([redoEdits, undoEdits].map(after), [null, ["b"]]);
  assert.deepEqual(history, { past: [["a"]], future: [["d"]] });
});

test("two hundred lists of edits are kept", () => {
  const numbers = Array.from({ length: 205 }, (_, n) => n);
  assert.deepEqual(numbers.reduce(keepEdits, NO_HISTORY), { past: numbers.slice(5), future: [] });
});

test("the keys of undo and redo", () => {
  const action = (key, pressed, target = { tagName: "DIV", type: "" }) =>
    historyKey({ key, ctrlKey: false, metaKey: false, shiftKey: false, composedPath: () => [target], ...pressed });
  const ctrl = { ctrlKey: true };
  assert.equal(action("z", ctrl), "edits undone");
  assert.equal(action("z", { metaKey: true }), "edits undone");
  assert.equal(action("Z", { ...ctrl, shiftKey: true }), "edits redone");
  assert.equal(action("z"), null);
  assert.equal(action("y", ctrl), null);
  assert.equal(action("z", { ...ctrl, isComposing: true }), null);
  assert.equal(action("z", ctrl, { tagName: "INPUT", type: "text" }), null); // which has a history of its own
  assert.equal(action("z", ctrl, { tagName: "INPUT", type: "range" }), "edits undone");
});

const ROW = { kind: "weights", step: 1, ...ALL, weights: [0.5, 0.5] };
const CONTEXT = { kind: "context", step: 1, ...ALL, from: 0 };
const FIRST = { ...ROW, layer: 0, head: 0 };
const OFF = { kind: "off", layer: 0, head: 1 };

/** Which part of a step was set by hand, as the player marks it. */
function editedPart(edits, heads, headIndex, step) {
  const row = [0.5, 0.5];
  const looks = Array.from({ length: heads }, (_, head) => ({
    layer: 0,
    head,
    scores: row,
    alignment: row,
    gaussian: row,
    weights: row,
  }));
  const steps = [0, 1].map((t) => ({ t, token: "a", center: null, window: [0, 1], looks }));
  const trace = { settings: { edits }, source: ["x", "y"], target: ["a", "a"], steps, unknown: [] };
  const choices = { headIndex, heat: "weights", eos: true, step };
  const { edited, scale } = viewOf(trace, choices, rowsOf(trace, headIndex), "light", { paint: true }).display;
  assert.equal(scale, 1);
  return edited;
}

test("the player marks what was set at a step", () => {
  assert.equal(editedPart([ROW], 1, null, 1), "weights");
  assert.equal(editedPart([ROW], 1, null, 0), null);
  assert.equal(editedPart([FIRST], 1, null, 1), "weights");
  assert.equal(editedPart([ROW, CONTEXT], 1, null, 1), "context"); // the weights that were set are not used
  assert.equal(editedPart([ROW], 2, 1, 1), "weights");
  assert.equal(editedPart([FIRST], 2, 1, 1), null);
  assert.equal(editedPart([FIRST], 2, null, 1), null); // the mean over heads
  assert.equal(editedPart([ROW, OFF], 2, 1, 1), "off");
  assert.equal(editedPart([ROW, OFF], 2, 0, 1), "weights");
  assert.equal(editedPart([OFF], 2, 1, 0), "off");
  assert.equal(editedPart([{ kind: "word", step: 1, word: "a" }], 1, null, 1), null);
});
