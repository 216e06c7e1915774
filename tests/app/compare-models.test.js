// The models of a comparison: which are offered, how their settings differ, and when it is shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nearest } from "../../app/explorer/compare/nearest.js";
import { besides, settingsApart } from "../../app/explorer/compare/pairs.js";
import { comparedRuns, comparisonOf, runBeside } from "../../app/explorer/compare/selectors.js";
import { setupApart } from "../../app/explorer/settings/axes.js";
import { data } from "../helpers/data.js";
import { makeTrace } from "../helpers/made-trace.js";

const AXES = [
  {
    name: "pair",
    label: "Translate",
    chip: true,
    values: [
      ["de-en", "de-en"],
      ["fr-en", "fr-en"],
    ],
  },
  {
    name: "score",
    label: "Score",
    chip: true,
    values: [
      ["dot", "dot product"],
      ["general", "general"],
    ],
  },
  {
    name: "window",
    label: "Window",
    chip: true,
    values: [
      ["global", "global"],
      ["local-p", "local-p"],
    ],
  },
  {
    name: "size",
    label: "Units",
    chip: false,
    values: [
      ["64", "64"],
      ["128", "128"],
    ],
  },
];
const SETTINGS = {
  window: "global",
  half_width: null,
  sigma: null,
  centers: null,
  attention_type: "soft",
  beam: 1,
  normalise: null,
};
const POINT = { pair: "de-en", score: "dot", window: "global", size: "64" };

/** Label and both values of what differs between a model and another one with these settings. */
function differences(point, settings, first = {}) {
  const sideOf = (own, more) => ({ point: { ...POINT, ...own }, trace: { settings: { ...SETTINGS, ...more } } });
  const apart = settingsApart(AXES, sideOf({}, first), sideOf(point, settings), data);
  return apart.map(({ label, one, other }) => [label, one, other]);
}

test("the settings that differ are named", () => {
  assert.deepEqual(differences({}, {}), []);
  assert.deepEqual(differences({ score: "general" }, {}), [["Score", "dot product", "general"]]);
  const window = { window: "local-p", half_width: 2 }; // given to a global model
  assert.deepEqual(differences({}, window), [["Window", "global", "local-p"]]);
  assert.deepEqual(differences({}, { beam: 5 }), [["beam", "1", "5"]]);
  const ranking = [["ranking of the beam", "–", "length-penalised (Wu 2016)"]];
  assert.deepEqual(differences({}, { normalise: "wu" }), ranking);
  assert.deepEqual(differences({}, { replace_unk: true }), [["Replace <unk>", "no", "yes"]]);
  assert.deepEqual(differences({ size: "128" }, { attention_type: "hard-argmax" }), [
    ["Units", "64", "128"],
    ["attention type", "soft", "hard (argmax)"],
  ]);
});

test("two windows of one kind differ in their settings", () => {
  const localP = (half_width, sigma) => ({ window: "local-p", half_width, sigma });
  const labels = (other) => differences({}, other, localP(2, 1)).map(([label]) => label);
  assert.deepEqual(labels({ ...localP(4, 2), centers: { 1: 3.5 } }), ["Half-width D in words", "p_t"]);
  assert.deepEqual(labels(localP(0, null)), ["Half-width D in words"]); // sigma is D / 2 in both
  assert.deepEqual(labels(localP(2, 3)), ["Width σ of the Gaussian in words"]);
});

test("a setting that only one model has belongs to an axis", () => {
  const one = { "encoder.cell": "gru", "decoder.start": "copy", rank: "3" };
  assert.deepEqual(setupApart(one, { "encoder.cell": "lstm", "decoder.start": "copy" }), ["encoder.cell"]);
});

