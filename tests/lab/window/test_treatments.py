"""The manually moved window in the browser equals attn_core's Attention in every mode."""

import math
import random

import pytest
import torch

from attn_core.attention.attention import Attention
from attn_core.attention.scores import Score
from attn_core.attention.settings import GAUSSIANS, LocalPSettings
from attn_core.attention.windows import LocalP

TREAT = "input.map((c) => js.attentionIn(c.scores, c.hand, c.modes, c.gram))"


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


def test_every_treatment_equals_torch(run_js):
    """Compared with Attention with a given p_t, for every value of every setting."""
    inputs = cases(120)
    for i, case in enumerate(inputs):
        states = torch.randn(len(case["scores"]), 5, dtype=torch.float64, generator=torch.Generator().manual_seed(i))
        case |= {"states": states, "modes": list(GAUSSIANS), "gram": (states @ states.T).tolist()}
    sent = [{name: case[name] for name in ("scores", "hand", "modes", "gram")} for case in inputs]
    for case, got in zip(inputs, run_js(TREAT, sent), strict=True):
        hand, states = case["hand"], case["states"][None]
        scores = torch.tensor(case["scores"], dtype=torch.float64)
        mask = torch.ones(states.shape[:2], dtype=torch.bool)
        assert [treatment["mode"] for treatment in got["treatments"]] == list(GAUSSIANS)
        for treatment in got["treatments"]:
            sigma = hand["sigma"] or None  # 0 is D / 2 of D = 0, which has no Gaussian
            settings = LocalPSettings(
                half_width=hand["halfWidth"], sigma=sigma, center_rule=hand["rule"], gaussian=treatment["mode"]
            )
            attention = Attention(Given(scores), Held(hand["center"], settings).double()).eval()
            look = attention(states.new_zeros(1, 1, 1), attention.memory(states, mask), 0).map(lambda x: x[0, 0])
            assert treatment["weights"] == pytest.approx(look.weights.tolist(), abs=1e-9), case
            assert treatment["massKept"] == pytest.approx(look.weights.sum().item(), abs=1e-9)
            assert treatment["length"] == pytest.approx(look.context.norm().item(), abs=1e-6)
            assert got["gaussian"] == pytest.approx(look.focus.gaussian.tolist(), abs=1e-9)
            inside = look.focus.inside.nonzero().flatten().tolist()
            assert got["span"] == ({"lo": inside[0], "hi": inside[-1]} if inside else None), case
            if treatment["mode"] == "after_softmax":
                assert got["alignment"] == pytest.approx(look.alignment.tolist(), abs=1e-9)


def test_slots_are_all_places_of_the_window_clipped_or_not(run_js):
    inputs = cases(200)
    found = run_js("input.map((c) => js.slots(c.hand, c.scores.length))", inputs)
    span_of = "({hand, scores}) => js.windowOf(hand.center, hand.halfWidth, scores.length, hand.rule)"
    spans = run_js(f"input.map({span_of})", inputs)
    clipped = 0
    for case, slots, span in zip(inputs, found, spans, strict=True):
        n = len(case["scores"])
        inside = [s for s in range(slots["from"], slots["to"] + 1) if 0 <= s < n]
        assert span == ({"lo": inside[0], "hi": inside[-1]} if inside else None), case
        if case["hand"]["rule"] == "floor":
            assert slots["to"] - slots["from"] == 2 * case["hand"]["halfWidth"]
        clipped += slots["from"] < 0 or slots["to"] >= n
    assert 0 < clipped < len(inputs)


def test_disputed_words_are_those_of_one_rule_only(run_js):
    """p_t = 3.6, D = 2: the floor sees 1 to 5, the real centre 2 to 5 (1.6 to 5.6)."""
    hands = [{"center": 3.6, "halfWidth": 2}, {"center": 3.0, "halfWidth": 2}, {"center": 0.4, "halfWidth": 0}]
    assert run_js("input.map((hand) => js.disputed(hand, 9))", hands) == [
        {"floor": [1], "real": []},
        {"floor": [], "real": []},
        {"floor": [0], "real": []},
    ]


def test_mass_outside_is_what_a_softmax_over_all_words_puts_there(run_js):
    scores = [0.0, math.log(2), math.log(5), 0.0]  # shares 1, 2, 5 and 1 of 9
    spans = [{"lo": 1, "hi": 2}, {"lo": 0, "hi": 0}, {"lo": 0, "hi": 3}, None]
    found = run_js("input.spans.map((span) => js.massOutside(input.scores, span))", {"scores": scores, "spans": spans})
    assert found == pytest.approx([2 / 9, 8 / 9, 0, 1])
