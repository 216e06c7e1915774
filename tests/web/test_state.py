"""The state of a view: its link, and what each action makes of it; in plain node, without a page."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as some

from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from attn_core.web import bundle
from tests.helpers.javascript import evaluator

STATE = bundle.PLAYER.parent / "state"
ONE, OTHER, FRENCH, LONG = MODELS = ["one", "other", "french", "long"]
LIVE = [
    {"name": "half_width", "symbol": "D", "whole": True, "least": 0, "most": 1000},
    {"name": "sigma", "symbol": "σ", "whole": False, "least": 0.01, "most": 5000},
    {"name": "left", "symbol": "left", "whole": True, "least": 0, "most": 9},  # of a window of one's own
]
FACTS = {
    "model": ONE,
    "models": MODELS,
    "texts": {ONE: "ein hund", OTHER: "ein hund", FRENCH: "un chien", LONG: "ein hund . ein kind ."},
    "windows": {name: {"live": LIVE} for name in WINDOWS},
    "types": sorted(ATTENTION_TYPES),
    "axes": ["score", "window"],
    "glosses": ["en", "zh", "none"],
    "stops": 7,
}
CHOICES = [
    {"name": ONE, "pair": "de-en", "joined": False, "examples": ["ein hund", "ein kind"]},
    {"name": OTHER, "pair": "de-en", "joined": False, "examples": ["ein hund", "ein kind"]},
    {"name": FRENCH, "pair": "fr-en", "joined": False, "examples": ["un chien"]},
    {"name": LONG, "pair": "de-en", "joined": True, "examples": ["ein hund . ein kind .", "ein kind . ein hund ."]},
]
RUN = {
    "model": ONE,
    "window": None,
    "live": {},
    "centers": None,
    "type": None,
    "beam": 1,
    "normalise": "length",
    "alpha": 1,
    "unk": False,
    "draw": 0,
    "edits": [],
    "keep": False,
}
VIEW = RUN | {
    "text": "ein hund",
    "step": 0,
    "layer": None,
    "head": None,
    "compared": None,
    "race": None,
    "gloss": "en",
    "tour": None,
}
EDITS = [
    {"kind": "weights", "step": 0, "layer": None, "head": None, "weights": [0.25, 0.75]},
    {"kind": "off", "layer": 0, "head": 1},
    {"kind": "word", "step": 3, "word": "a&b=c"},
]


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    """Evaluate a JavaScript expression of `input` in node; `js` holds the exports of the modules of the state."""
    modules = tuple(STATE / f"{name}.js" for name in ("view", "reducer", "fit", "requests", "store"))
    return evaluator(node, tmp_path_factory.mktemp("state"), modules)


def read(run_js, *links: str) -> list[dict[str, Any]]:
    return run_js("input[0].map((link) => js.readView(new URLSearchParams(link), input[1]))", [links, FACTS])


def written(run_js, *views: dict[str, Any]) -> list[str]:
    return run_js("input[0].map((view) => String(js.writeView(view, input[1])))", [views, FACTS])


def trace(source: str, target: str, heads: int = 1, **settings: Any) -> dict[str, Any]:
    """A translation with uniform weights, as far as the state reads it."""
    words = source.split()
    look = {"weights": [1 / len(words)] * len(words)}
    looks = [look | {"layer": head // 2, "head": head % 2} for head in range(heads)]
    steps = [{"t": t, "token": word, "top": [[word, -0.1]], "looks": looks} for t, word in enumerate(target.split())]
    return {"model": ONE, "settings": settings, "source": words, "target": target.split(), "steps": steps}


def reduced(
    run_js, actions: list[dict[str, Any]], view: dict[str, Any] = VIEW, shown: dict[str, Any] | None = None, **more: Any
) -> list[dict[str, Any]]:
    """The state after each of the actions."""
    script = """(([view, trace, more, actions, choices]) => {
        let state = { ...js.firstState(view, trace), ...more };
        return actions.map((action) => (state = js.reduce(state, action, choices)));
    })(input)"""
    return run_js(script, [view, shown or trace("ein hund", "a dog </s>"), more, actions, CHOICES])


def answered(text: str, found: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """The action of a translation that has arrived."""
    reading = {"known": text.split(), "unknown": [], "swapped": False}
    answer = {"trace": found, "text": "", "words": len(text.split()), "most": 60, "unit": "words", "reading": reading}
    return {"type": "translated", "key": "", "text": text, "files": None, "answer": answer | more}


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
    }
).map(
    lambda view: (
        {key: view[key] for key in view if key != "place"} | {"layer": view["place"][0], "head": view["place"][1]}
    )
)


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
        assert found["view"] == {key: value for key, value in VIEW.items() if key != "compared"}
        assert compared in (None, RUN)


def test_names_that_others_add_to_links_are_no_mistakes(run_js):
    assert read(run_js, "utm_source=x&embed=true&fbclid=1") == [{"view": VIEW, "notices": []}]


def test_a_sentence_that_is_too_long_is_cut_and_that_is_said(run_js):
    (found,) = read(run_js, urlencode({"text": "x" * 1001}))
    assert found["view"]["text"] == "x" * 1000
    assert found["notices"] == ["The sentence in the link was cut to 1000 characters."]


def test_a_sentence_goes_on_in_its_language(run_js):
    """Typed in German, then to French and back; a model of joined sentences gets its form of an example."""
    states = reduced(
        run_js,
        [
            {"type": "sentence typed", "text": "mein hund"},
            {"type": "model chosen", "model": FRENCH},
            {"type": "sentence typed", "text": "mon chien"},
            {"type": "model chosen", "model": OTHER},
            {"type": "model chosen", "model": FRENCH},
            {"type": "model chosen", "model": ONE, "text": "ein kind"},
            {"type": "model chosen", "model": LONG},
            {"type": "model chosen", "model": ONE},
        ],
    )
    assert [one["view"]["text"] for one in states] == [
        *(
            "mein hund",
            "un chien",
            "mon chien",
            "mein hund",
            "mon chien",
            "ein kind",
            "ein kind . ein hund .",
            "ein kind",
        ),
    ]
    assert [one["view"]["model"] for one in states[1::2]] == [FRENCH, OTHER, ONE, ONE]


def test_what_belongs_to_another_model_or_sentence_is_removed_and_that_is_told(run_js):
    edited = VIEW | {"window": "local-m", "live": {"half_width": 2}, "centers": {"1": 2.5}, "edits": EDITS, "step": 4}
    (typed,) = reduced(run_js, [{"type": "sentence typed", "text": "eine katze"}], edited)
    assert typed["removed"] == ["edits"]
    assert typed["view"] == edited | {"text": "eine katze", "centers": None, "edits": []}
    (chosen,) = reduced(run_js, [{"type": "model chosen", "model": OTHER}], edited)
    assert chosen["removed"] == ["window", "edits"]
    assert chosen["view"] == VIEW | {"model": OTHER, "step": 4}
    same, after = reduced(
        run_js, [{"type": "sentence typed", "text": "ein hund"}, {"type": "step chosen", "step": 1}], edited
    )
    assert same["view"] == edited
    assert after["removed"] == []


def test_a_second_model_follows_the_search_of_the_first_until_it_has_its_own(run_js):
    beside = VIEW | {"compared": RUN | {"model": OTHER}}
    (both,) = reduced(run_js, [{"type": "search chosen", "beam": 5}], beside)
    assert (both["view"]["beam"], both["view"]["compared"]["beam"]) == (5, 5)
    own = VIEW | {"compared": RUN | {"model": OTHER, "beam": 3}}
    (kept,) = reduced(run_js, [{"type": "search chosen", "beam": 5}], own)
    assert (kept["view"]["beam"], kept["view"]["compared"]["beam"]) == (5, 3)
    (alone,) = reduced(run_js, [{"type": "search chosen", "beam": 5}], VIEW | {"compared": RUN})
    assert alone["view"]["compared"]["beam"] == 1  # one model with two searches


def test_swapped_twice_is_as_before(run_js):
    beside = VIEW | {"compared": RUN | {"model": OTHER, "beam": 3, "edits": EDITS}, "step": 2}
    once, twice = reduced(run_js, [{"type": "sides swapped"}] * 2, beside)
    assert (once["view"]["model"], once["view"]["compared"]["model"], once["view"]["step"]) == (OTHER, ONE, 2)
    assert twice["view"] == beside


def test_a_translation_bounds_the_step_and_ends_edits_that_it_cannot_have(run_js):
    late = VIEW | {"step": 9, "edits": EDITS}
    arrived = answered("ein hund", trace("ein hund", "one dog runs </s>"), unfit=[{"edit": EDITS[0], "why": "length"}])
    (found,) = reduced(run_js, [arrived], late)
    assert found["view"] == late | {"step": 3, "edits": EDITS[1:]}


def test_another_sentence_begins_at_its_first_step_but_that_of_a_link_at_its_own(run_js):
    arrived = answered("ein kind", trace("ein kind", "a child runs </s>"))
    (typed,) = reduced(run_js, [arrived], VIEW | {"step": 2})
    assert typed["view"]["step"] == 0
    link = {"type": "view opened", "view": VIEW | {"text": "ein kind", "step": 2}, "notices": ["-"]}
    opened, there = reduced(run_js, [link, arrived])
    assert (opened["isLinked"], there["isLinked"]) == (True, False)
    assert (there["view"]["step"], there["notices"]) == (2, ["-"])


def test_a_head_goes_on_where_the_next_model_has_as_many_heads(run_js):
    four, two = (trace("ein kind", "a child </s>", heads=heads) for heads in (4, 2))
    chosen = {"type": "head chosen", "layer": 1, "head": 0}
    head = [(each["view"]["layer"], each["view"]["head"]) for each in reduced(
        run_js, [chosen, answered("a", four), answered("a", two), answered("a", trace("ein", "a"))], shown=four
    )]  # fmt: skip
    assert head == [(1, 0), (1, 0), (0, 0), (None, None)]


def test_a_text_without_a_translation_keeps_the_picture_and_its_step(run_js):
    refused = answered("?!", None)
    (found,) = reduced(run_js, [refused], VIEW | {"step": 1})
    assert found["view"] == VIEW | {"step": 1}
    assert found["shown"]["trace"]["target"] == ["a", "dog", "</s>"]
    assert found["result"]["answer"]["trace"] is None


GRAPHS = {
    "steps": [
        {"window": "local-p", "type": "soft", "graphs": []},
        {"window": "local-p", "type": "hard-argmax", "graphs": []},
        {"window": "global", "type": "soft", "graphs": []},
    ],
    "windows": {
        "local-p": {"centered": True, "learned": True, "live": LIVE[:2]},
        "global": {"centered": False, "learned": False, "live": []},
    },
    "heads": {"looks": [[0, 0]]},
}
MANY = GRAPHS | {"heads": {"looks": [[0, 0], [0, 1], [1, 0], [1, 1]]}}


@pytest.mark.parametrize(
    ("graphs", "asked", "said"),
    [
        (GRAPHS, {"window": "local-m"}, "The window in the link was ignored: one cannot be run with it."),
        (GRAPHS, {"live": {"left": 1}}, "The window in the link was ignored"),
        (GRAPHS, {"window": "global", "centers": {"0": 1}}, "The window in the link was ignored"),
        (GRAPHS, {"window": "global", "type": "hard-argmax"}, "The attention type in the link was ignored"),
        (GRAPHS, {"layer": 0, "head": 0}, "has a single head"),
        (GRAPHS | {"heads": {"looks": []}}, {"layer": 0, "head": 0}, "has no attention"),
        (MANY, {"layer": 0, "head": 8}, "one has no layer 0, head 8; its last is layer 1, head 1."),
        (MANY, {"layer": 1, "head": 0}, None),
        (MANY, {"head": "mean"}, None),
        (GRAPHS, {"type": "soft", "live": {"sigma": 2}}, None),
    ],
)
def test_what_of_a_link_the_model_cannot_have_is_said(run_js, graphs, asked, said):
    link = {"type": "view opened", "view": VIEW | asked, "notices": []}
    opened = {"type": "model opened", "model": ONE, "files": {"graphs": graphs}}
    _, found = reduced(run_js, [link, opened])
    assert len(found["notices"]) == (said is not None)
    assert said is None or said in found["notices"][0]
    moved = found["view"]["window"] or found["view"]["live"] or found["view"]["centers"]
    assert bool(moved) == ("window" not in (said or "") and bool(asked.get("live") or asked.get("window")))


def test_an_attention_type_that_a_window_does_not_have_gives_way_to_the_trained_one(run_js):
    opened = {"type": "model opened", "model": ONE, "files": {"graphs": GRAPHS}}
    chosen = {"type": "attention type chosen", "attention": "hard-argmax"}
    states = reduced(run_js, [opened, chosen, {"type": "window set", "window": "global", "live": {}, "centers": None}])
    assert [each["view"]["type"] for each in states] == [None, "hard-argmax", None]


def test_a_comparison_ends_where_the_other_model_has_other_languages(run_js):
    beside = VIEW | {"compared": RUN | {"model": OTHER}}
    french, same = (reduced(run_js, [{"type": "model chosen", "model": model}], beside)[0] for model in (FRENCH, LONG))
    assert (french["view"]["compared"], len(french["notices"])) == (None, 1)
    assert (same["view"]["compared"], same["notices"]) == (beside["compared"], [])


def test_edits_are_undone_and_redone_until_another_sentence(run_js):
    steps = ["editing begun", "edits undone", "editing ended", "edits undone", "edits redone"]
    begun, undone, ended, back, again = ({"type": name} for name in steps)
    one, two = ({"type": "edits set", "edits": EDITS[:n]} for n in (1, 2))
    other = {"type": "sentence typed", "text": "ein kind"}
    actions = [begun, one, two, undone, ended, begun, back, again, other, undone]
    states = reduced(run_js, actions)
    assert [each["view"]["edits"] for each in states] == [
        [], EDITS[:1], EDITS[:2], EDITS[:1], [], [], EDITS[:1], [], [], [],
    ]  # fmt: skip


def test_a_next_word_is_taken_apart_or_while_a_reader_edits_chosen(run_js):
    two = trace("ein hund", "a dog </s>")
    two["steps"][1]["top"] = [["dog", -0.1], ["cat", -2.0]]
    clicked = {"type": "number opened", "rank": 1}
    (opened,) = reduced(run_js, [clicked], VIEW | {"step": 1}, two)
    assert (opened["number"], opened["view"]["edits"]) == ({"step": 1, "rank": 1}, [])
    _, chosen = reduced(run_js, [{"type": "editing begun"}, clicked], VIEW | {"step": 1}, two)
    assert (chosen["number"], chosen["view"]["edits"]) == (None, [{"kind": "word", "step": 1, "word": "cat"}])


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
