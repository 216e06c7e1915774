// The comparison of two translations: which words stand side by side, what differs, and which models are offered.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nearest } from "../../app/explorer/compare/nearest.js";
import { besides, moved, paired, settingsApart } from "../../app/explorer/compare/pairs.js";
import { comparedRuns, comparisonOf, runBeside } from "../../app/explorer/compare/selectors.js";
import { raced, sentenceOn, sentenceOnAll, sideBySide } from "../../app/explorer/compare/summary.js";
import { setupApart } from "../../app/explorer/settings/axes.js";
import { data } from "../helpers/data.js";
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

const lookOf = (row, head = 0) => ({ scores: row, alignment: row, gaussian: row, weights: row, layer: 0, head });

/** A translation with these weights at its steps; null: no attention. */
function makeTrace(words, weights, source = "x y", more = {}) {
  const target = words.split(" ");
  const steps = target.map((token, t) => ({
    t,
    token,
    top: [],
    center: null,
    window: [0, 1],
    looks: weights[t] ? [lookOf(weights[t])] : [],
  }));
  return { model: "m", source: source.split(" "), target, steps, unknown: [], ...more };
}

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
