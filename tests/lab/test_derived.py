"""What the stages draw of the engine's traces is what Python's traces hold."""

from typing import Any

import pytest
import torch

from attn_core import translate
from attn_core.data.subwords import readable
from attn_core.models.translator import Translator
from tests.explain.test_paths import CONFIGS, SENTENCE, model_of
from tests.helpers.engine import files_of
from tests.helpers.support import TRANSFORMER, tiny
from tests.lab import derived


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


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGS)
def test_a_diagram_has_the_numbers_of_the_translation(lab_probe, name):
    model = model_of(**CONFIGS[name]).float()
    found = lab_probe("diagram", files_of(model), SENTENCE)
    wanted = derived.drawn(recorded(model, SENTENCE), model.config, len(model.target))
    close(found, wanted)
    assert all(len(step["values"]["previous"]) == 12 + (found["query"] == "previous") for step in found["steps"])


@pytest.mark.slow
def test_the_step_as_printed_has_shapes_and_no_numbers(lab_probe):
    model = model_of(**CONFIGS["groundhog"]).float()
    files = files_of(model)
    assert lab_probe("hasPrintedStep", files, SENTENCE) is True
    found = lab_probe("diagram", files, SENTENCE, True)
    printed = model.config.set({"update": "printed", "readout": "s_cur"})
    close(found, derived.drawn(recorded(model, SENTENCE), printed, len(model.target), bare=True))
    assert ["next", "readout"] in found["edges"]
    assert not any(step["values"] for step in found["steps"])
    assert lab_probe("hasPrintedStep", files_of(model_of(**CONFIGS["global"]).float()), SENTENCE) is False


@pytest.mark.slow
def test_a_step_that_cannot_be_drawn_is_named(lab_probe):
    model = tiny(dtype=torch.float32, **TRANSFORMER)
    assert lab_probe.failure("diagram", files_of(model), "a b") == f"The step of {model.name} cannot be drawn."


@pytest.mark.slow
def test_the_maps_of_a_transformer_are_those_of_its_record(lab_probe):
    model = tiny(std=0.7, dtype=torch.float32, **TRANSFORMER)
    trace = recorded(model, "a b c")
    found = lab_probe("attentions", files_of(model), "a b c")
    assert [kind["key"] for kind in found] == ["encoder", "decoder", "cross"]
    for kind, wanted in zip(found, derived.kinds(trace).values(), strict=True):
        close(kind, wanted)


@pytest.mark.slow
def test_inner_products_give_the_length_of_the_context(lab_probe):
    model = model_of(**CONFIGS["local-p"]).float()
    trace = recorded(model, SENTENCE)
    found = lab_probe("gram", files_of(model), SENTENCE)
    close(found, derived.gram(trace))
    look = trace.words[0].step.looks[0]
    assert (look.weights @ torch.tensor(found) @ look.weights).sqrt().item() == pytest.approx(
        look.context.norm().item(), rel=1e-3
    )


@pytest.mark.parametrize("tokens", [["▁ein", "mann", "<unk>", "▁", "&quot;", "&#91;"], ["ein", "&apos;s", "&copy;"]])
def test_tokens_are_shown_as_in_python(page_probe, tokens):
    top = [[token, -1.5] for token in tokens]
    trace = {"source": tokens, "target": tokens[:1], "steps": [{"token": tokens[0], "top": top, "t": 0}]}
    found = page_probe("readable", trace)
    assert found["source"] == readable(tokens)
    assert found["target"] == readable(tokens)[:1]
    assert found["steps"] == [{"token": readable(tokens)[0], "top": [[x, -1.5] for x in readable(tokens)], "t": 0}]
