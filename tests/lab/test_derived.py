"""What the stages draw of the engine's traces is what Python's traces hold."""

from typing import Any

import pytest
import torch

from attn_core import translate
from attn_core.browser import bundle
from attn_core.models.translator import Translator
from tests.browser import traces
from tests.explain.test_paths import CONFIGS, SENTENCE, model_of
from tests.helpers.engine import files_of
from tests.helpers.javascript import evaluator
from tests.helpers.support import TRANSFORMER, tiny
from tests.lab import derived, stages

MODULES = ("heads/attentions", "kit/steps", "paths/diagrams", "window/treatments")
# The translation of input.text, as translating.js hands it to a page.
TRANSLATED = """(({ files, text, vectors }) => {
  const weights = new Uint8Array(Buffer.from(files.weights, "base64"));
  const trace = new js.Translator({ ...files, weights }).translate({ text, vectors });
  return { name: files.graphs.name, trace, shown: js.readable(trace), text: "", files };
})"""


@pytest.fixture(scope="module")
def page(node, tmp_path_factory):
    """Evaluate an expression of `given`, the translation of a text by a model with its vectors."""
    engine = bundle.PLAYER.parent / "engine" / "trace.js"
    modules = (engine, bundle.PLAYER / "core" / "pieces.js", *(stages.LAB / f"{name}.js" for name in MODULES))
    run = evaluator(node, tmp_path_factory.mktemp("derived"), modules)

    def evaluate(expression: str, model: Translator, text: str, vectors: str = '["memory"]') -> Any:
        given = {"files": files_of(model), "text": text}
        return run(f"((given) => {expression})({TRANSLATED}({{ ...input, vectors: {vectors} }}))", given)

    return evaluate


def close(found: Any, wanted: Any, where: str = "") -> None:
    """Assert that two documents are equal but for rounding."""
    if isinstance(wanted, dict):
        assert found.keys() >= wanted.keys(), where
        for name, value in wanted.items():
            close(found[name], value, f"{where}.{name}")
    elif isinstance(wanted, list | tuple):
        assert len(found) == len(wanted), where
        for place, value in enumerate(wanted):
            close(found[place], value, f"{where}[{place}]")
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-3, abs=2e-4), where
    else:
        assert found == wanted, where


@torch.inference_mode()
def recorded(model: Translator, text: str):
    return translate(model, text)


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", CONFIGS)
def test_a_diagram_has_the_numbers_of_the_translation(page, name):
    model = model_of(**CONFIGS[name]).float()
    found = page("js.diagramOf(given)", model, SENTENCE, "js.QUANTITIES")
    wanted = derived.drawn(recorded(model, SENTENCE), model.config, len(model.target))
    close(found, wanted)
    assert all(len(step["values"]["previous"]) == 12 + (found["query"] == "previous") for step in found["steps"])


def test_the_step_as_printed_has_shapes_and_no_numbers(page):
    model = model_of(**CONFIGS["groundhog"]).float()
    assert page("js.followsCode(given)", model, SENTENCE, "js.QUANTITIES") is True
    found = page("js.diagramOf(given, true)", model, SENTENCE, "js.QUANTITIES")
    printed = model.config.set({"update": "printed", "readout": "s_cur"})
    close(found, derived.drawn(recorded(model, SENTENCE), printed, len(model.target), bare=True))
    assert ["next", "readout"] in found["edges"]
    assert not any(step["values"] for step in found["steps"])
    assert page("js.followsCode(given)", model_of(**CONFIGS["global"]).float(), SENTENCE, "js.QUANTITIES") is False


def test_a_step_that_cannot_be_drawn_is_named(page):
    model = tiny(dtype=torch.float32, **TRANSFORMER)
    said = page("(() => { try { js.diagramOf(given) } catch (error) { return error.message } })()", model, "a b")
    assert said == f"The step of {model.name} cannot be drawn."


def test_the_maps_of_a_transformer_are_those_of_its_record(page):
    model = tiny(std=0.7, dtype=torch.float32, **TRANSFORMER)
    trace = recorded(model, "a b c")
    found = page("js.attentionsOf(given.shown)", model, "a b c")
    assert [kind["key"] for kind in found] == ["encoder", "decoder", "cross"]
    for kind, wanted in zip(found, derived.kinds(trace).values(), strict=True):
        close(kind, wanted)


def test_inner_products_give_the_length_of_the_context(page):
    model = model_of(**CONFIGS["local-p"]).float()
    trace = recorded(model, SENTENCE)
    found = page("js.gramOf(js.vectorsOf(given.trace.steps[0]).memory[0])", model, SENTENCE)
    close(found, derived.gram(trace))
    look = trace.words[0].step.looks[0]
    assert (look.weights @ torch.tensor(found) @ look.weights).sqrt().item() == pytest.approx(
        look.context.norm().item(), rel=1e-3
    )


def test_a_step_of_one_path_has_its_partner_in_the_other(run_js):
    """The step with the largest weight on the same source word, also with other numbers and subwords."""
    words = traces.make(words=(["ein", "schneemann", "läuft"], ["a", "man", "runs", "</s>"]))
    pieces = traces.make(words=(["▁ein", "▁schnee", "mann", "▁läuft", "</s>"], ["▁x", "▁y", "▁z"]))
    own = [(0.1, 0.2, 0.7), (0.8, 0.1, 0.1), (0, 0, 0), (0, 1, 0)]
    other = [(0.5, 0.1, 0.1, 0.1, 0.2), (0.0, 0.2, 0.3, 0.5, 0.0), (0.1, 0.3, 0.1, 0.4, 0.9)]
    words, pieces = stages.weighed(words, own), stages.weighed(pieces, other)
    given = {"words": stages.raw(words), "pieces": stages.raw(pieces)}
    found = run_js("js.partners(input.words, input.pieces)", given)
    steps = [{"word": "läuft", "step": 1}, {"word": "ein", "step": 0}, None]
    assert found == derived.partners(words, pieces) == [*steps, {"word": "schneemann", "step": 1}]
    steps = [{"word": "ein", "step": 1}, {"word": "schneemann", "step": 3}, {"word": "</s>", "step": None}]
    assert run_js("js.partners(input.pieces, input.words)", given) == derived.partners(pieces, words) == steps


def test_a_page_opens_at_the_step_that_looks_at_the_word(run_js):
    trace = traces.make(words=(["ein", "hund", "sitzt"], ["a", "dog", "sits"]))
    record = stages.raw(stages.weighed(trace, [(1, 0, 0), (0.2, 0.1, 0.7), (0, 0, 1)]))
    assert run_js('js.firstStep(input, "sitzt")', record) == 1
    assert run_js('js.firstStep(input, "hund")', record) == run_js("js.firstStep(input, undefined)", record) == 0
