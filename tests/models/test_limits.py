"""Every setting has limits in its metadata, and values beyond them are refused before the first file is written."""

import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import torch

from attn_core.attention.settings import SCORES, WINDOWS, AttentionSettings
from attn_core.models.config import ModelConfig
from attn_core.models.encoders.settings import ENCODERS
from attn_core.models.presets import configure
from attn_core.models.recipe import DrawnConfig, TrainConfig
from attn_core.models.settings import ORDERS
from attn_core.settings import Settings, check_value, read_value
from attn_core.synthetic.forecasting.net import SeriesConfig
from attn_core.synthetic.pointer.net import PointerConfig
from attn_core.training import memory
from attn_core.training.practice import practise
from tests.helpers.terminal import files_under, run

PARTS = [
    *(TrainConfig, DrawnConfig, ModelConfig, AttentionSettings, PointerConfig, SeriesConfig),
    *(registry.settings_class(name) for registry in (SCORES, WINDOWS, ENCODERS, ORDERS) for name in registry),
]
NUMBERS = [
    pytest.param(part, one, id=f"{part.__name__}.{one.name}")
    for part in dict.fromkeys(PARTS)
    for one in fields(part)
    if one.name in part.about() and one.type in (int, float, int | None, float | None)
]
EXTREMES: list[Any] = [1e10, 1e30, 1e308, -1e10, -1e308, 10**30, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize(("part", "one"), NUMBERS)
def test_no_number_may_be_extreme(part: type[Settings], one):
    """As a string, as from `--set`, and as a number."""
    kind = int if "int" in str(one.type) else float
    for value in EXTREMES:
        for given in (value, str(value)):
            with pytest.raises(ValueError, match=one.name):
                part().set({one.name: given}) if part is not ModelConfig else ModelConfig.of({one.name: given})
    with pytest.raises(ValueError, match=one.name):
        read_value(one, "1e9999" if kind is float else "9" * 400) and part().set({one.name: "9" * 400})


@pytest.mark.parametrize(("part", "one"), NUMBERS)
def test_the_limits_themselves_are_allowed(part, one):
    about = part.about()[one.name]
    for limit in (about.least, about.most):
        if limit is not None:
            check_value(one, limit)
            with pytest.raises(ValueError, match=one.name):
                check_value(one, limit + (1 if limit == about.most else -1))


@pytest.mark.parametrize(
    "setting",
    [
        *("values=1e9", "head_size=1e30", "accumulate=1e30", "seed=1e30", "seed=-1", "rate=inf", "weight_decay=1e308"),
        *("coverage=1e308", "batch=1e30", "epochs=1e30", "half_width=1e9", "warmup=1e308", "clip=nan"),
        "decoder.hidden=1e9",
    ],
)
def test_such_a_setting_leaves_nothing(setting, tmp_path):
    out = tmp_path / "new"
    found = run("train", "luong-general-local-p", "--task", "reverse", "--examples", 20, "--out", out, "--set", setting)
    assert found.status == 1
    assert found.err.count("\n") == 1
    assert setting.split("=")[0].removeprefix("decoder.") in found.err
    assert files_under(tmp_path) == {}


def test_a_model_that_cannot_fit_in_memory_is_refused_with_its_parameters(tmp_path, monkeypatch):
    """W_a of the general score is n x n: 1,000,000 weights of 4 bytes, four times with gradients and Adam's two."""
    sizes = {
        "score": "general",
        "window": "global",
        "decoder.hidden": 1000,
        "encoder.hidden": 1000,
        "bidirectional": False,
    }
    _, recipe = configure("luong-general-global", sizes | {"optimizer": "adam", "average": 0})
    monkeypatch.setattr(memory, "available", lambda device: 10_000_000)
    with pytest.raises(ValueError, match=r"this model has [\d,]{9,} parameters: training it takes"):
        practise("reverse", "luong-general-global", tmp_path / "new", examples=20, settings=sizes)
    assert files_under(tmp_path) == {}
    linear = lambda: torch.nn.Linear(1000, 1000, bias=False)  # noqa: E731
    monkeypatch.setattr(memory, "available", lambda device: 4 * 4 * 1_000_000)
    memory.check_fits(linear, recipe, torch.device("cpu"))
    monkeypatch.setattr(memory, "available", lambda device: 4 * 4 * 1_000_000 - 1)
    with pytest.raises(ValueError, match="this model has 1,000,000 parameters"):
        memory.check_fits(linear, recipe, torch.device("cpu"))
    memory.check_fits(linear, TrainConfig(optimizer="sgd"), torch.device("cpu"))


def test_memory_is_known_here():
    assert memory.available(torch.device("cpu")) is None or memory.available(torch.device("cpu")) > 2**28
    assert Path("/proc/meminfo").exists() <= bool(memory.available(torch.device("cpu")))
