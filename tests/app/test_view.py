"""The Explorer's links: what a view is written as, and what is made of a link."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.service import first
from attn_core.attention.settings import LocalSettings
from attn_core.web import facts
from tests.helpers.javascript import evaluator

EXPLORER = Path(__file__).parents[2] / "app" / "explorer"
LOCAL_P = "luong-general-local-p"
MODELS = [LOCAL_P, "luong-general-global", "transformer", "fixed-vector", "best-de-en"]
START = {
    "models": MODELS,
    "texts": dict.fromkeys(MODELS, first.example()),
    "axes": ["score", "window"],
    "model": LOCAL_P,
    "windows": facts.windows(),
    "types": facts.types(),
}
START_PLACE = {"step": 0, "layer": None, "head": None}
AS_TRAINED = {"window": None, "half_width": None, "sigma": None, "centers": None}
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


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    """Evaluate a JavaScript expression of `input` in node; `js` holds the exports of view.js."""
    return evaluator(node, tmp_path_factory.mktemp("view"), (EXPLORER / "view.js",))


def read(run_js, *queries: dict[str, str]) -> list[dict[str, Any]]:
    expression = "input[0].map((link) => js.read(new URLSearchParams(link), input[1]))"
    return run_js(expression, [[list(query.items()) for query in queries], START])


PRINTABLE = some.just(" ") | some.characters(exclude_categories=("C", "Z"))
VIEWS = some.fixed_dictionaries(
    {
        "text": some.text(PRINTABLE, max_size=30),
        "model": some.just(LOCAL_P),
        "beam": some.sampled_from([1, 2, 3, 5, 8, 12]),
        "normalise": some.sampled_from([None, "none", "wu"]),
        "unk": some.booleans(),
        "type": some.sampled_from([None, "hard-argmax"]),
        "draw": some.integers(0, 999),
        "edits": some.sampled_from(
            [
                [],
                [{"kind": "word", "step": 3, "word": "a&b=c"}],
                [
                    {"kind": "weights", "step": 0, "layer": None, "head": None, "weights": [0.25, 0.75]},
                    {"kind": "off", "layer": 1, "head": 2},
                ],
            ]
        ),
        "how": some.fixed_dictionaries(
            {
                "window": some.sampled_from([None, "local-m", "local-p"]),
                "half_width": some.none() | some.integers(0, 60),
                "sigma": some.none() | some.integers(1, 240).map(lambda quarter: quarter / 4),
                "centers": some.none()
                | some.dictionaries(
                    some.integers(0, 60).map(str), some.integers(0, 120).map(lambda half: half / 2), min_size=1
                ),
            }
        ),
    }
)


def test_a_link_reopens_the_same_view(run_js):
    views: list[dict[str, Any]] = []

    @given(view=VIEWS)
    def collect(view):
        views.append(view)

    collect()
    place = {"step": 3, "layer": 0, "head": 1}
    others = [
        {"compared": beside | {"text": first.example(), "model": MODELS[i % 3]}, "race": None}
        for i, beside in enumerate(views[1:-1])
    ]  # what each is beside
    others += [{"compared": None, "race": "score"}, {"compared": None, "race": None}]
    written = 'input[0].map((view, i) => String(js.written(view, input[1], input[3], "zh", input[2][i])))'
    links = run_js(written, [views, place, others, START["windows"]])
    found = read(run_js, *(dict(parse_qsl(link, keep_blank_values=True)) for link in links))
    wanted = {"place": place, "gloss": "zh", "notices": []}
    assert found == [wanted | {"view": view} | other for view, other in zip(views, others, strict=True)]


def test_a_link_with_kept_states_has_its_window(run_js):
    how = AS_TRAINED | {"window": "local-p", "half_width": 0, "centers": {"1": 2.5}, "keep_states": True}
    view = VIEW | {"how": how}
    link = dict(parse_qsl(run_js("String(js.written(...input))", [view, START_PLACE, START["windows"]])))
    assert {name: link[name] for name in ("keep", "window", "D", "p")} == {
        "keep": "1",
        "window": "local-p",
        "D": "0",
        "p": "1-2.5",
    }
    assert read(run_js, link)[0]["view"] == view


def test_another_model_has_the_beam_of_the_shown_one_unless_the_link_says_otherwise(run_js):
    link = {"beam": "3", "normalise": "wu", "with": "transformer"}
    found = read(run_js, link, link | {"with_beam": "1", "with_normalise": "length"}, link | {"with": LOCAL_P})
    searches = [(one["compared"]["beam"], one["compared"]["normalise"]) for one in found]
    assert searches == [(3, "wu"), (1, None), (1, None)]  # the last: one model with two beams


def test_what_is_as_at_the_start_is_left_out(run_js):
    link = run_js("String(js.written(...input))", [VIEW, START_PLACE, START["windows"]])
    assert dict(parse_qsl(link)) == {"text": first.example(), "model": LOCAL_P}


def test_a_step_of_a_link_counts_from_0(run_js):
    found = read(run_js, {"step": "0"}, {"step": "4"})
    assert [one["place"]["step"] for one in found] == [0, 4]
    assert not any(one["notices"] for one in found)


def test_an_empty_link_is_the_first_example(run_js):
    assert read(run_js, {}) == [
        {"view": VIEW, "place": START_PLACE, "gloss": "en", "compared": None, "race": None, "notices": []}
    ]


LEAST_SIGMA = LocalSettings.about()["sigma"].least
LEFT_OUT = [
    ({"model": "gpt"}, "There is no model “gpt”"),
    ({"beam": "4"}, "beam in the link must be one of 1, 2, 3, 5, 8, 12"),
    ({"race": "colour"}, "race in the link must be one of score, window"),
    ({"beam": "many"}, "not “many”"),
    ({"D": "-1"}, "D in the link must be a whole number from 0 to 60"),
    ({"D": "2.5"}, "D in the link"),
    ({"sigma": "0"}, "sigma in the link must be a number from 0.01 to 60"),
    ({"sigma": str(LEAST_SIGMA / 2)}, f"must be a number from {LEAST_SIGMA} to"),
    ({"sigma": "nan"}, "sigma in the link"),
    ({"sigma": "Infinity"}, "sigma in the link"),
    ({"p": "1-2_x"}, "p in the link must be pairs of a step and a position"),
    ({"p": "1-61"}, "p in the link"),
    ({"step": "-3"}, "step in the link"),
    ({"layer": "1.5", "head": "0"}, "layer in the link must be a whole number from 0"),
    ({"layer": "0", "head": "first"}, "head in the link must be mean, or a whole number from 0"),
    ({"layer": "1"}, "A head in the link needs both layer and head; layer alone was ignored."),
    ({"step": "-1"}, "step in the link must be a whole number from 0 to 9999"),
    ({"step": "9" * 5000}, "step in the link"),
    ({"keep": "yes"}, "keep in the link must be 1, not “yes”"),
    ({"unk": "keep"}, "unk in the link must be replace, not “keep”"),
    ({"window": "round"}, "window in the link must be one of global, local-m, local-p"),
    ({"window": "constructor"}, "window in the link"),
    (
        {"attention_type": "half"},
        "attention_type in the link must be one of soft, hard-argmax, hard-sample, not “half”",
    ),
    ({"edit": "w3-0.5_0.5x"}, "edit in the link must be edits such as w3-0.2_0.8 or n4-dog, not “w3-0.5_0.5x”"),
    ({"edit": "n" * 5000}, "edit in the link"),
    ({"draw": "-1"}, "draw in the link must be a whole number from 0 to 999"),
]


def test_what_a_link_cannot_mean_is_said_and_left_out(run_js):
    for (query, said), found in zip(LEFT_OUT, read(run_js, *(query for query, _said in LEFT_OUT)), strict=True):
        assert len(found["notices"]) == 1, query
        assert said in found["notices"][0], query
        assert found["view"] == VIEW, query
        assert found["place"]["step"] == 0, query
        assert len(found["notices"][0]) < 200, query


def test_the_smallest_sigma_of_a_model_is_that_of_a_link(run_js):
    (found,) = read(run_js, {"sigma": str(LEAST_SIGMA)})
    assert (found["view"]["how"]["sigma"], found["notices"]) == (LEAST_SIGMA, [])


def test_a_sentence_that_is_too_long_is_cut_and_that_is_said(run_js):
    (found,) = read(run_js, {"text": "x" * 1001})
    assert found["view"]["text"] == "x" * 1000
    assert found["notices"] == ["The sentence in the link was cut to 1000 characters."]


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


def test_a_link_without_a_sentence_has_that_of_its_model(run_js):
    texts = START["texts"] | {"transformer": "A dog runs."}
    query = [["model", "transformer"]]
    found = run_js(
        "js.read(new URLSearchParams(input.query), input.start)", {"query": query, "start": START | {"texts": texts}}
    )
    assert found["view"]["text"] == "A dog runs."
