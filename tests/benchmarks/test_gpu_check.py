"""The comparison of a GPU with the CPU, run with the CPU in place of the GPU."""

import math

import pytest
import torch

from tests.benchmarks import gpu_check
from tests.helpers.support import SPREAD

CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def two_models(monkeypatch):
    monkeypatch.setattr(gpu_check, "SPREAD", {name: SPREAD[name] for name in ("bahdanau", "transformer")})


def test_equal_results_are_no_failures(capsys):
    assert gpu_check.failures(CPU) == []
    assert "8 comparisons of 2 models, 0 failed" in capsys.readouterr().out


def test_other_gradients_and_other_words_are_failures(monkeypatch):
    build = gpu_check.tiny
    seeds = iter(range(9))
    monkeypatch.setattr(gpu_check.copy, "deepcopy", lambda model: build(seed=7 + next(seeds), **SPREAD[names.pop(0)]))
    names = ["bahdanau", "transformer"]
    found = gpu_check.failures(CPU)
    assert sum("gradients: differs by" in line for line in found) == 4
    assert any("beam" in line for line in found)


def test_nan_is_a_difference():
    found, wanted = ([torch.tensor([1.0, last])] for last in (math.nan, 1.0))
    assert not gpu_check.difference(found, wanted) < gpu_check.CLOSE


def test_an_error_fails_its_model_only(monkeypatch):
    def compared(name, device):
        yield "gradients", 0.0
        if name == "bahdanau":
            raise RuntimeError("no recording")

    monkeypatch.setattr(gpu_check, "compared", compared)
    (line,) = gpu_check.failures(CPU)
    assert line.startswith("bahdanau: Traceback")
    assert "no recording" in line
