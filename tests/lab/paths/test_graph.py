"""The graph of a step in the browser equals Python's: order, cycles, and the alternative query."""

import re
from graphlib import CycleError
from itertools import pairwise

import pytest

from attn_core.explain.paths import path
from attn_core.models.config import ModelConfig

CONFIGS = [
    ModelConfig.of(score="additive", order="attend-then-update", **{"encoder.cell": "gru"}, update="groundhog"),
    ModelConfig.of(
        score="additive", order="attend-then-update", **{"encoder.cell": "gru"}, update="printed", readout="s_cur"
    ),
    ModelConfig.of(
        score="additive", order="attend-then-update", **{"encoder.cell": "gru"}, update="groundhog", window="local-p"
    ),
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
    assert run_js("js.cycleThrough(js.queriedInstead(input), 'weights')", graph) == ["weights", "context", "next"]
    assert run_js("js.cycleThrough(input, 'weights')", graph) == []
    assert sorted(run_js("[...js.dependentsOf(input, 'context')]", graph)) == ["next", "output", "readout"]


def test_boxes_stand_apart_and_arrows_run_between_them(run_js):
    cases = [{"graph": graph_of(config), "width": width} for config in CONFIGS for width in (340, 760, 1200)]
    code = (
        "input.map(({graph, width}) => { const grid = js.placeNodes(graph, width, 1);"
        "const edges = [graph, js.queriedInstead(graph)].flatMap((p) => p.edges);"
        "return {boxes: grid.boxes, arrows: edges.map(([a, b]) => [a, b, js.arrowPath(grid, a, b)])}; })"
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
    """The end points of the segments of an SVG path with M, L and Q."""
    pieces = [piece.split()[-2:] for piece in re.split("[MLQ]", drawn)[1:]]
    return [(float(x), float(y)) for x, y in pieces]


def overlap(a: dict, b: dict) -> bool:
    across = a["x"] < b["x"] + b["w"] and b["x"] < a["x"] + a["w"]
    return across and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"]
