"""The Explorer's attention types: the options offered, and decoding with them."""

from dataclasses import asdict, replace
from itertools import product, starmap

import pytest
import torch

from app.service.decode import made
from app.service.view import Window, attention_types, fitting, word
from attn_core import load, parse
from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from attn_core.models.config import ModelConfig
from tests.app.test_explorer import EXAMPLE, LOCAL_P, asked
from tests.helpers.shipped import MODELS


def test_every_attention_type_has_a_name_on_the_page():
    assert [word(kind) for kind in ATTENTION_TYPES] == ["soft", "hard (argmax)", "hard (sampled)"]


@pytest.mark.quick(12)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("window", [None, "global", "local-m", "local-p"])
@pytest.mark.parametrize("half_width", [None, 0, 60])
@pytest.mark.parametrize("sigma", [None, 0.25])
def test_an_attention_type_that_is_offered_is_one_that_the_model_can_do(models, name, window, half_width, sigma):
    """With every window of the model; no other type is offered."""
    model, through = load(models[name].folder), Window(window, half_width, sigma)
    if fitting(through, models[name])[1]:
        return
    able = [kind for kind in ATTENTION_TYPES if can_have(model, through, kind)]
    assert attention_types(through, models[name]) == able
    assert bool(able) is (models[name].config["window"] is not None)


@pytest.mark.quick(12)
@pytest.mark.parametrize("model_name", MODELS)
@pytest.mark.parametrize(
    "trained", [{"half_width": 0}, {"sigma": 1.5}, {"sigma": 1.5, "gaussian": "on_scores"}], ids=str
)
def test_an_attention_type_is_offered_whatever_window_the_model_was_trained_with(models, model_name, trained):
    """The page and the settings agree on which windows have a Gaussian."""
    trained = {name: value for name, value in trained.items() if models[model_name].config[name] is not None}
    config = models[model_name].config.set(trained)
    model = replace(models[model_name], config=config)
    for through in starmap(Window, product((None, *WINDOWS), (None, 0, 3), (None, 0.25))):
        if fitting(through, model)[1]:
            continue
        able = [kind for kind in ATTENTION_TYPES if fits(config.with_window(**asdict(through)), kind)]
        assert attention_types(through, model) == (able if config.attention else []), through


def fits(config: ModelConfig, kind: str) -> bool:
    try:
        config.set({"attention_type": kind})
    except ValueError:
        return False
    return True


def can_have(model, through: Window, kind: str) -> bool:
    if model.config.attention is None:
        return False
    try:
        model.with_window(through.window, through.half_width, through.sigma).with_attention_type(kind)
    except ValueError:
        return False
    return True


def test_hard_attention_reads_one_word_and_draws_the_same_again(models):
    model = load(models["luong-general-global"].folder)
    largest = parse(made(model, asked(EXAMPLE, attention_type="hard-argmax")).trace)
    for said in largest.words:
        look = said.step.looks[0]
        assert look.weights.tolist() == [float(s == look.alignment.argmax()) for s in range(len(largest.source))]
    drawn = [made(model, asked(EXAMPLE, attention_type="hard-sample", draw=draw)).trace for draw in (0, 1, 0)]
    assert drawn[0] == drawn[2] != drawn[1]
    state = torch.get_rng_state()
    made(model, asked(EXAMPLE, attention_type="hard-sample", draw=1))
    assert torch.equal(torch.get_rng_state(), state)
    everywhere = asked(EXAMPLE, window=Window("global"), attention_type="hard-sample")
    through = made(load(models[LOCAL_P].folder), everywhere)
    assert parse(through.trace).settings["attention_type"] == "hard-sample"
