// Chips for the settings of models: changing one changes nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { menus, reachable, textsOf } from "../../app/explorer/settings/axes.js";

const axis = (name, ...values) => ({ name, values: values.map((value) => [value, value]) });
const SCORE = axis("score", "dot", "general", "none");
const WINDOW = axis("window", "global", "local-p");
const SIZE = axis("size", "128", "256");
const AXES = [SCORE, WINDOW, SIZE];
const MODELS = [
  ["dot", "dot", "global", "256"],
  ["general", "general", "global", "256"],
  ["local", "general", "local-p", "256"],
  ["small", "dot", "local-p", "128"],
  ["none", "none", null, "256"],
].map(([name, score, window, size]) => ({ name, point: { score, window, size } }));

const modelNamed = (name, models = MODELS) => models.find((model) => model.name === name);

/** By value of an axis: the model that it leads to, and the axes that would change too. */
function reachedFrom(name, chosen, { axes = AXES, models = MODELS } = {}) {
  const reached = reachable(axes, models, chosen, models.indexOf(modelNamed(name, models)));
  const named = ({ value, model, others }) => [value, [models[model].name, others.map((other) => other.name)]];
  return Object.fromEntries(reached.map(named));
}

test("a value leads to the model that differs in nothing else", () => {
  assert.deepEqual(reachedFrom("general", SCORE), {
    dot: ["dot", []],
    general: ["general", []],
    none: ["none", []], // a window does not apply there
  });
  assert.deepEqual(reachedFrom("general", WINDOW), { global: ["general", []], "local-p": ["local", []] });
});

test("where no model differs in nothing else, what else would change is known", () => {
  const scores = { dot: ["dot", ["window"]], general: ["local", []], none: ["none", []] };
  assert.deepEqual(reachedFrom("local", SCORE), scores);
  assert.deepEqual(reachedFrom("dot", WINDOW)["local-p"], ["local", ["score"]]);
  assert.deepEqual(reachedFrom("general", SIZE), { 128: ["small", ["score", "window"]], 256: ["general", []] });
});

test("from a model without attention every score is reached", () => {
  assert.deepEqual(reachedFrom("none", SCORE), { dot: ["dot", []], general: ["general", []], none: ["none", []] });
});

test("the axes that would change too are those whose values differ", () => {
  for (const { name, point } of MODELS) {
    for (const chosen of AXES) {
      for (const [value, [reached, others]] of Object.entries(reachedFrom(name, chosen))) {
        const after = modelNamed(reached).point;
        assert.equal(after[chosen.name], value);
        const both = Object.keys(after).filter((other) => after[other] !== null && point[other] !== null);
        assert.deepEqual(
          both.filter((other) => other !== chosen.name && after[other] !== point[other]),
          others,
        );
      }
    }
  }
});

test("languages are chosen whatever else changes, and the other axes stay within them", () => {
  const pair = {
    name: "pair",
    values: [
      ["de-en", ""],
      ["en-fr", ""],
      ["zh-en", ""],
    ],
  };
  const general = modelNamed("general").point;
  const models = [
    ...MODELS.map(({ name, point }) => ({ name, point: { ...point, pair: "de-en" } })),
    { name: "french", point: { ...general, pair: "en-fr" } },
    { name: "chinese", point: { ...general, pair: "zh-en", score: "dot" } },
  ];
  const reached = (name, chosen) => reachedFrom(name, chosen, { axes: [pair, ...AXES], models });
  const others = { "en-fr": ["french", []], "zh-en": ["chinese", []] };
  assert.deepEqual(reached("local", pair), { "de-en": ["local", []], ...others });
  assert.deepEqual(reached("french", pair), { "de-en": ["general", []], ...others });
  assert.deepEqual(reached("french", SCORE), { general: ["french", []] });
  assert.deepEqual(reached("chinese", WINDOW), { global: ["chinese", []] });
  assert.deepEqual(
    Object.entries(reached("general", SCORE)).map(([value, [name]]) => [value, name]),
    [
      ["dot", "dot"],
      ["general", "general"],
      ["none", "none"],
    ],
  );
});

test("a model of joined sentences is offered each example with the two after it", () => {
  const examples = { "de-en": ["A.", "B.", "C.", "D."], "en-fr": ["E."] };
  const offered = (joined, pair = "de-en") => textsOf(examples, { point: { pair }, joined });
  assert.deepEqual(offered(false), examples["de-en"]);
  assert.deepEqual(offered(true), ["A. B. C.", "B. C. D.", "C. D. A.", "D. A. B."]);
  assert.deepEqual(offered(true, "zh-en"), []);
});

test("of equally near models the one with the same other settings is reached", () => {
  const cells = [
    ["general", "lstm"],
    ["dot", "gru"],
    ["dot", "lstm"],
    ["none", "gru"],
  ];
  const models = cells.map(([name, cell]) => ({ ...modelNamed(name), setup: { cell } }));
  const reached = reachable(AXES, models, SCORE, 0).map(({ value, model }) => [value, model]);
  assert.deepEqual(Object.fromEntries(reached), { dot: 2, general: 0, none: 3 });
});

test("an axis without a chip has a menu where a value needs another value of it", () => {
  const axes = AXES.map((each) => ({ ...each, chip: each !== SIZE }));
  const shown = (name, models = MODELS) =>
    menus(axes, models, models.indexOf(modelNamed(name))).map((menu) => menu.axis.name);
  for (const name of ["general", "dot", "local"]) assert.deepEqual(shown(name), ["score", "window"]);
  assert.deepEqual(shown("small"), ["score", "window", "size"]);
  const few = [modelNamed("dot"), modelNamed("small")]; // its size is as usual as that of the other
  assert.deepEqual(shown("small", few), ["score", "window", "size"]);
});
