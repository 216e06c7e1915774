// What each action makes of the state of a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { EDITS, FRENCH, LIVE, LONG, ONE, OTHER, RUN, VIEW, answered, makeTrace, reduceAll } from "./states.js";

const typed = (text) => ({ type: "sentence typed", text });
const chosen = (model, more) => ({ type: "model chosen", model, ...more });
const opened = (view, notices = []) => ({ type: "view opened", view, notices });

test("each language keeps its sentence, in the form of the model", () => {
  const states = reduceAll([
    typed("mein hund"),
    chosen(FRENCH),
    typed("mon chien"),
    chosen(OTHER),
    chosen(FRENCH),
    chosen(ONE, { text: "ein kind" }),
    chosen(LONG),
    chosen(ONE),
  ]);
  assert.deepEqual(
    states.map(({ view }) => view.text),
    ["mein hund", "un chien", "mon chien", "mein hund", "mon chien", "ein kind", "ein kind . ein hund .", "ein kind"],
  );
  assert.deepEqual(
    [1, 3, 5, 7].map((place) => states[place].view.model),
    [FRENCH, OTHER, ONE, ONE],
  );
});

test("the sentence of a language is the last one that its model has read", () => {
  const states = reduceAll([
    typed("mein hund"),
    answered("mein hund", makeTrace("mein hund", "my dog </s>")),
    typed("a dog"),
    answered("a dog", makeTrace("a dog", "a </s>"), { swapped: true }), // English for a German model
    chosen(FRENCH),
    chosen(ONE),
  ]);
  assert.equal(states.at(-1).view.text, "mein hund");
});

test("settings of another model or sentence are removed and listed", () => {
  const edited = { ...VIEW, window: "local-m", live: { half_width: 2 }, centers: { 1: 2.5 }, edits: EDITS, step: 4 };
  const [other] = reduceAll([typed("eine katze")], edited);
  assert.deepEqual(other.removed, ["edits"]);
  assert.deepEqual(other.view, { ...edited, text: "eine katze", centers: null, edits: [] });
  const [model] = reduceAll([chosen(OTHER)], edited);
  assert.deepEqual(model.removed, ["window", "edits"]);
  assert.deepEqual(model.view, { ...VIEW, model: OTHER, step: 4 });
  const [same, after] = reduceAll([typed("ein hund"), { type: "step chosen", step: 1 }], edited);
  assert.deepEqual(same.view, edited);
  assert.deepEqual(after.removed, []);
});

test("a second model follows the search of the first until it has its own", () => {
  const search = { type: "search chosen", beam: 5 };
  const beams = (compared) => {
    const [{ view }] = reduceAll([search], { ...VIEW, compared });
    return [view.beam, view.compared.beam];
  };
  assert.deepEqual(beams({ ...RUN, model: OTHER }), [5, 5]);
  assert.deepEqual(beams({ ...RUN, model: OTHER, beam: 3 }), [5, 3]);
  assert.deepEqual(beams(RUN), [5, 1]); // one model with two searches
});

test("sides swapped twice are as before", () => {
  const beside = { ...VIEW, compared: { ...RUN, model: OTHER, beam: 3, edits: EDITS }, step: 2 };
  const [once, twice] = reduceAll([{ type: "sides swapped" }, { type: "sides swapped" }], beside);
  assert.deepEqual([once.view.model, once.view.compared.model, once.view.step], [OTHER, ONE, 2]);
  assert.deepEqual(twice.view, beside);
});

test("a translation bounds the step and ends edits that it cannot have", () => {
  const late = { ...VIEW, step: 9, edits: EDITS };
  const unfit = [{ edit: EDITS[0], why: "length" }];
  const [state] = reduceAll([answered("ein hund", makeTrace("ein hund", "one dog runs </s>"), { unfit })], late);
  assert.deepEqual(state.view, { ...late, step: 3, edits: EDITS.slice(1) });
});

test("another sentence begins at its first step, that of a link at its own", () => {
  const arrived = answered("ein kind", makeTrace("ein kind", "a child runs </s>"));
  const [begun] = reduceAll([arrived], { ...VIEW, step: 2 });
  assert.equal(begun.view.step, 0);
  const [link, linked] = reduceAll([opened({ ...VIEW, text: "ein kind", step: 2 }, ["-"]), arrived]);
  assert.deepEqual([link.isLinked, linked.isLinked], [true, false]);
  assert.deepEqual([linked.view.step, linked.notices], [2, ["-"]]);
});

