// The vectors that the picture of a step draws are those of the quantities with its roles.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawnQuantities, vectorsOf, withoutVectors } from "../../attn_core/browser/player/core/state-vectors.js";
import { changesOf } from "../../attn_core/browser/player/core/step-graph.js";

// By id: the name, the roles, and what it is computed from.
const QUANTITIES = {
  memory: ["encoder states of the sentence", ["key", "value"], []],
  word: ["embedding of the previous word", [], []],
  fed: ["previous attentional vector", ["feeding"], []],
  state: ["new state", ["query"], ["word", "fed"]],
  scores: ["scores", ["score"], ["state", "memory"]],
  weights: ["weights", ["weight"], ["scores"]],
  context: ["context vector", ["context"], ["weights", "memory"]],
  readout: ["attentional vector", [], ["context", "state"]],
  output: ["distribution over words", ["output"], ["readout"]],
};

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([id, value]) => [id, change(value, id)]));

const quantitiesOf = (table) =>
  mapValues(table, ([name, roles, inputs], id) => ({
    name,
    axis: id === "memory" ? "encoder" : "order",
    roles,
    inputs,
  }));

/** The vectors of steps whose numbers are plain lists, and as plain lists. */
function drawn(steps, { table = QUANTITIES, headIndex = null, graphs = { quantities: quantitiesOf(table) } } = {}) {
  const tensors = (rows) => rows.map((data) => ({ data: Float32Array.from(data), shape: [1, data.length] }));
  const recorded = steps.map(({ vectors, looks, parts }) => ({
    looks,
    parts: parts?.map((part) => Float32Array.from(part)),
    vectors: vectors && mapValues(vectors, tensors),
  }));
  const found = vectorsOf({ steps: recorded, source: ["a", "b"] }, graphs, headIndex);
  return JSON.parse(JSON.stringify(found, (_, value) => (value instanceof Float32Array ? [...value] : value)));
}

/** Two steps of which the first has the encoder states of two words, as the engine records them. */
function makeSteps(heads, queries, contexts) {
  const looks = Array.from({ length: heads }, (_, head) => ({ layer: 0, head }));
  const first = { memory: [[1, 2, 3, 4]], state: queries, context: contexts };
  const later = { state: queries.map((row) => row.map((value) => -value)), context: contexts };
  return [
    { looks, vectors: first },
    { looks, vectors: later },
  ];
}

test("states, queries and contexts are found by their roles", () => {
  const found = drawn(makeSteps(1, [[5, -6]], [[0.5]]));
  const state = {
    id: "state",
    name: "new state",
    vectors: [
      [5, -6],
      [-5, 6],
    ],
    scale: 6,
  };
  assert.deepEqual(found.value, {
    name: "encoder states",
    states: [
      [1, 2],
      [3, 4],
    ],
    scale: 4,
  });
  assert.deepEqual(found.query, state);
  assert.deepEqual(found.context, { id: "context", name: "context vector", vectors: [[0.5], [0.5]], scale: 0.5 });
  assert.deepEqual(found.beside, [state]); // what enters the output layer with the context vector
  assert.deepEqual([found.feeding, found.start, found.heads], [null, null, null]); // nothing of them is recorded
});

test("feeding names what it enters and is zero at the first step", () => {
  const steps = makeSteps(1, [[1]], [[2]]);
  [
    [0, 0],
    [0.5, 0],
  ].forEach((fed, t) => {
    steps[t].vectors.fed = [fed];
  });
  const { feeding } = drawn(steps);
  assert.deepEqual(feeding.vectors, [
    [0, 0],
    [0.5, 0],
  ]);
  assert.deepEqual([feeding.target, feeding.isZero], ["new state", [true, false]]);
  const elsewhere = { ...QUANTITIES, state: ["new state", ["query"], ["word"]] };
  assert.equal(drawn(steps, { table: elsewhere }).feeding.target, "");
});

test("a head has its own query and the context of its layer", () => {
  const steps = makeSteps(4, [[1], [2], [3], [4]], [[7], [8]]);
  for (const [headIndex, query, context] of [
    [0, [1], [7]],
    [1, [2], [7]],
    [3, [4], [8]],
    [null, null, null],
  ]) {
    const found = drawn(steps, { headIndex });
    assert.deepEqual([found.query.vectors[0], found.context.vectors[0]], [query, context]);
  }
});

