// The Score lab's state: the numbers that follow from it, its parameters, and its links.

import assert from "node:assert/strict";
import { test } from "node:test";

import { toPixels, toPlane } from "../../../app/lab/score/plane/drawing.js";
import { drawnAt } from "../../../app/lab/score/state/context.js";
import { linkOf, stateOf } from "../../../app/lab/score/state/link.js";
import { openScores, parametersOf, seams, withNumber } from "../../../app/lab/score/state/scores.js";
import { resultsOf, startState, withDraws, withPoint } from "../../../app/lab/score/state/state.js";
import { tokens } from "../../../app/shell/equation.js";
import { dice } from "../../../attn_core/browser/engine/dice.js";
import { data } from "../../helpers/data.js";
import { near } from "../../helpers/near.js";
import { createRandom } from "../../helpers/random.js";

const SCORES = openScores(data.scores);
const START = startState(data.scores.start, SCORES);

test("the page opens with every score, and concat equals additive", () => {
  const { rows } = resultsOf(START, SCORES);
  const names = data.scores.functions.map(({ name }) => name);
  assert.deepEqual(Object.keys(rows), names);
  near(rows.concat.scores, rows.additive.scores);
  assert.equal(new Set(Object.values(rows).map(({ entropy }) => entropy.toFixed(6))).size, names.length - 1);
});

test("a number of concat is changed in the matrix of additive that it comes from", () => {
  const concat = SCORES.find(({ name }) => name === "concat");
  const changed = withNumber(concat, START.parameters, "W_a.weight", [1, 3], 7);
  const left = [
    [0.9, -0.4],
    [0.3, 0.8],
    [-0.7, 0.5],
  ];
  const right = [
    [0.8, 0.3],
    [-0.5, 7],
    [0.6, 0.7],
  ];
  assert.deepEqual(changed.additive["W_a.weight"], left);
  assert.deepEqual(changed.additive["U_a.weight"], right);
  const joined = parametersOf(concat, changed);
  assert.deepEqual(
    joined["W_a.weight"],
    left.map((row, i) => [...row, ...right[i]]),
  );
  assert.deepEqual(joined.v_a, [1.8, -1.2, 1.5]);
  assert.deepEqual(seams(concat, changed, "W_a.weight"), [2]);
});

test("hard attention takes one value", () => {
  const state = { ...START, score: "dot", apart: true, draws: [2, 0, 1, 1, 0], drawn: 2 };
  const { query, keys, values } = START;
  const resultsWith = (attention_type) => resultsOf({ ...state, attention_type }, SCORES);
  const argmax = resultsWith("hard-argmax");
  const products = keys.map(([x, y]) => x * query[0] + y * query[1]);
  const best = products.indexOf(Math.max(...products));
  assert.deepEqual([argmax.taken, argmax.context, argmax.mean], [best, values[best], null]);
  const sample = resultsWith("hard-sample");
  assert.deepEqual([sample.taken, sample.context], [2, values[2]]);
  near(
    sample.mean,
    [0, 1].map((unit) => (2 * values[0][unit] + values[2][unit] + values[3][unit]) / 4),
  );
});

test("a point stays in the plane, and a moved key is selected", () => {
  const keys = [
    [1, 1],
    [2, 2],
  ];
  const state = { query: [0, 0], keys, chosen: 0 };
  assert.deepEqual(withPoint(state, { kind: "query", s: 0 }, [0.123, 9], 2.3), { query: [0.12, 2.3] });
  const moved = withPoint(state, { kind: "keys", s: 1 }, [-5, 0.5], 2.3);
  assert.deepEqual(moved, { keys: [keys[0], [-2.3, 0.5]], chosen: 1 });
});

test("draws are counted, and the last one is kept", () => {
  const numbers = [0.1, 0.9, 0.95];
  const state = withDraws({ draws: [0, 2, 0], drawn: 1 }, [0.5, 0.3, 0.2], () => numbers.shift(), 3);
  assert.deepEqual(state, { draws: [1, 2, 2], drawn: 2 });
});

test("draws follow the weights", () => {
  const weights = [0.5, 0, 0.3, 0.2];
  const { draws } = withDraws({ draws: [0, 0, 0, 0], drawn: null }, weights, dice(11), 20000);
  assert.equal(draws[1], 0);
  draws.forEach((count, s) => assert.ok(Math.abs(count / 20000 - weights[s]) < 0.015)); // four standard errors
  const edges = [0, 0.4999, 0.5, 0.7999, 0.8, 1];
  assert.deepEqual(
    edges.map((u) => drawnAt(weights, u)),
    [0, 0, 2, 2, 3, 3],
  );
});

test("a point on the screen is the point in the plane", () => {
  const { next } = createRandom(5);
  for (const point of [[-2, 2], [0, 0], ...Array.from({ length: 5 }, () => [4 * next() - 2, 4 * next() - 2])])
    near(toPlane(...toPixels(point, 431), 431), point, 1e-9);
});

test("formulas are taken apart", () => {
  const bilinear = ["h", "_", "t", "^", "\\top", "W", "_", "a", "\\bar", "h", "_", "s"];
  assert.deepEqual(tokens("h_t^\\top W_a \\bar h_s"), bilinear);
  assert.deepEqual(tokens("s_{i-1}"), ["s", "_", ["i", "-", "1"]]);
  assert.deepEqual(tokens("\\sqrt{d}"), ["\\sqrt", ["d"]]);
});

test("a link reopens the settings, and is empty for those of the page", () => {
  assert.deepEqual(new Set(Object.values(linkOf(START, START))), new Set([null]));
  const { keys, parameters } = structuredClone(START);
  keys[2] = [-2.25, 0.125];
  parameters.additive.v_a[1] = 4.5;
  const state = {
    ...START,
    keys,
    parameters,
    score: "additive",
    attention_type: "hard-argmax",
    apart: true,
    chosen: 3,
  };
  const link = linkOf(state, START);
  const named = Object.keys(link).filter((name) => link[name] !== null);
  assert.deepEqual(named.sort(), ["additive", "apart", "key", "keys", "score", "type"]);
  const read = (name) => (link[name] === null ? null : String(link[name]));
  assert.deepEqual(stateOf(START, read, ["dot", "additive"], 2.4), state);
});

test("a setting of a link that cannot be is left out", () => {
  for (const [wrong, value] of [
    ["keys", "1_2"],
    ["query", "a_b"],
    ["query", "9_0"],
    ["key", "5"],
    ["score", "cosine"],
  ])
    assert.deepEqual(
      stateOf(START, (name) => (name === wrong ? value : null), ["dot"], 2.4),
      START,
    );
});