test("a late answer is shown and leaves the view of a link as it is", () => {
  const link = opened({ ...VIEW, text: "ein kind", step: 2, edits: EDITS.slice(1) });
  const late = answered("ein", makeTrace("ein", "a </s>"), { key: "late", unfit: [{ edit: EDITS[1], why: "head" }] });
  const failed = { type: "translation failed", key: "late", text: "ein", problem: "gone" };
  const own = answered("ein kind", makeTrace("ein kind", "a child runs </s>"));
  const [first, shown, still, last] = reduceAll([link, late, failed, own]);
  assert.deepEqual(shown.shown.trace.target, ["a", "</s>"]);
  for (const { view } of [shown, still, last]) assert.deepEqual(view, first.view);
  assert.deepEqual(
    [first, shown, still, last].map(({ isLinked }) => isLinked),
    [true, true, true, false],
  );
  assert.equal(still.result, null);
});

test("a link to what was refused or failed has arrived at once", () => {
  const failed = { type: "translation failed", key: "", text: "ein hund", problem: "gone" };
  for (const arrival of [answered("ein hund", null), failed]) {
    assert.equal(reduceAll([arrival, opened(VIEW)]).at(-1).isLinked, false);
  }
});

test("edits of a link wait for their model where the server ran the one before", () => {
  const served = { type: "model opened", model: ONE, files: null };
  const [, linked] = reduceAll([served, opened({ ...VIEW, model: OTHER, edits: EDITS })]);
  assert.deepEqual([linked.view.edits, linked.model.status, linked.result], [EDITS, "opening", null]);
  const [none] = reduceAll([served], { ...VIEW, edits: EDITS, type: "hard-argmax" });
  assert.deepEqual([none.view, none.removed], [VIEW, ["edits"]]); // a server has the trained type, and edits nothing
});

test("a trace of the same request goes on with its answer", () => {
  const given = { type: "trace given", trace: makeTrace("ein hund", "a dog runs </s>"), view: VIEW };
  const [, same] = reduceAll([answered("ein hund", makeTrace("ein hund", "a dog </s>")), given]);
  assert.equal(same.result.text, "ein hund");
  const [, other] = reduceAll([answered("ein", makeTrace("ein", "a </s>")), { ...given, view: { ...VIEW, beam: 3 } }]);
  assert.equal(other.result, null);
});

test("swapped sides have no edits to undo", () => {
  const edited = { type: "edits set", edits: EDITS.slice(0, 1) };
  const begun = { type: "comparison begun", with: { ...RUN, model: OTHER } };
  const { view } = reduceAll([edited, begun, { type: "sides swapped" }, { type: "edits undone" }]).at(-1);
  assert.deepEqual(view.edits, []);
  assert.equal(view.model, OTHER);
});

test("a head goes on where the next model has as many heads", () => {
  const [four, two] = [4, 2].map((heads) => makeTrace("ein kind", "a child </s>", heads));
  const arrivals = [four, two, makeTrace("ein", "a")].map((trace) => answered("a", trace));
  const actions = [{ type: "head chosen", layer: 1, head: 0 }, ...arrivals];
  const heads = reduceAll(actions, VIEW, four).map(({ view }) => [view.layer, view.head]);
  assert.deepEqual(heads, [
    [1, 0],
    [1, 0],
    [0, 0],
    [null, null],
  ]);
});

test("a text without a translation keeps the picture and its step", () => {
  const [state] = reduceAll([answered("?!", null)], { ...VIEW, step: 1 });
  assert.deepEqual(state.view, { ...VIEW, step: 1 });
  assert.deepEqual(state.shown.trace.target, ["a", "dog", "</s>"]);
  assert.equal(state.result.answer.trace, null);
});

const GRAPHS = {
  steps: [
    { window: "local-p", type: "soft", graphs: [] },
    { window: "local-p", type: "hard-argmax", graphs: [] },
    { window: "global", type: "soft", graphs: [] },
  ],
  windows: {
    "local-p": { centered: true, learned: true, live: LIVE.slice(0, 2) },
    global: { centered: false, learned: false, live: [] },
  },
  heads: { looks: [[0, 0]] },
};
const MANY = {
  ...GRAPHS,
  heads: {
    looks: [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ],
  },
};

