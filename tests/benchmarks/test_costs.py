"""The benchmark of costs: positions of the windows, and separation of work done once per sentence."""

import math
from contextlib import contextmanager

import pytest
import torch

from attn_core.trace import Memory
from tests.benchmarks import costs
from tests.benchmarks.costs import (
    BATCH,
    HALF_WIDTH,
    STATE,
    STEPS,
    attention,
    centers,
    growth,
    looks,
    once,
    steered,
    training,
)


@pytest.mark.parametrize("source", [64, 4096])
@pytest.mark.parametrize("kind", ["local-p", "local-p, jumps"])
def test_windows_have_the_requested_centers(kind, source):
    """Whole windows lie inside the sentence, whatever its length; without jumps, p_t advances one word per step."""
    window = attention("local-p").window
    queries = torch.randn(STEPS[kind], BATCH, 1, STATE)
    wanted = centers(kind, STEPS[kind], source)
    queries[..., 0] = steered(window, wanted / source).unsqueeze(-1)
    for query, center in zip(queries, wanted, strict=True):
        found = window.center(query, torch.full((BATCH,), source), 0).squeeze(-1)
        torch.testing.assert_close(found, center, rtol=0, atol=source * 1e-5)
    if kind == "local-p":
        assert wanted.min() >= HALF_WIDTH
        assert wanted.max() <= source - 1 - HALF_WIDTH
        assert (wanted.diff(dim=0) == 1).all()
    else:
        assert wanted.std() > source / 10


def test_only_zeros_of_the_memorys_size_are_recorded():
    plain = torch.zeros_like
    with once(12) as times:
        assert torch.zeros_like(torch.ones(4, 3), dtype=torch.float64).sum() == 0
        torch.zeros_like(torch.ones(5))
    assert len(times) == 1
    assert torch.zeros_like is plain


def test_growth_is_the_exponent():
    assert growth({"2": 3.0, "4": 6.0, "8": 12.0}) == pytest.approx(1)
    assert growth({"2": 3.0, "4": 3.0}) == pytest.approx(0)
    assert growth({str(n): math.sqrt(n) for n in (1, 5, 9)}) == pytest.approx(0.5)


def test_the_backward_pass_makes_two_tensors_of_the_memorys_size(monkeypatch):
    """One for the gradient of the states and one for the keys, whatever the number of steps."""
    made = []

    @contextmanager
    def counted(size):
        with once(size) as times:
            yield times
        made.append(len(times))

    monkeypatch.setattr(costs, "once", counted)
    monkeypatch.setattr(costs, "BATCH", 2)
    memory = Memory(torch.randn(2, 64, STATE), torch.randn(2, 64, STATE), torch.ones(2, 64, dtype=torch.bool))
    looks("local-p", memory, learn=True)()
    assert made == [2]


def test_a_training_step_is_timed():
    assert training(batch=2, length=3, vocabulary=20)() > 0
