"""The trace that the page makes of a typed sentence is the document that Python writes of the same translation."""

import base64
import json
import math

import pytest
import torch

from attn_core.decoding.translate import translate
from attn_core.models.checkpoint import load
from attn_core.models.folders import find, shipped
from attn_core.trace import dump
from tests.browser.test_engine_models import CASES
from tests.helpers.engine import UNIFORM, files_of, same_luck, words_of
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, VARIANTS, tiny

TEXT = "A b c, d e a z!"  # three tokens are not in the vocabulary
TOLERANCE = {"weights": 1e-5, "alignment": 1e-5, "gaussian": 1e-5}  # of all other numbers: 1e-4


def same(found, wanted, where="trace"):
    """Assert that two documents are the same but for rounding."""
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys(), where
        for name, value in wanted.items():
            same(found[name], value, f"{where}.{name}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), where
        for place, value in enumerate(wanted):
            same(found[place], value, f"{where}[{place}]")
    elif isinstance(wanted, float) and isinstance(found, int | float):
        name = where.rpartition(".")[2].partition("[")[0]
        assert math.isclose(found, wanted, rel_tol=1e-5, abs_tol=TOLERANCE.get(name, 1e-4)), where
    else:
        assert found == wanted, where


def check(probe, model, requests, files, uniform=None):
    """The page's trace of each request is the one that `translate` makes."""
    found = probe("traces", {"files": files, "requests": requests, "uniform": uniform})
    for request, trace in zip(requests, found, strict=True):
        options = {name: request[name] for name in request.keys() - {"text", "type"}}
        if "centers" in options:
            options["centers"] = {int(step): place for step, place in options["centers"].items()}
        with torch.inference_mode(), same_luck():
            wanted = translate(model.with_attention_type(request.get("type")), request["text"], **options)
        same(trace, json.loads(dump(wanted)), str(request))


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", CASES)
def test_the_page_writes_the_trace_that_python_writes(probe, name):
    model = tiny(dtype=torch.float32, **CASES[name])
    # UNIFORM begins again at its end; both sides then draw the same numbers for sampled attention.
    check(probe, model, [{"text": TEXT}], files_of(model), UNIFORM)


WAYS = [
    {"half_width": 0},
    {"half_width": 2},
    {"half_width": 2, "sigma": 0.7},
    {"sigma": 3.0},
    {"window": "local-m"},
    {"window": "local-m", "half_width": 1, "sigma": 1.5},
    {"window": "global"},
    {"type": "hard-argmax"},
    {"window": "global", "type": "hard-argmax", "beam": 2},
    {"beam": 3},
    {"beam": 2, "replace_unk": True, "half_width": 2},
    {"replace_unk": True},
    {"centers": {"0": 2.5, "2": 0.0}},
    {"centers": {"1": 3.25}, "window": "local-m", "half_width": 1, "beam": 2},
]


@pytest.mark.slow
def test_the_window_the_attention_type_and_the_search_are_in_the_trace(probe):
    model = tiny(dtype=torch.float32, **LUONG, window="local-p")
    check(probe, model, [{"text": TEXT} | way for way in WAYS], files_of(model, as_built=False))


@pytest.mark.slow
@pytest.mark.parametrize("settings", [BAHDANAU | {"source_eos": True}, TRANSFORMER, VARIANTS["fixed-vector"]])
def test_searches_of_models_without_a_window(probe, settings):
    """Also of a model without attention, which has no word to put in place of <unk>."""
    model = tiny(dtype=torch.float32, **settings)
    ways = [{}, {"beam": 3}, *([{"replace_unk": True}] if model.config.attention else [])]
    check(probe, model, [{"text": text} | way for text in (TEXT, "a") for way in ways], files_of(model))


def test_a_text_without_a_word_has_no_trace(probe):
    files = files_of(tiny(dtype=torch.float32, **LUONG))
    assert probe("traces", {"files": files, "requests": [{"text": " \n"}]}) == [None]


@pytest.mark.slow
def test_sampled_positions_are_those_of_the_draw(probe):
    files = files_of(tiny(dtype=torch.float32, std=0.1, **LUONG | {"type": "hard-sample"}))
    requests = [{"text": TEXT, "draw": draw} for draw in (1, 2, 1)]
    one, other, again = probe("traces", {"files": files, "requests": requests})
    assert one == again
    assert one != other


SENTENCES = ("Ein Mädchen versucht, mit der Hand einen Fisch zu fangen.", "Zwei Hunde spielen im Schnee!", "Quietsch")


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped())
def test_shipped_models_translate_in_the_page_as_in_python(probe, name):
    """With the graphs in the model's folder; test_export.py compares some of them with those of today's code."""
    model, folder = load(name), find(name)
    weights = base64.b64encode((folder / "model.safetensors").read_bytes()).decode()
    files = {"graphs": json.loads((folder / "browser.json").read_bytes()), "weights": weights} | words_of(model)
    ways = [{"beam": 5}]
    if model.settings["window"] is not None and model.settings["order"] != "transformer":
        ways += [{"window": "local-m", "half_width": 2}, {"type": "hard-argmax"}]
    if model.settings["window"] == "local-p":
        ways += [{"half_width": 2}, {"half_width": 6, "sigma": 1.25}]
    requests = [{"text": text} for text in SENTENCES] + [{"text": SENTENCES[0]} | way for way in ways]
    check(probe, model, requests, files)
