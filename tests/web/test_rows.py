"""What the player draws is what a trace records: its rows, windows and Gaussians, and the settings of its window."""

import itertools
import json

import pytest
import torch

from attn_core.trace import dump
from attn_core.web import facts
from tests.helpers.windows import registered
from tests.web import traces

MODES = ("after_softmax", "renorm", "on_scores")


def record(*args, **options):
    return json.loads(dump(traces.make(*args, **options)))


def test_the_rows_are_those_of_the_record(run_js):
    recipes = itertools.product(
        ["global", "local-m", "local-p"], [0, 2, 3], [None, 0.7], MODES, ["floor", "real"], ["clamp", "text"]
    )
    records = [
        record(window, traces.SHORT, *how, seed=how[0], looks=2)
        for window, *how in recipes
        if window != "global" or how[1] is None
    ]
    found = run_js("input.map((trace) => [js.recorded(trace, 1), js.shapeOf(trace, 1), js.isHard(trace)])", records)
    for one, (rows, shape, hard) in zip(records, found, strict=True):
        for row, step in zip(rows, one["steps"], strict=True):
            for name in ("alignment", "gaussian", "weights"):
                assert row[name] == step["looks"][1][name]
            assert row["center"] == step["center"]
            assert row["span"] == (step["window"] and {"lo": step["window"][0], "hi": step["window"][1]})
        assert shape["local"] == (one["settings"]["window"] != "global")
        beside = [step for step in one["steps"] if any(0 < g < 1 for g in step["looks"][1]["gaussian"])]
        assert shape["bell"] == bool(beside)
        sigma = one["settings"]["sigma"] if beside else None
        assert shape["width"] == (sigma and pytest.approx(sigma, rel=1e-3))
        assert hard is False


def test_a_gaussian_of_another_shape_has_no_width(run_js):
    one = record("local-p", half_width=2)
    for step in one["steps"]:
        for look in step["looks"]:
            lo, hi = step["window"]
            look["gaussian"] = [
                1 - abs(s - step["center"]) / 9 if lo <= s <= hi else 0 for s in range(len(one["source"]))
            ]
    shape = run_js("js.shapeOf(input, 0)", one)
    assert (shape["bell"], shape["width"]) == (True, None)


def test_attention_is_hard_where_each_weight_is_0_or_1(run_js):
    one = record("local-p", half_width=2)
    for step in one["steps"]:
        (look,) = step["looks"]
        best = look["weights"].index(max(look["weights"]))
        look["weights"] = [float(s == best) for s in range(len(look["weights"]))]
    assert run_js("js.isHard(input)", one) is True
    one["settings"]["edits"] = [
        {"kind": "weights", "step": t, "head": None, "weights": []} for t in range(len(one["steps"]))
    ]
    assert run_js("js.isHard(input)", one) is False  # all were set by hand


def windows():
    with registered():
        return facts.windows()


def test_the_settings_of_a_trace_are_those_of_its_window(run_js):
    found = run_js(
        "input[1].map((trace) => js.decodedWith(trace, input[0]))",
        [
            windows(),
            [
                record("local-p", half_width=3),
                record("local-p", half_width=3, sigma=2.0),
                record("local-m", half_width=3),
                record("global"),
            ],
        ],
    )
    assert [one["live"] for one in found] == [
        {"half_width": 3, "sigma": None},  # in force is D / 2
        {"half_width": 3, "sigma": 2.0},
        {"half_width": 3, "sigma": None},
        {},
    ]


def test_a_window_is_chosen_only_where_it_is_not_that_of_training(run_js):
    message = "js.windowChoice(input.settings, js.trainedWith(input.trace, input.windows), input.windows)"

    def choice(live, centers=None):
        settings = {"window": "local-p", "live": live, "centers": centers, "keep": False}
        return run_js(message, {"settings": settings, "trace": record(half_width=2), "windows": windows()})

    trained, none = {"half_width": 2, "sigma": None}, {"window": None, "live": {}, "centers": None}
    assert choice(trained) == none
    assert choice(trained | {"sigma": 1.0}) == none  # D / 2, whether it is linked or set
    wider = {"half_width": 3, "sigma": None}
    assert choice(wider) == {"window": "local-p", "live": wider, "centers": None}
    assert choice(trained, {"1": 2.5})["centers"] == {"1": 2.5}


