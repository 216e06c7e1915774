"""The window by hand in the browser equals torch's Attention in every mode; the graph of a step equals Python's."""

import math
import random
import re
from graphlib import CycleError
from itertools import pairwise

import pytest
import torch

from attn_core.attention.attention import Attention
from attn_core.attention.scores import Score
from attn_core.attention.settings import GAUSSIANS
from attn_core.attention.windows import LocalP
from attn_core.explain.paths import path
from attn_core.models.config import ModelConfig

TREAT = "input.map((c) => js.treat(c.scores, c.hand, c.modes, c.gram))"


class Given(Score):
    """A score that is told beforehand what to say."""

    def __init__(self, scores: torch.Tensor):
        torch.nn.Module.__init__(self)
        self.scores = scores

    def keys(self, states: torch.Tensor) -> torch.Tensor:
        return states

    def forward(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        return self.scores[None, None]


class Held(LocalP):
    """A window whose centre is where a hand holds it."""

    def __init__(self, center: float, half_width: int, sigma: float, rule: str):
        super().__init__(1, half_width, sigma, rule)
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
    """Attention itself, with p_t put where the hand holds it, for each of its own names."""
    inputs = cases(120)
    for i, case in enumerate(inputs):
        states = torch.randn(len(case["scores"]), 5, dtype=torch.float64, generator=torch.Generator().manual_seed(i))
        case |= {"states": states, "modes": list(GAUSSIANS), "gram": (states @ states.T).tolist()}
    sent = [{name: case[name] for name in ("scores", "hand", "modes", "gram")} for case in inputs]
    for case, got in zip(inputs, run_js(TREAT, sent), strict=True):
        hand, states = case["hand"], case["states"][None]
        scores = torch.tensor(case["scores"], dtype=torch.float64)
        mask = torch.ones(states.shape[:2], dtype=torch.bool)
        assert [way["mode"] for way in got["ways"]] == list(GAUSSIANS)
        for way in got["ways"]:
            sigma = hand["sigma"] or None  # 0 is D / 2 of D = 0, which has no Gaussian
            window = Held(hand["center"], hand["halfWidth"], sigma, hand["rule"]).double()
            attention = Attention(Given(scores), window, way["mode"]).eval()
            look = attention(states.new_zeros(1, 1, 1), attention.memory(states, mask), 0).map(lambda x: x[0, 0])
            assert way["weights"] == pytest.approx(look.weights.tolist(), abs=1e-9), case
            assert way["kept"] == pytest.approx(look.weights.sum().item(), abs=1e-9)
            assert way["length"] == pytest.approx(look.context.norm().item(), abs=1e-6)
            assert got["gaussian"] == pytest.approx(look.focus.gaussian.tolist(), abs=1e-9)
            inside = look.focus.inside.nonzero().flatten().tolist()
            assert got["span"] == ({"lo": inside[0], "hi": inside[-1]} if inside else None), case
            if way["mode"] == "after_softmax":
                assert got["align"] == pytest.approx(look.alignment.tolist(), abs=1e-9)


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


# The graph of a step.

CONFIGS = [
    ModelConfig.of(score="additive", order="attend-then-update"),
    ModelConfig.of(score="additive", order="attend-then-update", update="printed", readout="s_cur"),
    ModelConfig.of(score="additive", order="attend-then-update", window="local-p"),
    ModelConfig(),
    ModelConfig.of(window="local-p", feeding=True),
    ModelConfig.of(window="local-m"),
]


def graph_of(config: ModelConfig) -> dict:
    graph = path(config)
    nodes = [{name: getattr(node, name) for name in ("id", "given", "symbol", "equation")} for node in graph.nodes]
    edges = [list(edge) for edge in graph.edges]
    return {"order": graph.order, "nodes": nodes, "edges": edges, "query": graph.query, "instead": graph.instead}


@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
def test_the_browser_orders_a_step_as_python_does(run_js, config):
    graph = path(config)
    code = "{own: js.schedule(input), other: js.queriedInstead(input), tried: js.schedule(js.queriedInstead(input))}"
    found = run_js(code, graph_of(config))
    order = found["own"]["order"]
    assert found["own"]["stuck"] == []
    assert sorted(order) == sorted(graph.schedule())
    assert all(order.index(before) < order.index(after) for before, after in graph.edges)
    other = graph.queried_with(graph.instead)
    assert {tuple(edge) for edge in found["other"]["edges"]} == set(other.edges)
    tried = found["tried"]
    if not tried["stuck"]:
        assert sorted(tried["order"]) == sorted(other.schedule())
        return
    with pytest.raises(CycleError) as error:
        other.schedule()
    assert set(error.value.args[1]) <= set(tried["stuck"])


def test_the_circle_is_the_shortest_one(run_js):
    graph = graph_of(CONFIGS[0])
    assert run_js("js.circle(js.queriedInstead(input), 'weights')", graph) == ["weights", "context", "next"]
    assert run_js("js.circle(input, 'weights')", graph) == []
    assert sorted(run_js("[...js.madeFrom(input, 'context')]", graph)) == ["next", "output", "readout"]


def test_boxes_stand_apart_and_arrows_run_between_them(run_js):
    cases = [{"graph": graph_of(config), "width": width} for config in CONFIGS for width in (340, 760, 1200)]
    code = (
        "input.map(({graph, width}) => { const grid = js.placeNodes(graph, width, 1);"
        "const edges = [graph, js.queriedInstead(graph)].flatMap((p) => p.edges);"
        "return {boxes: grid.boxes, arrows: edges.map(([a, b]) => [a, b, js.arrow(grid, a, b)])}; })"
    )
    for case, found in zip(cases, run_js(code, cases), strict=True):
        boxes = found["boxes"]
        for name, box in boxes.items():
            assert box["x"] >= 0
            assert box["x"] + box["w"] <= case["width"] + 1e-6
            assert not any(overlap(box, other) for its, other in boxes.items() if its != name)
        for start, end, drawn in found["arrows"]:
            for (x0, y0), (x1, y1) in pairwise(corners(drawn)):
                on = [(x0 + (x1 - x0) * k / 20, y0 + (y1 - y0) * k / 20) for k in range(21)]
                crossed = [name for name, box in boxes.items() if any(inside(box, x, y) for x, y in on)]
                assert not crossed, (start, end, case["width"])


def inside(box: dict, x: float, y: float) -> bool:
    return box["x"] + 1 < x < box["x"] + box["w"] - 1 and box["y"] + 1 < y < box["y"] + box["h"] - 1


def corners(drawn: str) -> list[tuple[float, float]]:
    """The points of an SVG path of M, L and Q: of each piece the one where it ends."""
    pieces = [piece.split()[-2:] for piece in re.split("[MLQ]", drawn)[1:]]
    return [(float(x), float(y)) for x, y in pieces]


def overlap(a: dict, b: dict) -> bool:
    across = a["x"] < b["x"] + b["w"] and b["x"] < a["x"] + a["w"]
    return across and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"]
