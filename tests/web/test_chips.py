"""Chips for the settings of models: changing one changes nothing else."""

from itertools import product
from pathlib import Path

import pytest

from tests.helpers.javascript import evaluator

EXPLORER = Path(__file__).parents[2] / "app" / "explorer"
AXES = [
    {"name": "score", "values": [["dot", "dot"], ["general", "general"], ["none", "no attention"]]},
    {"name": "window", "values": [["global", "global"], ["local-p", "local-p"]]},
    {"name": "size", "values": [["128", "128"], ["256", "256"]]},
]
POINTS = {
    "dot": ("dot", "global", "256"),
    "general": ("general", "global", "256"),
    "local": ("general", "local-p", "256"),
    "small": ("dot", "local-p", "128"),
    "none": ("none", None, "256"),
}
MODELS = [
    {"name": name, "point": dict(zip(("score", "window", "size"), point, strict=True))}
    for name, point in POINTS.items()
]
NAMES = [*POINTS]


@pytest.fixture(scope="module")
def reachable(node, tmp_path_factory):
    """By value of an axis: the model that it leads to, and the axes that would change too."""
    run_js = evaluator(node, tmp_path_factory.mktemp("chips"), (EXPLORER / "settings" / "axes.js",))

    def found(model: str, axis: str) -> dict[str, tuple[str, list[str]]]:
        one = next(one for one in AXES if one["name"] == axis)
        given = [AXES, MODELS, one, NAMES.index(model)]
        reached = run_js("js.reachable(...input)", given)
        return {one["value"]: (NAMES[one["model"]], [other["name"] for other in one["others"]]) for one in reached}

    return found


def test_a_value_leads_to_the_model_that_differs_in_nothing_else(reachable):
    assert reachable("general", "score") == {
        "dot": ("dot", []),
        "general": ("general", []),
        "none": ("none", []),  # a window does not apply there
    }
    assert reachable("general", "window") == {"global": ("general", []), "local-p": ("local", [])}


def test_where_no_model_differs_in_nothing_else_what_else_would_change_is_known(reachable):
    assert reachable("local", "score") == {
        "dot": ("dot", ["window"]),
        "general": ("local", []),
        "none": ("none", []),
    }
    assert reachable("dot", "window")["local-p"] == ("local", ["score"])
    assert reachable("general", "size") == {"128": ("small", ["score", "window"]), "256": ("general", [])}


def test_from_a_model_without_attention_every_score_is_reached(reachable):
    assert reachable("none", "score") == {"dot": ("dot", []), "general": ("general", []), "none": ("none", [])}


def test_a_chip_that_is_enabled_never_changes_another_axis(reachable):
    for model, axis in product(NAMES, ("score", "window", "size")):
        before = MODELS[NAMES.index(model)]["point"]
        for value, (after, others) in reachable(model, axis).items():
            point = MODELS[NAMES.index(after)]["point"]
            assert point[axis] == value
            changed = [name for name in point if name != axis and None not in (point[name], before[name])]
            assert [name for name in changed if point[name] != before[name]] == others, (model, axis, value)


def test_languages_are_chosen_whatever_else_changes_and_the_other_axes_stay_within_them(node, tmp_path):
    run_js = evaluator(node, tmp_path, (EXPLORER / "settings" / "axes.js",))
    pair = {"name": "pair", "values": [["de-en", ""], ["en-fr", ""], ["zh-en", ""]]}
    models = [one | {"point": one["point"] | {"pair": "de-en"}} for one in MODELS]
    general = next(one for one in models if one["name"] == "general")["point"]
    others = [general | {"pair": "en-fr"}, general | {"pair": "zh-en", "score": "dot"}]
    models += [{"name": name, "point": point} for name, point in zip(("french", "chinese"), others, strict=True)]
    names = [one["name"] for one in models]

    def reached(name: str, axis: dict) -> dict[str, tuple[str, list]]:
        found = run_js("js.reachable(...input)", [[pair, *AXES], models, axis, names.index(name)])
        return {one["value"]: (names[one["model"]], one["others"]) for one in found}

    assert reached("local", pair) == {"de-en": ("local", []), "en-fr": ("french", []), "zh-en": ("chinese", [])}
    assert reached("french", pair) == {"de-en": ("general", []), "en-fr": ("french", []), "zh-en": ("chinese", [])}
    assert reached("french", AXES[0]) == {"general": ("french", [])}
    assert reached("chinese", AXES[1]) == {"global": ("chinese", [])}
    assert {value: name for value, (name, _) in reached("general", AXES[0]).items()} == {
        "dot": "dot", "general": "general", "none": "none"
    }  # fmt: skip


def test_a_model_of_joined_sentences_is_offered_each_example_with_the_two_after_it(node, tmp_path):
    run_js = evaluator(node, tmp_path, (EXPLORER / "settings" / "axes.js",))
    examples = {"de-en": ["A.", "B.", "C.", "D."], "en-fr": ["E."]}

    def offered(joined: bool, pair: str = "de-en") -> list[str]:
        return run_js("js.textsOf(...input)", [examples, {"point": {"pair": pair}, "joined": joined}])

    assert offered(joined=False) == examples["de-en"]
    assert offered(joined=True) == ["A. B. C.", "B. C. D.", "C. D. A.", "D. A. B."]
    assert offered(joined=True, pair="zh-en") == []


def test_of_equally_near_models_the_one_with_the_same_other_settings_is_taken(node, tmp_path):
    run_js = evaluator(node, tmp_path, (EXPLORER / "settings" / "axes.js",))
    own, *rest = (next(one for one in MODELS if one["name"] == name) for name in ("general", "dot", "dot", "none"))
    cells = ("lstm", "gru", "lstm", "gru")
    models = [one | {"setup": {"cell": cell}} for one, cell in zip((own, *rest), cells, strict=True)]
    found = run_js("js.reachable(...input)", [AXES, models, AXES[0], 0])
    assert {one["value"]: one["model"] for one in found} == {"dot": 2, "general": 0, "none": 3}


def test_an_axis_without_a_chip_has_a_menu_where_a_value_needs_another_value_of_it(node, tmp_path):
    run_js = evaluator(node, tmp_path, (EXPLORER / "settings" / "axes.js",))
    axes = [one | {"chip": one["name"] != "size"} for one in AXES]

    def shown(name: str) -> list[str]:
        return run_js("js.menus(...input).map(({ axis }) => axis.name)", [axes, MODELS, NAMES.index(name)])

    assert shown("general") == ["score", "window"]
    assert shown("dot") == ["score", "window"]
    assert shown("local") == ["score", "window"]
    assert shown("small") == ["score", "window", "size"]
    few = [one for one in MODELS if one["name"] in ("dot", "small")]  # with its size as usual as the other
    assert run_js("js.menus(...input).map(({ axis }) => axis.name)", [axes, few, 1]) == ["score", "window", "size"]