test("models without attention differ in their decoder", () => {
  const order = {
    name: "order",
    label: "Order",
    values: [
      ["luong", "update, attend"],
      ["bahdanau", "attend, update"],
    ],
    unattended: {
      label: "Decoder",
      help: "",
      values: [
        ["luong", "Luong's"],
        ["bahdanau", "Bahdanau's"],
      ],
    },
  };
  const sideOf = ([score, order]) => ({
    point: { score, order, window: score === "none" ? null : "global" },
    trace: { settings: SETTINGS },
  });
  const apart = (one, other) =>
    settingsApart([order], sideOf(one), sideOf(other), data).map((difference) => [
      difference.label,
      difference.one,
      difference.other,
    ]);
  assert.deepEqual(apart(["none", "luong"], ["none", "bahdanau"]), [["Decoder", "Luong's", "Bahdanau's"]]);
  assert.deepEqual(apart(["dot", "luong"], ["dot", "bahdanau"]), [["Order", "update, attend", "attend, update"]]);
  assert.deepEqual(apart(["none", "luong"], ["dot", "bahdanau"]), [["Order", "–", "attend, update"]]);
  assert.deepEqual(apart(["none", "luong"], ["dot", "luong"]), []);
  assert.deepEqual(apart(["dot", "luong"], ["none", "luong"]), []);
});

test("what came with a chip is named", () => {
  const setups = [
    { cell: "gru", epochs: "6" },
    { cell: "lstm", epochs: "6", layers: "2" },
  ];
  const placed = (setup, point) => ({ point: { ...POINT, ...point }, setup: setups[setup] });
  const came = (setup, point) => {
    const found = besides(AXES, placed(0, {}), placed(setup, point));
    return found && [found.axis.name, found.others];
  };
  assert.deepEqual(came(1, { score: "general" }), ["score", ["cell"]]); // only one of them has layers
  assert.deepEqual(came(0, { score: "general", size: "128" }), ["score", ["units"]]);
  assert.equal(came(0, { score: "general" }), null); // nothing else differs
  assert.equal(came(1, { score: "general", window: "local-p" }), null); // two chips: not a comparison
  assert.deepEqual(came(1, { score: "none", window: null }), ["score", ["cell"]]); // it has no window
  assert.deepEqual(came(1, { size: "128" }), ["size", ["cell"]]);
  assert.equal(came(1, {}), null);
  assert.deepEqual(came(1, { pair: "en-fr", score: "general", window: "local-p" }), ["pair", ["score", "window"]]);
  assert.equal(came(1, { pair: "en-fr" }), null);
});

const offered = (name, point = {}, { group = "Small", epochs = "20" } = {}) => ({
  name,
  point: { ...POINT, ...point },
  setup: { epochs },
  group,
});

test("the nearest model differs in one setting that readers choose", () => {
  const models = [
    offered("own"),
    offered("larger", { size: "128" }),
    offered("two", { score: "general", window: "local-p" }),
    offered("longer", { window: "local-p" }, { epochs: "30" }),
    offered("one", { score: "general" }),
  ];
  const nearestOf = (count) => nearest(models.slice(0, count), AXES, "own");
  assert.deepEqual([5, 4, 2, 1].map(nearestOf), ["one", "longer", "larger", "own"]);
});

const RUN = {
  model: "base",
  window: null,
  live: {},
  centers: null,
  type: null,
  beam: 3,
  normalise: "wu",
  alpha: 2,
  unk: true,
  draw: 0,
  edits: [],
  keep: false,
};
const VIEW = { ...RUN, window: "local-p", live: { half_width: 2 }, draw: 4, compared: null, race: null };
const MODELS = [
  offered("base"),
  offered("general", { score: "general" }),
  offered("local", { window: "local-p" }),
  offered("both", { score: "general", window: "local-p", size: "128" }, { group: "Large" }),
  offered("french", { pair: "fr-en" }),
];
const runOf = (model) => ({ ...RUN, model });

