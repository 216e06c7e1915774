"""The manually moved window in the browser equals attn_core's Attention in every mode."""

import random

import pytest
import torch

from attn_core.attention.attention import Attention
from attn_core.attention.scores import Score
from attn_core.attention.settings import GAUSSIANS, LocalPSettings
from attn_core.attention.windows import LocalP
from tests.lab.stages import LAB


class Given(Score):
    """A score module that returns given scores."""

    def __init__(self, scores: torch.Tensor):
        torch.nn.Module.__init__(self)
        self.scores = scores

    def keys(self, states: torch.Tensor) -> torch.Tensor:
        return states

    def forward(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        return self.scores[None, None]


class Held(LocalP):
    """A window with a given center."""

    def __init__(self, center: float, settings: LocalPSettings):
        super().__init__(1, settings)
        self.held = center

    def center(self, queries: torch.Tensor, lengths: torch.Tensor, t: int) -> torch.Tensor:
        return torch.full(queries.shape[:-1], self.held, dtype=torch.float64)


def cases(count: int) -> list[dict]:
    choose = random.Random(5)
    made = []
    for _ in range(count):
        n = choose.choice([1, 2, 7, 16])
        width = choose.choice([0, 1, 2, 4, 20])
        hand = {"center": round(choose.uniform(0, n), 2), "halfWidth": width, "rule": choose.choice(["floor", "real"])}
        hand["sigma"] = choose.choice([width / 2, 0.25, 1.7, 6.0])
        made.append({"scores": [choose.gauss(0, 4) for _ in range(n)], "hand": hand})
    return made


def test_every_treatment_equals_torch(open_script):
    """Compared with Attention with a given p_t, for every value of every setting."""
    inputs = cases(120)
    vectors = [torch.randn(len(case["scores"]), 5, dtype=torch.float64) for case in inputs]
    calls = [
        (case["scores"], case["hand"], list(GAUSSIANS), (states @ states.T).tolist())
        for case, states in zip(inputs, vectors, strict=True)
    ]
    found = open_script(LAB / "window" / "treatments.js").each("attentionIn", calls)
    for case, states, got in zip(inputs, vectors, found, strict=True):
        hand, scores = case["hand"], torch.tensor(case["scores"], dtype=torch.float64)
        mask = torch.ones(1, len(scores), dtype=torch.bool)
        assert [treatment["mode"] for treatment in got["treatments"]] == list(GAUSSIANS)
        for treatment in got["treatments"]:
            sigma = hand["sigma"] or None  # 0 is D / 2 of D = 0, which has no Gaussian
            settings = LocalPSettings(
                half_width=hand["halfWidth"], sigma=sigma, center_rule=hand["rule"], gaussian=treatment["mode"]
            )
            attention = Attention(Given(scores), Held(hand["center"], settings).double()).eval()
            look = attention(states.new_zeros(1, 1, 1), attention.memory(states[None], mask), 0).map(lambda x: x[0, 0])
            assert treatment["weights"] == pytest.approx(look.weights.tolist(), abs=1e-9), case
            assert treatment["massKept"] == pytest.approx(look.weights.sum().item(), abs=1e-9)
            assert treatment["length"] == pytest.approx(look.context.norm().item(), abs=1e-6)
            assert got["gaussian"] == pytest.approx(look.focus.gaussian.tolist(), abs=1e-9)
            inside = look.focus.inside.nonzero().flatten().tolist()
            assert got["span"] == ({"lo": inside[0], "hi": inside[-1]} if inside else None), case
            if treatment["mode"] == "after_softmax":
                assert got["alignment"] == pytest.approx(look.alignment.tolist(), abs=1e-9)
