"""Requests to the model in the page: the newest overtakes those that wait, and a failure concerns one request only."""

import pytest

from attn_core.web import bundle
from attn_core.web.export.document import FORMAT
from tests.helpers.javascript import evaluator

DECODER = bundle.CODE.with_name("decoder.js")

OVERTAKEN = """await (async () => {
  const [asked, waiting] = [[], []];
  const translate = js.newest((request) => new Promise((resolve, reject) => {
    asked.push(request);
    waiting.push(() => (request === input.bad ? reject(new Error("bad")) : resolve(`answer ${request}`)));
  }));
  const answers = input.requests.map((request) => translate(request).catch((problem) => problem.message));
  while (waiting.length) {
    waiting.shift()();
    await new Promise((done) => setTimeout(done));
  }
  return { asked, answers: await Promise.all(answers) };
})()"""


@pytest.fixture(scope="module")
def run(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("decoder"), (DECODER,))


def test_of_the_requests_that_wait_only_the_newest_is_answered(run):
    found = run(OVERTAKEN, {"requests": [1, 2, 3, 4]})
    assert found == {"asked": [1, 4], "answers": ["answer 1", None, None, "answer 4"]}


def test_after_a_failure_the_next_request_is_answered(run):
    found = run(OVERTAKEN, {"requests": [1, 2], "bad": 1})
    assert found == {"asked": [1, 2], "answers": ["bad", "answer 2"]}


BEHIND = """await (async () => {
  const [asked, answers] = [[], []];
  let free = () => {};
  const translate = js.newest((request) => new Promise((resolve) => {
    asked.push(request);
    free = () => resolve(`answer ${request}`);
  }));
  for (const [request, background] of input) answers.push(translate(request, background));
  for (let i = 0; i < input.length; i++) {
    free();
    await new Promise((done) => setTimeout(done));
  }
  return { asked, answers: await Promise.all(answers) };
})()"""


def test_a_request_of_the_background_replaces_none_and_is_not_replaced(run):
    """They are answered in their order, after the reader's newest request."""
    found = run(BEHIND, [["first", False], ["map 1", True], ["old", False], ["map 2", True], ["new", False]])
    assert found["asked"] == ["first", "new", "map 1", "map 2"]
    assert found["answers"] == ["answer first", "answer map 1", None, "answer map 2", "answer new"]


CLOSED = """await (async () => {
  globalThis.URL.createObjectURL = () => "";
  globalThis.URL.revokeObjectURL = () => {};
  globalThis.Worker = class {
    postMessage({ id, files }) {
      if (id === 0 || files) queueMicrotask(() => this.onmessage({ data: { id, answer: null } })); // and no other
    }
    terminate() {}
  };
  const decoder = await js.openDecoder({ weights: new Uint8Array(1) });
  const translations = [1, 2].map((text) => decoder.translate({ text }));
  const other = decoder.lines(["a"]).catch((problem) => problem.message);
  decoder.close();
  const late = decoder.translate({ text: 3 });
  return [...await Promise.all(translations), await other, await late];
})()"""


def test_a_closed_model_leaves_no_call_without_an_answer(run):
    assert run(CLOSED, None) == [None, None, "the model was closed", None]


def test_the_text_of_the_engine_is_a_script_of_its_own(run):
    """As a worker runs it: nothing outside the function is used."""
    answers = run(
        """(() => {
          const scope = { answers: [], postMessage: (one) => scope.answers.push(one) };
          new Function("self", `(${input})().serve(self);`)(scope);
          scope.onmessage({ data: { id: 7 } });
          scope.onmessage({ data: { id: 8, files: { graphs: { format: FORMAT }, weights: new Uint8Array(2) } } });
          return scope.answers;
        })()""".replace("FORMAT", str(FORMAT)),
        bundle.engine_code().removeprefix("export "),
    )
    assert answers == [
        {"id": 7, "answer": None},
        {"id": 8, "problem": "model.safetensors is damaged: its header cannot be read"},
    ]


def test_weights_that_are_no_base64_are_damaged(run):
    opened = "await js.openDecoder({ weights: input }, { worker: false }).catch((problem) => problem.message)"
    for text in ("?", "AAA*", "A" * 70_000 + "*"):
        assert run(opened, text) == "model.safetensors is damaged: it is not base64"
