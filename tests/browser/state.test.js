// The state of a page: its link, and what holds after any actions.

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstState } from "../../attn_core/browser/state/first-state.js";
import { reduce } from "../../attn_core/browser/state/reducer.js";
import { createStore } from "../../attn_core/browser/state/store.js";
import { readView, writeView } from "../../attn_core/browser/state/view.js";
import { createRandom } from "../helpers/random.js";
import { CHOICES, EDITS, FACTS, ONE, OTHER, RUN, VIEW, answered, makeTrace, reduceAll } from "./states.js";

const read = (link) => readView(new URLSearchParams(link), FACTS);
const write = (view) => String(writeView(view, FACTS));

const random = createRandom(7);
const { integer, pick } = random;
const maybe = (make) => (pick([true, false]) ? make() : null);
const LETTERS = [..."aZ09 &=+#%?/\\;,.-_~*'\"<>«äßşжщ我喜😀́", "\u{10ffff}", "\ufffd", "\u0378"];
const LIVE = [
  () => ({}),
  () => ({ half_width: integer(0, 60) }),
  () => ({ sigma: integer(1, 240) / 4 }),
  () => ({ left: integer(0, 9) }),
];
const PICKED = {
  window: () => maybe(() => pick(Object.keys(FACTS.windows))),
  live: () => pick(LIVE)(),
  centers: () => maybe(() => ({ [integer(0, 30)]: integer(0, 120) / 2, [integer(31, 60)]: integer(0, 120) / 2 })),
  type: () => maybe(() => pick(FACTS.types)),
  beam: () => pick([1, 2, 3, 5, 8, 12]),
  normalise: () => pick(["length", "none", "wu"]),
  edits: () => pick([[], EDITS.slice(0, 1), EDITS]),
  head: () =>
    pick(
      [
        [null, null],
        [null, "mean"],
        [0, 0],
        [2, 11],
      ].map(([layer, head]) => ({ layer, head })),
    ),
  gloss: () => pick(FACTS.glosses),
  level: () => pick(["story", "workbench"]),
};
const pickRun = () => ({
  model: pick(FACTS.models),
  window: PICKED.window(),
  live: PICKED.live(),
  centers: PICKED.centers(),
  type: PICKED.type(),
  beam: PICKED.beam(),
  normalise: PICKED.normalise(),
  alpha: pick([1, 0.5, 2]),
  unk: pick([true, false]),
  draw: integer(0, 999),
  edits: PICKED.edits(),
  keep: pick([true, false]),
});
const pickView = () => ({
  ...pickRun(),
  text: random.list(30, () => pick(LETTERS)).join(""),
  step: integer(0, 9999),
  ...PICKED.head(),
  compared: maybe(pickRun),
  race: maybe(() => pick(FACTS.axes)),
  gloss: PICKED.gloss(),
  tour: maybe(() => integer(1, 7)),
  present: pick([true, false]),
  level: PICKED.level(),
});

test("a link opens the same view", () => {
  for (let n = 0; n < 500; n++) {
    const view = pickView();
    assert.deepEqual(read(write(view)), { view, notices: [] });
  }
});

test("a link leaves out what is usual", () => {
  assert.deepEqual(read(""), { view: VIEW, notices: [] });
  assert.deepEqual(Object.fromEntries(writeView(VIEW, FACTS)), { text: "ein hund", model: ONE });
});

test("a link opens the lecture layout with a bare name", () => {
  const present = { view: { ...VIEW, present: true }, notices: [] };
  for (const link of ["present", "present=", "present=1"]) assert.deepEqual(read(link), present);
});

for (const [link, level] of [
  ["", "story"],
  [`with=${ONE}`, "workbench"],
  ["race=score", "workbench"],
  ["beam=3", "workbench"],
  [`attention_type=${FACTS.types[0]}`, "workbench"],
  ["edit=n4-dog", "workbench"],
  ["edit=n4-dog&tour=2", "story"],
  ["beam=3&level=story", "story"],
  ["level=workbench", "workbench"],
]) {
  test(`the link “${link}” opens ${level}`, () => assert.equal(read(link).view.level, level));
}

