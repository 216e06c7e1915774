// The effects of a page that translates: models are opened and asked as the state changes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstState } from "../../attn_core/browser/state/first-state.js";
import { reduce } from "../../attn_core/browser/state/reducer.js";
import { createStore } from "../../attn_core/browser/state/store.js";
import { createTranslator } from "../../attn_core/browser/state/translator.js";
import { CHOICES, ONE, OTHER, VIEW, makeTrace } from "./states.js";

const settled = () => new Promise((done) => setTimeout(done, 5));

/** A page whose server has been asked for its sentence. `asked`: all requests; each waits in `calls` to be settled. */
async function openPage(context, { hasServer = true } = {}) {
  const trace = makeTrace("ein hund", "a dog </s>");
  const store = createStore(firstState(VIEW, trace), (state, action) => reduce(state, action, CHOICES));
  const [asked, calls] = [[], []];
  const serve = (model, { text }) =>
    new Promise((resolve, reject) => {
      asked.push([model, text]);
      const reading = { known: [], unknown: [], swapped: false };
      calls.push({
        reject,
        answer: () => resolve({ text: `${text} by ${model}`, trace: { ...trace, model }, reading }),
      });
    });
  const models = CHOICES.map(({ name }) => ({ name, languages: ["", ""] }));
  const translator = createTranslator(store, models, hasServer ? serve : undefined);
  context.after(() => translator.stop());
  await settled();
  /** Dispatches an action, or settles a call, and waits for its effects. */
  const act = async (change) => {
    if (typeof change === "function") change();
    else store.dispatch(change);
    await settled();
    return store.state.value;
  };
  return { asked, calls, store, act, answer: (place) => act(() => calls[place].answer()) };
}

const typed = (text) => ({ type: "sentence typed", text });

test("the model of the view is asked for its sentence", async (context) => {
  const { asked, answer } = await openPage(context);
  const { model, result } = await answer(0);
  assert.deepEqual(asked, [[ONE, "ein hund"]]);
  assert.deepEqual([model.status, result.answer.text], ["server", "ein hund by one"]);
});

test("of sentences typed while one is translated only the last is asked for", async (context) => {
  const { asked, store, answer } = await openPage(context);
  for (const text of ["ein", "ein ki", "ein kind"]) store.dispatch(typed(text));
  await answer(0);
  const { result } = await answer(1);
  assert.deepEqual(asked, [
    [ONE, "ein hund"],
    [ONE, "ein kind"],
  ]);
  assert.equal(result.text, "ein kind");
});

for (const [late, settle] of [
  ["answer", (call) => call.answer()],
  ["error", (call) => call.reject(new Error("gone"))],
]) {
  test(`a late ${late} of the model before has no effect`, async (context) => {
    const { asked, calls, act, answer } = await openPage(context);
    await act({ type: "model chosen", model: OTHER });
    await answer(1);
    const { result } = await act(() => settle(calls[0]));
    assert.deepEqual(asked, [
      [ONE, "ein hund"],
      [OTHER, "ein hund"],
    ]);
    assert.deepEqual([result.answer.text, result.problem], ["ein hund by other", null]);
  });
}

test("a step or a gloss asks for nothing", async (context) => {
  const { asked, act, answer } = await openPage(context);
  await answer(0);
  await act({ type: "step chosen", step: 1 });
  await act({ type: "gloss chosen", gloss: "zh" });
  assert.deepEqual(asked, [[ONE, "ein hund"]]);
});

test("the next sentence after a failed translation is asked for", async (context) => {
  const { calls, act, answer } = await openPage(context);
  const failed = await act(() => calls[0].reject(new Error("gone")));
  assert.equal(failed.result.problem, "gone");
  await act(typed("ein kind"));
  assert.equal((await answer(1)).result.answer.text, "ein kind by one");
});

test("a model that cannot be opened is tried again with the next request", async (context) => {
  const { store } = await openPage(context, { hasServer: false });
  const status = () => store.state.value.model.status;
  assert.equal(status(), "closed");
  store.dispatch({ type: "step chosen", step: 1 });
  assert.equal(status(), "closed");
  store.dispatch(typed("ein kind"));
  assert.equal(status(), "opening");
  await settled();
  assert.equal(status(), "closed");
  assert.equal(store.state.value.result.problem, "it is not exported for the browser");
});
