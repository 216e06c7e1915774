"""Requests to the model in the page: the newest overtakes those that wait, and a failure concerns one request only."""

import pytest

from attn_core.web import bundle
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


def test_the_text_of_the_engine_is_a_script_of_its_own(run):
    """As a worker runs it: nothing outside the function is used."""
    answers = run(
        """(() => {
          const scope = { answers: [], postMessage: (one) => scope.answers.push(one) };
          new Function("self", `(${input})().serve(self);`)(scope);
          scope.onmessage({ data: { id: 7 } });
          scope.onmessage({ data: { id: 8, files: { graphs: { format: 1 }, weights: new Uint8Array(2) } } });
          return scope.answers;
        })()""",
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
