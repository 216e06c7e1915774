"""The tree of a beam search holds the hypotheses that attn_core.decoding finds, with their sums and scores."""

from typing import Any

import pytest
import torch

from attn_core.decoding.beam import beam_search
from tests.helpers.engine import files_of
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, tiny

TEXT = "a b c d e"
MODELS = {
    "local-p": LUONG | {"window": "local-p"},
    "attend-then-update": BAHDANAU,
    "transformer": TRANSFORMER,
    "no attention": LUONG | {"score": None},
}
REQUESTS = [
    {"text": TEXT, "beam": 3},
    {"text": TEXT, "beam": 5, "normalise": "none"},
    {"text": "a", "beam": 2},
    {"text": TEXT, "beam": 4, "normalise": "wu", "alpha": 0.3},
]


def paths(tree: dict[str, Any]) -> list[list[list[dict[str, Any]]]]:
    """For each step the nodes of each hypothesis, from the first word on."""
    found: list[list[list[dict[str, Any]]]] = []
    for step in tree["steps"]:
        before = found[-1] if found else []
        found.append([([] if n["parent"] is None else before[n["parent"]]) + [n] for n in step["nodes"]])
    return found


@pytest.mark.parametrize("name", MODELS)
def test_the_finished_hypotheses_are_those_of_the_beam_search(probe, name):
    model = tiny(dtype=torch.float32, **MODELS[name])
    for request, answer in zip(REQUESTS, probe("trees", {"files": files_of(model), "requests": REQUESTS}), strict=True):
        ids = model.source.ids(request["text"].split())
        how = {name: request[name] for name in ("normalise", "alpha") if name in request}
        wanted = beam_search(model, [ids], request["beam"], **how).hypotheses[0]
        every = [path for step in paths(answer["tree"]) for path in step]
        finished = {tuple(n["token"] for n in path): path for path in every if path[-1]["score"] is not None}
        assert finished.keys() == {tuple(model.target.token(word) for word in one.words) for one in wanted}
        for one in wanted:
            path = finished[tuple(model.target.token(word) for word in one.words)]
            assert path[-1]["score"] == pytest.approx(one.score, abs=1e-4)
            assert [n["log_prob"] for n in path] == pytest.approx(one.log_probs, abs=1e-4)
        best = max(finished.values(), key=lambda path: path[-1]["score"])
        assert [n["best"] for n in best] == [True] * len(best)
        assert sum(n["best"] for step in answer["tree"]["steps"] for n in step["nodes"]) == len(best)
        assert [n["weights"] for n in best] == answer["weights"]


@pytest.mark.parametrize("name", MODELS)
def test_a_node_extends_a_hypothesis_that_its_step_kept(probe, name):
    model = tiny(dtype=torch.float32, **MODELS[name])
    for request, answer in zip(REQUESTS, probe("trees", {"files": files_of(model), "requests": REQUESTS}), strict=True):
        steps = answer["tree"]["steps"]
        for t, path in [(t, path) for t, step in enumerate(paths(answer["tree"])) for path in step]:
            assert len(path) == t + 1
            assert all(n["score"] is None for n in path[:-1])  # what has finished is not extended
            assert path[-1]["total"] == pytest.approx(sum(n["log_prob"] for n in path), abs=1e-4)
        for step in steps:
            totals = [n["total"] for n in step["nodes"]]
            assert totals == sorted(totals, reverse=True)
            assert sum(n["score"] is None for n in step["nodes"]) <= request["beam"]


def test_greedy_search_has_no_tree(probe):
    model = tiny(dtype=torch.float32, **LUONG)
    requests = [{"text": TEXT, "beam": 2}, {"text": TEXT}]
    found = probe("trees", {"files": files_of(model), "requests": requests})
    assert [bool(one["tree"]) for one in found] == [True, False]