test("a link opens the workbench for each property that Story does not show", () => {
  const inStory = {
    model: OTHER,
    text: "ein kind",
    window: "local-p",
    live: { half_width: 3 },
    centers: { 1: 4.5 },
    step: 2,
    layer: 1,
    head: 0,
    tour: 2,
    present: true,
    level: "story",
  };
  const inWorkbench = {
    type: FACTS.types[0],
    beam: 3,
    normalise: "wu",
    alpha: 2,
    unk: true,
    draw: 1,
    edits: EDITS.slice(0, 1),
    keep: true,
    compared: { ...RUN, model: OTHER },
    race: "score",
    gloss: "zh",
  };
  assert.deepEqual(Object.keys(VIEW).sort(), Object.keys({ ...inStory, ...inWorkbench }).sort());
  const { layer, head } = inStory;
  for (const [name, value] of Object.entries({ ...inStory, ...inWorkbench })) {
    const pair = name === "layer" || name === "head" ? { layer, head } : {};
    const view = { ...VIEW, [name]: value, ...pair, level: name in inWorkbench ? "workbench" : "story" };
    assert.ok(!write(view).includes("level="));
    assert.deepEqual(read(write(view)).view, view);
  }
});

test("a second model has the search of the first unless the link says otherwise", () => {
  const link = { beam: "3", normalise: "wu", with: OTHER };
  const links = [link, { ...link, with_beam: "1", with_normalise: "length" }, { ...link, with: ONE }];
  const compared = links.map((each) => read(each).view.compared);
  assert.deepEqual(
    compared.map(({ model, beam, normalise }) => [model, beam, normalise]),
    [
      [OTHER, 3, "wu"],
      [OTHER, 1, "length"],
      [ONE, 1, "length"], // one model with two searches
    ],
  );
});

for (const [name, value, notice, more = {}] of [
  ["model", "gpt", "There is no model “gpt” here; one is shown instead."],
  ["model", "__proto__", "There is no model “__proto__”"],
  ["with", "gpt", "There is no model “gpt”"],
  ["beam", "4", "beam in the link must be one of 1, 2, 3, 5, 8, 12, not “4”; it was ignored."],
  ["with_beam", "4", "with_beam in the link must be one of 1, 2, 3"],
  ["with_D", "-1", "with_D in the link must be a whole number from 0 to 60"],
  ["normalise", "long", "normalise in the link must be one of length, none, wu"],
  ["race", "colour", "race in the link must be one of score, window"],
  ["D", "-1", "D in the link must be a whole number from 0 to 60"],
  ["D", "2.5", "D in the link"],
  ["left", "10", "left in the link must be a whole number from 0 to 9"],
  ["window_step", "10", "window_step in the link must be a whole number from 1 to 9"],
  ["sigma", "0", "sigma in the link must be a number from 0.01 to 60"],
  ["sigma", "nan", "sigma in the link"],
  ["sigma", "Infinity", "sigma in the link"],
  ["p", "1-2_x", "p in the link must be pairs of a step and a position"],
  ["p", "1-61", "p in the link"],
  ["step", "-3", "step in the link must be a whole number from 0 to 9999"],
  ["step", "9".repeat(5000), "step in the link"],
  ["layer", "1", "needs both layer and head; layer alone was ignored"],
  ["head", "1", "needs both layer and head; head alone was ignored"],
  ["head", "all", "head in the link must be mean, or a whole number", { layer: "0" }],
  ["keep", "yes", "keep in the link must be 1, not “yes”"],
  ["unk", "keep", "unk in the link must be replace, not “keep”"],
  ["window", "round", "window in the link must be one of"],
  ["window", "constructor", "window in the link"],
  ["attention_type", "half", "attention_type in the link must be one of"],
  ["edit", "w3-0.5_0.5x", "edit in the link must be edits such as w3-0.2_0.8 or n4-dog, not “w3-0.5_0.5x”"],
  ["edit", "n".repeat(5000), "edit in the link"],
  ["draw", "-1", "draw in the link must be a whole number from 0 to 999"],
  ["gloss", "fr", "gloss in the link must be one of en, zh, none"],
  ["level", "all", "level in the link must be one of story, workbench, not “all”"],
  ["tour", "9", "tour in the link must be a whole number from 1 to 7"],
  ["half_width", "3", "The link has “half_width”, which this page does not know; it was ignored."],
  ["<b>", "3", "The link has “<b>”, which"],
]) {
  test(`${name}=${value.slice(0, 20)} is left out of a view, with one notice`, () => {
    const { view, notices } = read({ [name]: value, ...more });
    assert.equal(notices.length, 1);
    assert.ok(notices[0].includes(notice), notices[0]);
    assert.ok(notices[0].length < 200);
    const compared = name.startsWith("with") ? RUN : null;
    assert.deepEqual(view, { ...VIEW, compared, level: compared ? "workbench" : "story" });
  });
}

