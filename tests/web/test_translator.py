"""The effects of a page that translates, in plain node: models are opened and asked as the state changes."""

import json
from typing import Any

import pytest

from attn_core.web import bundle
from tests.helpers.javascript import evaluator
from tests.web.states import CHOICES, ONE, OTHER, VIEW, trace

STATE = bundle.PLAYER.parent / "state"
# `asked`: the models that the server is asked to translate with; a call waits in `calls` until the test settles it.
PAGE = """(async ([view, trace, choices]) => {
  const store = js.createStore(js.firstState(view, trace), (state, action) => js.reduce(state, action, choices));
  const [asked, calls] = [[], []];
  const serve = (model, { text }) => new Promise((resolve, reject) => {
    asked.push([model, text]);
    const reading = { known: [], unknown: [], swapped: false };
    calls.push({ reject, answer: () => resolve({ text: `${text} by ${model}`, trace: { ...trace, model }, reading }) });
  });
  const models = choices.map(({ name }) => ({ name, languages: ["", ""] }));
  const translator = js.createTranslator(store, models, given.serve ? serve : undefined);
  const settle = () => new Promise((done) => setTimeout(done, 5));
  const { dispatch } = store;
  const now = () => store.state.value;
  await settle();
  SCRIPT
  translator.stop();
  return { asked, ...result };
})"""


@pytest.fixture(scope="module")
def run(node, tmp_path_factory):
    """Run a script on a page; it sets `result`, which is returned with the requests to the server."""
    folder = tmp_path_factory.mktemp("translator")
    names = {"reducer": "firstState, reduce", "store": "createStore", "translator": "createTranslator"}
    imports = [f'import {{ {name} }} from "{(STATE / file).as_posix()}.js";\n' for file, name in names.items()]
    (folder / "all.js").write_text("".join(imports) + f"export {{ {', '.join(names.values())} }};\n", encoding="utf-8")
    evaluate = evaluator(node, folder, (folder / "all.js",))  # one bundle, since its modules share their signals

    def run(script: str, serve: bool = True) -> dict[str, Any]:
        page = PAGE.replace("given.serve", json.dumps(serve)).replace("SCRIPT", script)
        return evaluate(f"await {page}(input)", [VIEW, trace("ein hund", "a dog </s>"), CHOICES])

    return run


CHOOSE_OTHER = f'dispatch({{ type: "model chosen", model: "{OTHER}" }}); await settle();'


def test_the_model_of_the_view_is_asked_for_its_sentence(run):
    found = run("""calls[0].answer(); await settle();
        const { status } = now().model; const result = { status, text: now().result.answer.text };""")
    assert found == {"asked": [[ONE, "ein hund"]], "status": "server", "text": "ein hund by one"}


def test_of_sentences_typed_while_one_is_translated_only_the_last_is_asked_for(run):
    found = run("""for (const text of ["ein", "ein ki", "ein kind"]) dispatch({ type: "sentence typed", text });
        calls[0].answer(); await settle(); calls[1].answer(); await settle();
        const result = { text: now().result.text };""")
    assert found == {"asked": [[ONE, "ein hund"], [ONE, "ein kind"]], "text": "ein kind"}


@pytest.mark.parametrize("late", ["calls[0].answer()", 'calls[0].reject(new Error("gone"))'])
def test_a_late_answer_of_the_model_before_has_no_effect(run, late):
    found = run(f"""{CHOOSE_OTHER} calls[1].answer(); await settle(); {late}; await settle();
        const result = {{ text: now().result.answer.text, problem: now().result.problem }};""")
    assert found == {"asked": [[ONE, "ein hund"], [OTHER, "ein hund"]], "text": "ein hund by other", "problem": None}


def test_a_step_or_a_gloss_asks_for_nothing(run):
    found = run("""calls[0].answer(); await settle();
        dispatch({ type: "step chosen", step: 1 }); dispatch({ type: "gloss chosen", gloss: "zh" }); await settle();
        const result = {};""")
    assert found["asked"] == [[ONE, "ein hund"]]


def test_a_failed_translation_is_told_and_the_next_sentence_is_asked_for(run):
    found = run("""calls[0].reject(new Error("gone")); await settle();
        const { problem } = now().result;
        dispatch({ type: "sentence typed", text: "ein kind" }); await settle(); calls[1].answer(); await settle();
        const result = { problem, text: now().result.answer.text };""")
    assert (found["problem"], found["text"]) == ("gone", "ein kind by one")


def test_a_model_that_cannot_be_opened_is_tried_again_with_the_next_request(run):
    script = """const before = now().model.status;
        dispatch({ type: "step chosen", step: 1 });
        const still = now().model.status;
        dispatch({ type: "sentence typed", text: "ein kind" });
        const again = now().model.status; await settle();
        const result = { statuses: [before, still, again, now().model.status], problem: now().result.problem };"""
    found = run(script, serve=False)
    assert found["statuses"] == ["closed", "closed", "opening", "closed"]
    assert found["problem"] == "it is not exported for the browser"
