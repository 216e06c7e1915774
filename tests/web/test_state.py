"""The state of a page: its link, and what holds after any actions; in plain node, without a page."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as some

from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from tests.web.states import (
    CHOICES,
    EDITS,
    FACTS,
    MODELS,
    ONE,
    OTHER,
    RUN,
    VIEW,
    answered,
    read,
    reduced,
    state_js,
    trace,
    written,
)

RUNS = {
    "model": some.sampled_from(MODELS),
    "window": some.none() | some.sampled_from(sorted(WINDOWS)),
    "live": some.dictionaries(some.just("half_width"), some.integers(0, 60))
    | some.dictionaries(some.just("sigma"), some.integers(1, 240).map(lambda quarter: quarter / 4))
    | some.dictionaries(some.just("left"), some.integers(0, 9)),
    "centers": some.none()
    | some.dictionaries(some.integers(0, 60).map(str), some.integers(0, 120).map(lambda half: half / 2), min_size=1),
    "type": some.none() | some.sampled_from(sorted(ATTENTION_TYPES)),
    "beam": some.sampled_from([1, 2, 3, 5, 8, 12]),
    "normalise": some.sampled_from(["length", "none", "wu"]),
    "alpha": some.sampled_from([1, 0.5, 2]),
    "unk": some.booleans(),
    "draw": some.integers(0, 999),
    "edits": some.sampled_from([[], EDITS[:1], EDITS]),
    "keep": some.booleans(),
}
PRINTABLE = some.just(" ") | some.characters(exclude_categories=("C", "Z"))
LEVELS = some.sampled_from(["story", "workbench"])
HEADS = some.sampled_from([(None, None), (None, "mean"), (0, 0), (2, 11)])
VIEWS = some.fixed_dictionaries(
    RUNS
    | {
        "text": some.text(PRINTABLE, max_size=30),
        "step": some.integers(0, 9999),
        "place": HEADS,
        "compared": some.none() | some.fixed_dictionaries(RUNS),
        "race": some.none() | some.sampled_from(FACTS["axes"]),
        "gloss": some.sampled_from(FACTS["glosses"]),
        "tour": some.none() | some.integers(1, 7),
        "present": some.booleans(),
        "level": LEVELS,
    }
).map(
    lambda view: (
        {key: view[key] for key in view if key != "place"} | {"layer": view["place"][0], "head": view["place"][1]}
    )
)


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return state_js(node, tmp_path_factory.mktemp("state"))


def drawn(strategy: some.SearchStrategy[Any]) -> list[Any]:
    """Many values of a strategy, so that node is started once for all of them."""
    found: list[Any] = []

    @given(value=strategy)
    def collect(value):
        found.append(value)

    collect()
    return found


def test_a_link_opens_the_same_view(run_js):
    views = drawn(VIEWS)
    found = read(run_js, *written(run_js, *views))
    assert found == [{"view": view, "notices": []} for view in views]


def test_a_link_leaves_out_what_is_usual(run_js):
    assert read(run_js, "") == [{"view": VIEW, "notices": []}]
    assert [dict(parse_qsl(link)) for link in written(run_js, VIEW)] == [{"text": "ein hund", "model": ONE}]


@pytest.mark.parametrize("link", ["present", "present=", "present=1"])
def test_a_link_opens_lecture_layout_with_a_bare_name(run_js, link):
    found = read(run_js, link)[0]
    assert found["view"]["present"] is True
    assert found["notices"] == []


@pytest.mark.parametrize(
    ("link", "level"),
    [
        ("", "story"),
        (f"with={ONE}", "workbench"),
        ("race=score", "workbench"),
        ("beam=3", "workbench"),
        (f"attention_type={FACTS['types'][0]}", "workbench"),
        ("edit=n4-dog", "workbench"),
        ("edit=n4-dog&tour=2", "story"),
        ("beam=3&level=story", "story"),
        ("level=workbench", "workbench"),
    ],
)
def test_a_link_with_something_of_the_workbench_opens_it(run_js, link, level):
    assert read(run_js, link)[0]["view"]["level"] == level


STORY_SHOWS = {
    "model": OTHER,
    "text": "ein kind",
    "window": "local-p",
    "live": {"half_width": 3},
    "centers": {"1": 4.5},
    "step": 2,
    "layer": 1,
    "head": 0,
    "tour": 2,
    "present": True,
    "level": "story",
}
WORKBENCH_SHOWS = {
    "type": FACTS["types"][0],
    "beam": 3,
    "normalise": "wu",
    "alpha": 2,
    "unk": True,
    "draw": 1,
    "edits": EDITS[:1],
    "keep": True,
    "compared": RUN | {"model": OTHER},
    "race": "score",
    "gloss": "zh",
}


def test_a_link_opens_the_workbench_for_each_property_that_story_does_not_show(run_js):
    assert VIEW.keys() == STORY_SHOWS.keys() | WORKBENCH_SHOWS.keys()
    head = {"layer": 1, "head": 0}
    story = [VIEW | {name: value} | (head if name in head else {}) for name, value in STORY_SHOWS.items()]
    workbench = [VIEW | {name: value, "level": "workbench"} for name, value in WORKBENCH_SHOWS.items()]
    links = written(run_js, *story, *workbench)
    assert not any("level=" in link for link in links)
    assert [found["view"] for found in read(run_js, *links)] == [*story, *workbench]


def test_a_second_model_has_the_search_of_the_first_unless_the_link_says_otherwise(run_js):
    link = {"beam": "3", "normalise": "wu", "with": OTHER}
    links = link, link | {"with_beam": "1", "with_normalise": "length"}, link | {"with": ONE}
    found = [one["view"]["compared"] for one in read(run_js, *map(urlencode, links))]
    assert [(one["model"], one["beam"], one["normalise"]) for one in found] == [
        (OTHER, 3, "wu"),
        (OTHER, 1, "length"),
        (ONE, 1, "length"),  # one model with two searches
    ]


CENTERS = "pairs of a step and a position"
LEFT_OUT = [
    ({"model": "gpt"}, "There is no model “gpt” here; one is shown instead."),
    ({"model": "__proto__"}, "There is no model “__proto__”"),
    ({"with": "gpt"}, "There is no model “gpt”"),
    ({"beam": "4"}, "beam in the link must be one of 1, 2, 3, 5, 8, 12, not “4”; it was ignored."),
    ({"with_beam": "4"}, "with_beam in the link must be one of 1, 2, 3"),
    ({"race": "colour"}, "race in the link must be one of score, window"),
    ({"D": "-1"}, "D in the link must be a whole number from 0 to 60"),
    ({"D": "2.5"}, "D in the link"),
    ({"left": "10"}, "left in the link must be a whole number from 0 to 9"),
    ({"window_step": "10"}, "window_step in the link must be a whole number from 1 to 9"),
    ({"sigma": "0"}, "sigma in the link must be a number from 0.01 to 60"),
    ({"sigma": "nan"}, "sigma in the link"),
    ({"sigma": "Infinity"}, "sigma in the link"),
    ({"p": "1-2_x"}, f"p in the link must be {CENTERS}"),
    ({"p": "1-61"}, "p in the link"),
    ({"step": "-3"}, "step in the link must be a whole number from 0 to 9999"),
    ({"step": "9" * 5000}, "step in the link"),
    ({"layer": "1"}, "needs both layer and head; layer alone was ignored"),
    ({"head": "1"}, "needs both layer and head; head alone was ignored"),
    ({"head": "all", "layer": "0"}, "head in the link must be mean, or a whole number"),
    ({"keep": "yes"}, "keep in the link must be 1, not “yes”"),
    ({"unk": "keep"}, "unk in the link must be replace, not “keep”"),
    ({"window": "round"}, "window in the link must be one of"),
    ({"window": "constructor"}, "window in the link"),
    ({"attention_type": "half"}, "attention_type in the link must be one of"),
    ({"edit": "w3-0.5_0.5x"}, "edit in the link must be edits such as w3-0.2_0.8 or n4-dog, not “w3-0.5_0.5x”"),
    ({"edit": "n" * 5000}, "edit in the link"),
    ({"draw": "-1"}, "draw in the link must be a whole number from 0 to 999"),
    ({"gloss": "fr"}, "gloss in the link must be one of en, zh, none"),
    ({"level": "all"}, "level in the link must be one of story, workbench, not “all”"),
    ({"tour": "9"}, "tour in the link must be a whole number from 1 to 7"),
    ({"half_width": "3"}, "The link has “half_width”, which this page does not know; it was ignored."),
    ({"<b>": "3"}, "The link has “<b>”, which"),
]


def test_what_a_link_cannot_mean_is_said_once_and_left_out(run_js):
    for (_query, said), found in zip(LEFT_OUT, read(run_js, *(urlencode(query) for query, _ in LEFT_OUT)), strict=True):
        compared = found["view"].pop("compared")
        (notice,) = found["notices"]
        assert said in notice
        assert len(notice) < 200
        wanted = VIEW | {"level": "workbench" if compared else "story"}
        assert found["view"] == {key: value for key, value in wanted.items() if key != "compared"}
        assert compared in (None, RUN)


def test_names_that_others_add_to_links_are_no_mistakes(run_js):
    assert read(run_js, "utm_source=x&embed=true&fbclid=1") == [{"view": VIEW, "notices": []}]


def test_a_sentence_that_is_too_long_is_cut_and_that_is_said(run_js):
    (found,) = read(run_js, urlencode({"text": "x" * 1001}))
    assert found["view"]["text"] == "x" * 1000
    assert found["notices"] == ["The sentence in the link was cut to 1000 characters."]


ACTIONS = some.one_of(
    some.builds(lambda model: {"type": "model chosen", "model": model}, some.sampled_from(MODELS)),
    some.builds(lambda text: {"type": "sentence typed", "text": text}, some.sampled_from(["ein kind", "a", ""])),
    some.builds(
        lambda window, live, centers: {"type": "window set", "window": window, "live": live, "centers": centers},
        *(RUNS[name] for name in ("window", "live", "centers")),
    ),
    some.builds(lambda keep: {"type": "states kept", "keep": keep}, some.booleans()),
    some.builds(lambda beam: {"type": "search chosen", "beam": beam}, RUNS["beam"]),
    some.builds(lambda rule: {"type": "search chosen", "normalise": rule}, RUNS["normalise"]),
    some.builds(lambda kind: {"type": "attention type chosen", "attention": kind}, RUNS["type"]),
    some.builds(lambda edits: {"type": "edits set", "edits": edits}, RUNS["edits"]),
    some.builds(lambda step: {"type": "step chosen", "step": step}, some.integers(-1, 60)),
    some.builds(lambda at: {"type": "head chosen", "layer": at[0], "head": at[1]}, HEADS),
    some.builds(lambda gloss: {"type": "gloss chosen", "gloss": gloss}, some.sampled_from(FACTS["glosses"])),
    some.builds(lambda level: {"type": "level chosen", "level": level}, LEVELS),
    some.builds(lambda run: {"type": "comparison begun", "with": run}, some.fixed_dictionaries(RUNS)),
    some.sampled_from(
        [
            *({"type": name} for name in ("sample drawn", "tour left", "comparison ended", "sides swapped")),
            {"type": "race begun", "axis": "score"},
            answered("ein hund", trace("ein hund", "a dog runs </s>")),
        ]
    ),
)


def test_every_view_that_actions_lead_to_is_that_of_its_link(run_js):
    """So Back, Forward, a reload and a copied link reopen what a reader saw."""
    actions = drawn(some.lists(ACTIONS, min_size=1, max_size=30))
    views = [state["view"] for state in reduced(run_js, [one for each in actions for one in each])]
    assert [one["view"] for one in read(run_js, *written(run_js, *views))] == views


def test_a_state_is_never_changed(run_js):
    """Each action of a long list, on a state whose parts are frozen."""
    freeze = """((deep) => deep(deep, input[0]))((deep, one) => {
        if (one && typeof one === "object") Object.values(Object.freeze(one)).forEach((part) => deep(deep, part));
        return one;
    })"""
    script = f"((state) => input[1].map((action) => js.reduce(state, action, input[2])).length)({freeze})"
    actions = [action for actions in drawn(some.lists(ACTIONS, max_size=9)) for action in actions]
    view = VIEW | {"compared": RUN | {"model": OTHER}, "edits": EDITS, "live": {"left": 2}}
    script = script.replace("input[0]", "js.firstState(...input[0])")
    assert run_js(script, [[view, trace("ein hund", "a dog </s>")], actions, CHOICES]) == len(actions)


def test_a_store_has_one_state_and_refuses_actions_while_it_reduces(run_js):
    script = """((store) => {
        store.dispatch(1);
        store.dispatch(2);
        let said = "";
        const inside = (dispatch) => {
            try {
                dispatch(1);
            } catch (problem) {
                said = problem.message;
            }
            return 7;
        };
        const nested = js.createStore(0, () => inside(nested.dispatch));
        nested.dispatch(0);
        return [store.state.value, said, nested.state.value];
    })(js.createStore(0, (sum, n) => sum + n))"""
    assert run_js(script, None) == [3, "an action was dispatched while another one is reduced", 7]