test("names that others add to links are no mistakes", () => {
  assert.deepEqual(read("utm_source=x&embed=true&fbclid=1"), { view: VIEW, notices: [] });
});

test("a sentence that is too long is cut, with a notice", () => {
  const { view, notices } = read({ text: "x".repeat(1001) });
  assert.equal(view.text, "x".repeat(1000));
  assert.deepEqual(notices, ["The sentence in the link was cut to 1000 characters."]);
});

const ACTIONS = [
  () => ({ type: "model chosen", model: pick(FACTS.models) }),
  () => ({ type: "sentence typed", text: pick(["ein kind", "a", ""]) }),
  () => ({ type: "window set", window: PICKED.window(), live: PICKED.live(), centers: PICKED.centers() }),
  () => ({ type: "states kept", keep: pick([true, false]) }),
  () => ({ type: "search chosen", beam: PICKED.beam() }),
  () => ({ type: "search chosen", normalise: PICKED.normalise() }),
  () => ({ type: "attention type chosen", attention: PICKED.type() }),
  () => ({ type: "edits set", edits: PICKED.edits() }),
  () => ({ type: "step chosen", step: integer(-1, 60) }),
  () => ({ type: "head chosen", ...PICKED.head() }),
  () => ({ type: "gloss chosen", gloss: PICKED.gloss() }),
  () => ({ type: "level chosen", level: PICKED.level() }),
  () => ({ type: "comparison begun", with: pickRun() }),
  () => ({ type: "race begun", axis: "score" }),
  () => ({ type: pick(["sample drawn", "tour left", "comparison ended", "sides swapped"]) }),
  () => answered("ein hund", makeTrace("ein hund", "a dog runs </s>")),
];
const actions = Array.from({ length: 1500 }, () => pick(ACTIONS)());

// So Back, Forward, a reload and a copied link reopen what a reader saw.
test("every view that actions lead to is that of its link", () => {
  for (const { view } of reduceAll(actions)) assert.deepEqual(read(write(view)).view, view);
});

test("a state is never changed", () => {
  const freeze = (value) => {
    if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const view = { ...VIEW, compared: { ...RUN, model: OTHER }, edits: EDITS, live: { left: 2 } };
  const state = freeze(firstState(view, makeTrace("ein hund", "a dog </s>")));
  for (const action of actions) reduce(state, action, CHOICES);
});

test("a store has one state and refuses actions while it reduces", () => {
  const store = createStore(0, (sum, n) => sum + n);
  store.dispatch(1);
  store.dispatch(2);
  assert.equal(store.state.value, 3);
  const nested = createStore(0, () => {
    assert.throws(() => nested.dispatch(1), { message: "an action was dispatched while another one is reduced" });
    return 7;
  });
  nested.dispatch(0);
  assert.equal(nested.state.value, 7);
});