test("the heads of the layer on show have their own contexts", () => {
  const looks = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ].map(([layer, head]) => ({ layer, head }));
  const each = { looks, parts: [[1], [-2], [3], [-4]] };
  const steps = makeSteps(4, [[1], [2], [3], [4]], [[7], [8]]).map((step) => ({ ...step, ...each }));
  const parts = [[3], [-4]];
  assert.deepEqual(drawn(steps, { headIndex: 2 }).heads, { parts: [parts, parts], scale: 4 });
  assert.equal(drawn(steps).heads, null);
});

test("without recorded vectors or a model there are none", () => {
  const steps = makeSteps(1, [[1]], [[2]]);
  assert.equal(drawn(steps.map(({ looks }) => ({ looks }))), null);
  assert.equal(drawn(steps, { graphs: null }), null);
});

test("without attention one vector enters at the start or at each step", () => {
  const start = {
    memory: ["encoder states", [], []],
    previous: ["previous state", ["start"], []],
    state: ["new state", [], ["previous"]],
    readout: ["attentional vector", [], ["state"]],
    output: ["distribution over words", ["output"], ["readout"]],
  };
  const steps = [{ looks: [], vectors: { memory: [[1, 2]], previous: [[3]], state: [[4]], context: [[5]] } }];
  const once = drawn(steps, { table: start });
  assert.deepEqual(once.value.states, [[1], [2]]);
  assert.deepEqual([once.start.vectors, once.context, once.query], [[[3]], null, null]);
  assert.deepEqual(
    once.beside.map(({ id }) => id),
    ["state"],
  );
  const context = ["context vector, the same at every step", ["context"], []];
  const readout = ["maxout units", [], ["previous", "context"]];
  const always = drawn(steps, { table: { ...start, context, readout } });
  assert.deepEqual([always.context.name, always.context.vectors], ["context vector", [[5]]]);
  assert.deepEqual(
    always.beside.map(({ id }) => id),
    ["previous"],
  );
});

test("a model without a quantity has no such vector", () => {
  const steps = makeSteps(1, [[1]], [[2]]);
  for (const [missing, part] of [
    ["state", "query"],
    ["context", "context"],
  ]) {
    const { [missing]: _, ...fewer } = QUANTITIES;
    const found = drawn(steps, { table: fewer });
    assert.equal(found[part], null);
    assert.deepEqual(found.value.states, [
      [1, 2],
      [3, 4],
    ]);
  }
  assert.equal(drawn(steps, { table: {} }), null);
});

test("a model that was exported before its quantities had inputs has its query", () => {
  const quantities = mapValues(quantitiesOf(QUANTITIES), ({ name, axis, roles }) => ({ name, axis, roles }));
  const { query, beside } = drawn(makeSteps(1, [[1]], [[2]]), { graphs: { quantities } });
  assert.deepEqual([query.name, beside], ["new state", []]);
});

/** Asserts that each of the parts begins to change after the one before. Returns when, by part. */
function assertChain(quantities, chain) {
  const begin = mapValues(changesOf(quantitiesOf(quantities)), ([start]) => start);
  assert.deepEqual(
    [...chain].sort((one, other) => begin[one] - begin[other]),
    chain,
  );
  return begin;
}

test("parts change after what they are computed from", () => {
  const update = assertChain(QUANTITIES, ["feeding", "query", "scores", "weights", "context"]);
  assert.equal(update.state, update.query); // beside the context vector, the same quantity
  const { memory, weights, context, output } = QUANTITIES;
  const attendFirst = {
    // the query is there before the step, and the new state is computed from the context vector
    memory,
    previous: ["previous state", ["query"], []],
    scores: ["scores", ["score"], ["previous", "memory"]],
    weights,
    context,
    next: ["new state", [], ["previous", "context"]],
    readout: ["maxout units", [], ["context", "next"]],
    output,
  };
  const attend = assertChain(attendFirst, ["query", "scores", "weights", "context", "next"]);
  assert.equal(attend.query, 0);
  assert.ok(attend.next > 0);
});

test("drawn quantities are asked for and not stored", () => {
  assert.deepEqual(drawnQuantities(quantitiesOf(QUANTITIES)), ["memory", "state", "context", "fed"]);
  const stored = withoutVectors({ model: "m", steps: [{ t: 0, vectors: {}, parts: [] }] });
  assert.deepEqual(JSON.parse(JSON.stringify(stored)), { model: "m", steps: [{ t: 0 }] });
});
