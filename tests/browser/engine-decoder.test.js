// Requests to the model in the page: the newest overtakes those that wait, and a failure concerns one request only.

import assert from "node:assert/strict";
import { test } from "node:test";

import { loadEngine } from "../../attn_core/browser/engine/code.js";
import { newest, openDecoder } from "../../attn_core/browser/engine/decoder.js";
import { modelFiles } from "../helpers/data.js";

/** The requests that a model is asked, in their order, and the answers to [request, isBackground]. */
async function answersTo(requests, { bad } = {}) {
  const [asked, waiting] = [[], []];
  const translate = newest(
    (request) =>
      new Promise((resolve, reject) => {
        asked.push(request);
        waiting.push(() => (request === bad ? reject(new Error("bad")) : resolve(`answer ${request}`)));
      }),
  );
  const answers = requests.map(([request, isBackground]) =>
    translate(request, isBackground).catch(({ message }) => message),
  );
  while (waiting.length) {
    waiting.shift()();
    await new Promise((done) => setTimeout(done));
  }
  return { asked, answers: await Promise.all(answers) };
}

test("of the requests that wait only the newest is answered", async () => {
  const { asked, answers } = await answersTo([[1], [2], [3], [4]]);
  assert.deepEqual(asked, [1, 4]);
  assert.deepEqual(answers, ["answer 1", null, null, "answer 4"]);
});

test("after a failure the next request is answered", async () => {
  const { asked, answers } = await answersTo([[1], [2]], { bad: 1 });
  assert.deepEqual(asked, [1, 2]);
  assert.deepEqual(answers, ["bad", "answer 2"]);
});

test("requests of the background are answered in order, after the reader's newest", async () => {
  const { asked, answers } = await answersTo([
    ["first", false],
    ["map 1", true],
    ["old", false],
    ["map 2", true],
    ["new", false],
  ]);
  assert.deepEqual(asked, ["first", "new", "map 1", "map 2"]);
  assert.deepEqual(answers, ["answer first", "answer map 1", null, "answer map 2", "answer new"]);
});

test("a closed model leaves no call without an answer", async (context) => {
  context.mock.method(URL, "createObjectURL", () => "");
  context.mock.method(URL, "revokeObjectURL", () => {});
  globalThis.Worker = class {
    postMessage({ id, files }) {
      if (id === 0 || files) queueMicrotask(() => this.onmessage({ data: { id, answer: null } })); // and no other
    }
    terminate() {}
  };
  context.after(() => {
    delete globalThis.Worker;
  });
  const decoder = await openDecoder({ weights: new Uint8Array(1) });
  const translations = [1, 2].map((text) => decoder.translate({ text }));
  const lines = decoder.lines(["a"]);
  decoder.close();
  assert.deepEqual(await Promise.all(translations), [null, null]);
  await assert.rejects(lines, { message: "the model was closed" });
  assert.equal(await decoder.translate({ text: 3 }), null);
});

test("the text of the engine is a script of its own, as a worker runs it", async () => {
  const answers = [];
  const scope = { postMessage: (answer) => answers.push(answer) };
  new Function("self", `(${await loadEngine()})().serve(self);`)(scope);
  scope.onmessage({ data: { id: 7 } });
  const { format } = modelFiles().graphs;
  scope.onmessage({ data: { id: 8, files: { graphs: { format }, weights: new Uint8Array(2) } } });
  assert.deepEqual(answers, [
    { id: 7, answer: null },
    { id: 8, problem: "model.safetensors is damaged: its header cannot be read" },
  ]);
});

test("weights that are no base64 are damaged", async () => {
  for (const weights of ["?", "AAA*", `${"A".repeat(70_000)}*`]) {
    const message = "model.safetensors is damaged: it is not base64";
    await assert.rejects(openDecoder({ weights }, { worker: false }), { message });
  }
});