for (const [graphs, linked, notice] of [
  [GRAPHS, { window: "local-m" }, "The window in the link was ignored: one cannot be run with it."],
  [GRAPHS, { live: { left: 1 } }, "The window in the link was ignored"],
  [GRAPHS, { window: "global", centers: { 0: 1 } }, "The window in the link was ignored"],
  [GRAPHS, { window: "global", type: "hard-argmax" }, "The attention type in the link was ignored"],
  [GRAPHS, { layer: 0, head: 0 }, "has a single head"],
  [{ ...GRAPHS, heads: { looks: [] } }, { layer: 0, head: 0 }, "has no attention"],
  [MANY, { layer: 0, head: 8 }, "one has no layer 0, head 8; its last is layer 1, head 1."],
  [MANY, { layer: 1, head: 0 }, null],
  [MANY, { head: "mean" }, null],
  [GRAPHS, { type: "soft", live: { sigma: 2 } }, null],
]) {
  test(`a link with ${JSON.stringify(linked)}: ${notice ?? "nothing is ignored"}`, () => {
    const model = { type: "model opened", model: ONE, files: { graphs } };
    const [, { notices, view }] = reduceAll([opened({ ...VIEW, ...linked }), model]);
    assert.equal(notices.length, notice === null ? 0 : 1);
    if (notice) assert.ok(notices[0].includes(notice), notices[0]);
    const isMoved = Boolean(view.window || Object.keys(view.live).length || view.centers);
    assert.equal(isMoved, !notice?.includes("window") && Boolean(linked.live || linked.window));
  });
}

test("an attention type that a window does not have gives way to the trained one", () => {
  const states = reduceAll([
    { type: "model opened", model: ONE, files: { graphs: GRAPHS } },
    { type: "attention type chosen", attention: "hard-argmax" },
    { type: "window set", window: "global", live: {}, centers: null },
  ]);
  assert.deepEqual(
    states.map(({ view }) => view.type),
    [null, "hard-argmax", null],
  );
});

test("a comparison ends where the other model has other languages", () => {
  const beside = { ...VIEW, compared: { ...RUN, model: OTHER } };
  const [french, same] = [FRENCH, LONG].map((model) => reduceAll([chosen(model)], beside)[0]);
  assert.deepEqual([french.view.compared, french.notices.length], [null, 1]);
  assert.deepEqual([same.view.compared, same.notices], [beside.compared, []]);
});

test("edits are undone and redone until another sentence", () => {
  const [begun, ended] = [{ type: "editing begun" }, { type: "editing ended" }];
  const [undone, redone] = [{ type: "edits undone" }, { type: "edits redone" }];
  const [one, two] = [1, 2].map((n) => ({ type: "edits set", edits: EDITS.slice(0, n) }));
  const states = reduceAll([begun, one, two, undone, ended, begun, undone, redone, typed("ein kind"), undone]);
  const [first, both] = [EDITS.slice(0, 1), EDITS.slice(0, 2)];
  assert.deepEqual(
    states.map(({ view }) => view.edits),
    [[], first, both, first, [], [], first, [], [], []],
  );
});

test("a next word is taken apart, or chosen while a reader edits", () => {
  const trace = makeTrace("ein hund", "a dog </s>");
  trace.steps[1].top = [
    ["dog", -0.1],
    ["cat", -2],
  ];
  const clicked = { type: "number opened", rank: 1 };
  const [taken] = reduceAll([clicked], { ...VIEW, step: 1 }, trace);
  assert.deepEqual([taken.number, taken.view.edits], [{ step: 1, rank: 1 }, []]);
  const [, word] = reduceAll([{ type: "editing begun" }, clicked], { ...VIEW, step: 1 }, trace);
  assert.deepEqual([word.number, word.view.edits], [null, [{ kind: "word", step: 1, word: "cat" }]]);
});

test("the edits of a stop end with the tour", () => {
  const [stop, left] = reduceAll([opened({ ...VIEW, tour: 2, edits: EDITS }), { type: "tour left" }]);
  assert.deepEqual([stop.isEditing, stop.view.edits], [true, EDITS]);
  assert.deepEqual([left.isEditing, left.view.edits, left.view.tour], [false, [], null]);
});