// As trained, with the search of the view; the one that differs elsewhere too is left out.
test("a race is of the models that differ on its axis only", () => {
  const runs = (change) => comparedRuns({ ...VIEW, ...change }, MODELS, AXES);
  assert.deepEqual(runs({}), []);
  assert.deepEqual(runs({ compared: { ...VIEW, beam: 1 } }), [{ ...VIEW, beam: 1 }]);
  assert.deepEqual(runs({ race: "score" }), [runOf("general")]);
  assert.deepEqual(runs({ race: "window" }), [runOf("local")]);
  for (const race of ["size", "pair", "colour"]) assert.deepEqual(runs({ race }), []);
  assert.deepEqual(runs({ model: "other", race: "score" }), []);
});

test("a comparison begins with the nearest model of the languages", () => {
  assert.deepEqual(runBeside(VIEW, MODELS, AXES), runOf("general"));
  assert.deepEqual(
    runBeside(
      VIEW,
      MODELS.filter(({ name }) => name !== "general"),
      AXES,
    ),
    runOf("local"),
  );
  assert.deepEqual(runBeside({ ...VIEW, model: "french" }, MODELS, AXES), runOf("french"));
});

function comparison(change, trace, ...others) {
  const choice = { layer: null, head: null };
  return comparisonOf({ view: { ...VIEW, ...change }, trace, others, models: MODELS, axes: AXES, choice, ...data });
}

/** A trace of greedy decoding whose attention is on the first of two words. */
const decoded = (model, words) =>
  makeTrace(
    words,
    words.split(" ").map(() => [1, 0]),
    "x y",
    { model, settings: SETTINGS },
  );
const [BASE, GENERAL] = [decoded("base", "a </s>"), decoded("general", "b </s>")];
const BESIDE = { compared: runOf("general") };

test("a comparison waits for all translations", () => {
  const { options } = comparison(BESIDE, BASE, GENERAL);
  for (const traces of [
    [null, GENERAL],
    [BASE, null],
    [null, null],
  ]) {
    const waiting = comparison(BESIDE, ...traces);
    assert.deepEqual([waiting.boards, waiting.apart, waiting.apartTitle], [null, "", ""]);
    assert.deepEqual(waiting.options, options);
  }
  assert.equal(comparison({}, BASE).boards, null); // nothing is compared
});

test("a comparison shows both translations and what differs", () => {
  const { apart, boards } = comparison(BESIDE, BASE, GENERAL);
  assert.equal(apart, "Only difference: Score (dot product | general)");
  assert.deepEqual(
    boards.sides.map(({ name }) => name),
    ["base", "general"],
  );
  assert.ok(boards.summary.startsWith("1 word differs."));
});

test("a race shows the values of its axis", () => {
  const { apart, boards } = comparison({ race: "score" }, BASE, decoded("general", "a </s>"));
  assert.deepEqual(
    boards.sides.map(({ title }) => title),
    ["dot product", "general · same words"],
  );
  assert.equal(apart, "Nothing else differs.");
  const alone = comparison({ race: "size" }, BASE);
  assert.deepEqual(
    alone.boards.sides.map(({ name }) => name),
    ["base"],
  );
  assert.equal(alone.apart, "No trained model differs in this setting alone.");
});

test("the list of a comparison has models, then races, with their actions", () => {
  const optionsOf = (change) => comparison(change, null).options;
  const options = optionsOf({ compared: runOf("both") });
  assert.deepEqual(
    options.map(({ group, value, text, chosen }) => [group, value, text, chosen]),
    [
      ["Small", "base", "base", false],
      ["Small", "general", "general", false],
      ["Small", "local", "local", false],
      ["Large", "both", "both", true],
      [null, "all score", "Score: all trained values", false],
      [null, "all window", "Window: all trained values", false],
    ],
  );
  const { value, chosen } = optionsOf({ race: "window" }).at(-1);
  assert.deepEqual([value, chosen], ["all window", true]);
  const actions = optionsOf({}).map(({ action }) => action);
  assert.deepEqual(actions[1], { type: "comparison begun", with: runOf("general") });
  assert.deepEqual(actions.at(-1), { type: "race begun", axis: "window" });
});
