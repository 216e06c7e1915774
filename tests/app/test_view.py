"""The Explorer's view is read from a link and written to one; what a model cannot do is said."""

from pathlib import Path
from typing import Any

import pytest

from app.service import first
from attn_core.web import facts
from tests.helpers.javascript import evaluator

EXPLORER = Path(__file__).parents[2] / "app" / "explorer"
LOCAL_P = "luong-general-local-p"
MODELS = [LOCAL_P, "luong-general-global", "transformer", "fixed-vector", "best-de-en"]
FACTS = {
    "model": LOCAL_P,
    "models": MODELS,
    "texts": dict.fromkeys(MODELS, first.example()),
    "windows": facts.windows(),
    "types": list(facts.types()),
    "axes": ["score", "window"],
    "glosses": ["en", "zh", "none"],
    "stops": 7,
}
AS_TRAINED = {"window": None, "centers": None}
VIEW = {
    "text": first.example(),
    "model": LOCAL_P,
    "beam": 1,
    "normalise": None,
    "unk": False,
    "type": None,
    "draw": 0,
    "how": AS_TRAINED,
    "edits": [],
}
USUAL = {"compared": None, "race": None, "gloss": "en", "tour": None}


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    """Evaluate a JavaScript expression of `input` in node; `js` holds the exports of view.js."""
    return evaluator(node, tmp_path_factory.mktemp("view"), (EXPLORER / "view.js",))


HOW = {"window": "local-p", "half_width": 0, "sigma": 0.25, "centers": {"1": 2.5}, "keep_states": True}
CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (VIEW, USUAL),
    (VIEW | {"how": HOW, "beam": 5, "normalise": "wu", "unk": True, "draw": 7, "type": "hard-argmax"}, USUAL),
    (VIEW, USUAL | {"compared": VIEW | {"model": "transformer", "how": AS_TRAINED | {"window": "global"}}}),
    (VIEW, USUAL | {"race": "score", "gloss": "zh"}),
]


def test_a_link_opens_the_same_view(run_js):
    place = {"step": 3, "layer": 0, "head": 1}
    script = (
        "input.cases.map(([view, others]) => js.read(js.written(view, input.place, input.facts, others), input.facts))"
    )
    found = run_js(script, {"cases": CASES, "place": place, "facts": FACTS})
    for one, (view, others) in zip(found, CASES, strict=True):
        assert one == {"view": view, "place": place, "notices": []} | {k: v for k, v in others.items() if k != "tour"}


def test_a_bare_link_is_the_first_example_and_the_smallest_sigma_is_that_of_the_settings(run_js):
    script = "input.links.map((link) => js.read(new URLSearchParams(link), input.facts))"
    bare, smallest = run_js(script, {"links": ["", "sigma=0.01"], "facts": FACTS})
    assert (bare["view"], bare["notices"]) == (VIEW, [])
    assert (smallest["view"]["how"]["sigma"], smallest["notices"]) == (0.01, [])


GRAPHS = {
    "steps": [{"window": "local-p", "type": "soft"}, {"window": "global", "type": "soft"}],
    "heads": {"looks": [[0, 0]]},
}
HEADS = {"steps": [{"window": "global", "type": "soft"}], "heads": {"looks": [[0, 0], [0, 1], [1, 0], [1, 1]]}}


@pytest.mark.parametrize(
    ("graphs", "asked", "choice", "said"),
    [
        (GRAPHS, {"how": AS_TRAINED | {"window": "local-m"}}, (None, None), "The window in the link was ignored"),
        (GRAPHS, {"type": "hard-argmax"}, (None, None), "The attention type in the link was ignored"),
        (GRAPHS, {}, (0, 0), "has a single head"),
        (GRAPHS | {"heads": {"looks": []}}, {}, (0, 0), "has no attention"),
        (HEADS, {}, (0, 8), "luong-general-local-p has no layer 0, head 8; its last is layer 1, head 1."),
        (HEADS, {}, (1, 0), None),
        (HEADS, {}, (None, "mean"), None),
        (GRAPHS, {"type": "soft"}, (None, None), None),
    ],
)
def test_what_the_model_cannot_do_is_said(run_js, graphs, asked, choice, said):
    layer, head = choice
    notices = run_js("js.unfit(...input)", [VIEW | asked, {"layer": layer, "head": head}, VIEW, graphs])
    assert len(notices) == (said is not None)
    assert said is None or said in notices[0]