def test_a_window_is_given_by_its_facts_not_by_its_name(run_js):
    call = "js.givenWindow(input.windows, input.n)"
    known = windows()
    assert run_js(call, {"windows": known, "n": 9})["window"] == "local-m"
    own = {name: known[name] for name in ("global", "local-p", "lopsided")}
    given = run_js(call, {"windows": own, "n": 9})
    assert (given["window"], given["live"]) == ("lopsided", {"left": 1, "right": 2})
    assert run_js(call, {"windows": own, "n": 1})["live"] == {"left": 0, "right": 0}
    assert run_js(call, {"windows": {"global": known["global"]}, "n": 9}) is None


def test_heat_is_monotonic_and_its_text_legible(run_js):
    """More weight is darker (brighter in the dark theme), and text on any cell has a contrast of at least 4.5."""
    for theme in ("light", "dark"):
        table = run_js("js.heat(input)", theme)
        rgb = torch.tensor([[int(v) for v in fill[4:-1].split()] for fill in table["fill"]]) / 255
        linear = torch.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        luminance = linear @ torch.tensor([0.2126, 0.7152, 0.0722])
        direction = -1 if theme == "light" else 1
        assert (luminance.diff() * direction > -1e-3).all()
        assert (luminance[16:] - luminance[:-16]).mul(direction).min() > 0
        for light, ink in zip(luminance.tolist(), table["ink"], strict=True):
            other = 1.0 if ink == "#ffffff" else 0.0
            high, low = max(light, other), min(light, other)
            assert (high + 0.05) / (low + 0.05) >= 4.5


def test_a_mean_over_heads_averages_the_weights_and_has_no_scores(run_js):
    made = traces.make("global", looks=3)
    record = json.loads(dump(made))
    for row, weights in zip(run_js("js.recorded(input, null)", record), made.weights(), strict=True):
        assert row["scores"] == []
        assert row["weights"] == pytest.approx(weights.tolist(), abs=1e-6)
    first = run_js("js.recorded(input, 1)", record)[0]
    assert first["scores"] == pytest.approx(made.words[0].step.looks[1].scores.tolist(), abs=1e-6)


def test_the_head_shown_first_attends_sharply_and_to_other_words_at_other_steps(run_js):
    """The others attend always to the same word (as sharp), and to all words alike: mutual information 0."""
    same, alike, diagonal = [[1, 0]] * 2, [[0.5, 0.5]] * 2, [[0.9, 0.1], [0.1, 0.9]]
    heads = [same, alike, diagonal]
    steps = [{"looks": [{"weights": head[t]} for head in heads]} for t in range(2)]
    assert run_js("js.clearestLook({ steps: input })", steps) == 2
    assert run_js("js.clearestLook({ steps: input })", [{"looks": [{"weights": [1, 0]}]}]) is None
    assert run_js("js.clearestLook({ steps: input })", []) is None


@pytest.mark.parametrize(
    ("look", "rows"),
    [
        ({"bell": False}, ["scores", "weights"]),
        ({"bell": False, "hard": True}, ["scores", "alignment", "weights"]),
        ({"bell": True, "mode": "after_softmax", "hard": True}, ["scores", "alignment", "gaussian", "weights"]),
        ({"bell": True, "mode": "on_scores"}, ["scores", "gaussian", "weights"]),
        ({"bell": True, "mode": "on_scores", "hard": True}, ["scores", "gaussian", "alignment", "weights"]),
        ({"bell": True, "mode": "after_softmax", "mean": 3}, ["weights"]),
    ],
)
def test_the_bar_rows_of_a_step_include_the_softmax_for_hard_attention(run_js, look, rows):
    found = run_js("js.barRows(input)", look)
    assert [row["key"] for row in found] == rows
    assert (found[-1]["name"] == "= weights") is (look["bell"] and not {"hard", "mean"} & look.keys())


def test_a_slider_has_the_range_of_its_setting(run_js):
    def ends(whole=False, nullable=False, least=None, most=None, value=1):
        setting = {"whole": whole, "nullable": nullable, "least": least, "most": most}
        found = run_js("js.rangeOf(...input)", [setting, value, 8])
        return found["min"], found["max"]

    assert ends(whole=True, least=0, most=100) == (0, 8)  # no more words than the sentence has
    assert ends(whole=True, least=1, most=3) == (1, 3)
    assert ends(nullable=True, least=0.01, most=1000) == (0.25, 5)  # a width; none stands for 0
    assert ends(nullable=True, least=0.01, value=7.5) == (0.25, 8)
    assert ends(least=-2, most=2) == (-2, 2)
    assert ends(least=0, most=20) == (0, 20)
