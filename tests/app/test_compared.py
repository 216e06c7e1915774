"""What the Explorer compares, from its state: the runs beside the view, the list of models and races, what is shown."""

from pathlib import Path

import pytest

from attn_core.web import facts
from tests.helpers.javascript import evaluator

SELECTORS = Path(__file__).parents[2] / "app" / "explorer" / "compare" / "selectors.js"


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("compared"), (SELECTORS,))


AXES = [
    {"name": "pair", "label": "Translate", "chip": True, "values": [["de-en", "de-en"], ["fr-en", "fr-en"]]},
    {"name": "score", "label": "Score", "chip": True, "values": [["dot", "dot product"], ["general", "general"]]},
    {"name": "window", "label": "Window", "chip": True, "values": [["global", "global"], ["local-p", "local-p"]]},
    {"name": "size", "label": "Units", "chip": False, "values": [["64", "64"], ["128", "128"]]},
]
RUN = {
    "model": "base",
    "window": None,
    "live": {},
    "centers": None,
    "type": None,
    "beam": 3,
    "normalise": "wu",
    "unk": True,
    "draw": 0,
    "edits": [],
    "keep": False,
}
VIEW = RUN | {"window": "local-p", "live": {"half_width": 2}, "draw": 4, "compared": None, "race": None}


def offered(name: str, score: str, window: str, size: str = "64", pair: str = "de-en", group: str = "Small") -> dict:
    point = {"pair": pair, "score": score, "window": window, "size": size}
    return {"name": name, "point": point, "setup": {"epochs": "20"}, "group": group}


MODELS = [
    offered("base", "dot", "global"),
    offered("general", "general", "global"),
    offered("local", "dot", "local-p"),
    offered("both", "general", "local-p", size="128", group="Large"),
    offered("french", "dot", "global", pair="fr-en"),
]


def of_model(name: str) -> dict:
    return RUN | {"model": name}


def test_a_race_is_of_the_models_that_differ_on_its_axis_only(run_js):
    """As trained, with the search of the view; the one that differs elsewhere too is left out."""
    runs = "input.map(([view, models, axes]) => js.comparedRuns(view, models, axes))"
    views = [
        VIEW,
        VIEW | {"compared": VIEW | {"beam": 1}},
        *(VIEW | {"race": axis} for axis in ("score", "window", "size", "pair", "colour")),
        VIEW | {"model": "other", "race": "score"},
    ]
    found = run_js(runs, [[view, MODELS, AXES] for view in views])
    assert found == [[], [VIEW | {"beam": 1}], [of_model("general")], [of_model("local")], [], [], [], []]


def test_a_comparison_begins_with_the_nearest_model_of_the_languages(run_js):
    beside = "input.map(([view, models, axes]) => js.runBeside(view, models, axes))"
    others = [MODELS[0], *MODELS[2:]]
    cases = [[VIEW, MODELS, AXES], [VIEW, others, AXES], [VIEW | {"model": "french"}, MODELS, AXES]]
    assert run_js(beside, cases) == [of_model("general"), of_model("local"), of_model("french")]


def compared(run_js, view: dict, *traces: dict | None) -> dict:
    first, *others = traces
    given = {
        "view": view,
        "trace": first,
        "others": others,
        "models": MODELS,
        "axes": AXES,
        **facts.windows_and_types(),
    }
    return run_js("js.comparisonOf(input)", given | {"choice": {"layer": None, "head": None}})


def decoded(model: str, words: str) -> dict:
    """A trace of greedy decoding whose attention is on the first of two words."""
    row = {part: [1, 0] for part in ("scores", "alignment", "gaussian", "weights")}
    step = {"t": 0, "top": [], "center": None, "window": [0, 1], "looks": [row | {"layer": 0, "head": 0}]}
    settings = {"window": "global", "centers": None, "attention_type": "soft", "beam": 1, "normalise": None}
    target = words.split()
    return {
        "model": model,
        "settings": settings,
        "source": ["x", "y"],
        "target": target,
        "steps": [step | {"token": word} for word in target],
        "unknown": [],
    }


def test_a_comparison_waits_for_all_translations(run_js):
    base, general = decoded("base", "a </s>"), decoded("general", "b </s>")
    beside = VIEW | {"compared": of_model("general")}
    for traces in ((None, general), (base, None), (None, None)):
        waiting = compared(run_js, beside, *traces)
        assert (waiting["boards"], waiting["apart"], waiting["apartTitle"]) == (None, "", "")
        assert waiting["options"] == compared(run_js, beside, base, general)["options"]
    assert compared(run_js, VIEW, base)["boards"] is None  # nothing is compared


def test_a_comparison_shows_both_translations_and_what_differs(run_js):
    base, general = decoded("base", "a </s>"), decoded("general", "b </s>")
    shown = compared(run_js, VIEW | {"compared": of_model("general")}, base, general)
    assert shown["apart"] == "Only difference: Score (dot product | general)"
    assert [part["name"] for part in shown["boards"]["sides"]] == ["base", "general"]
    assert shown["boards"]["summary"].startswith("1 word differs.")


def test_a_race_shows_the_values_of_its_axis(run_js):
    base, general = decoded("base", "a </s>"), decoded("general", "a </s>")
    shown = compared(run_js, VIEW | {"race": "score"}, base, general)
    assert [part["title"] for part in shown["boards"]["sides"]] == ["dot product", "general · same words"]
    assert shown["apart"] == "Nothing else differs."
    alone = compared(run_js, VIEW | {"race": "size"}, base)
    assert [part["name"] for part in alone["boards"]["sides"]] == ["base"]
    assert alone["apart"] == "No trained model differs in this setting alone."


def test_the_list_of_a_comparison_has_models_then_races_with_their_actions(run_js):
    def options(**change) -> list[tuple]:
        found = compared(run_js, VIEW | change, None)["options"]
        return [(one["group"], one["value"], one["text"], one["chosen"]) for one in found]

    assert options(compared=of_model("both")) == [
        ("Small", "base", "base", False),
        ("Small", "general", "general", False),
        ("Small", "local", "local", False),
        ("Large", "both", "both", True),
        (None, "all score", "Score: all trained values", False),
        (None, "all window", "Window: all trained values", False),
    ]
    assert options(race="window")[-1] == (None, "all window", "Window: all trained values", True)
    actions = [one["action"] for one in compared(run_js, VIEW, None)["options"]]
    assert actions[1] == {"type": "comparison begun", "with": of_model("general")}
    assert actions[-1] == {"type": "race begun", "axis": "window"}
