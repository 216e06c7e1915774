"""The browser's arithmetic equals torch, and a slow implementation of the paper's equations."""

import itertools
import json
import math
import random

import pytest
import torch

from attn_core.attention.windows import WINDOWS
from attn_core.trace import dump
from tests.web import traces

LOOK = "input.map((c) => js.attend(c.scores, c.how, c.t, c.center))"
MODES = ("after_softmax", "renorm", "on_scores")


def slow_look(scores, how, t, center):
    """Luong 2015, section 3.2, one word at a time."""
    n = len(scores)
    if how["window"] == "global":
        center, sigma = None, None
        inside = [True] * n
    else:
        if how["window"] == "local-m":
            center = t if how["localM"] == "text" else min(t, n - 1)
        sigma = how["sigma"]
        inside = []
        for s in range(n):
            if how["rule"] == "real":
                inside.append(abs(s - center) <= how["halfWidth"])
            else:
                middle = math.floor(center)
                if how["halfWidth"] == 0 and not (how["window"] == "local-m" and how["localM"] == "text"):
                    middle = min(middle, n - 1)
                inside.append(middle - how["halfWidth"] <= s <= middle + how["halfWidth"])
    bells = [
        0.0 if not inside[s] else 1.0 if not sigma else math.exp(-((s - center) ** 2) / (2 * sigma**2))
        for s in range(n)
    ]

    def softmax(values):
        if not any(inside):
            return [0.0] * n
        highest = max(v for v, i in zip(values, inside, strict=True) if i)
        raised = [math.exp(v - highest) if i else 0.0 for v, i in zip(values, inside, strict=True)]
        return [r / sum(raised) for r in raised]

    if how["mode"] == "on_scores":
        align = weights = softmax([s * b for s, b in zip(scores, bells, strict=True)])
    else:
        align = softmax(scores)
        weights = [a * b for a, b in zip(align, bells, strict=True)]
        if how["mode"] == "renorm" and any(inside):
            weights = [w / sum(weights) for w in weights]
    where = [s for s in range(n) if inside[s]]
    span = {"lo": where[0], "hi": where[-1]} if where else None
    return {"center": center, "span": span, "gaussian": bells, "alignment": align, "weights": weights}


def random_cases(count):
    choose = random.Random(20151)
    for number in range(count):
        n = choose.choice([1, 2, 3, 6, 13, 50])
        window = choose.choice(["global", "local-m", "local-p"])
        width = choose.choice([0, 1, 2, 3, 10])
        linked = choose.random() < 0.4
        sigma = (width / 2 if window == "local-p" else None) if linked else choose.uniform(0.3, 8)
        p = choose.choice([0.0, n, n - 1, n / 2, choose.uniform(0, n), choose.uniform(0, n), choose.uniform(0, n)])
        yield {
            "scores": [choose.gauss(0, 3) for _ in range(n)],
            "how": {
                "window": window,
                "halfWidth": width,
                "sigma": sigma,
                "rule": choose.choice(["floor", "real"]),
                "mode": MODES[number % 3],
                "localM": choose.choice(["clamp", "text"]),
            },
            "t": choose.randrange(0, n + 5),
            "center": float(p) if window == "local-p" else None,
        }


def test_looks_equal_the_equations(run_js):
    cases = list(random_cases(1500))
    seen = set()
    for case, look in zip(cases, run_js(LOOK, cases), strict=True):
        want = slow_look(case["scores"], case["how"], case["t"], case["center"])
        assert look["span"] == want["span"], case
        assert look["center"] == want["center"], case
        for name in ("gaussian", "alignment", "weights"):
            assert look[name] == pytest.approx(want[name], abs=1e-12), (name, case)
        seen.add((case["how"]["window"], case["how"]["rule"], case["how"]["mode"], case["how"]["localM"]))
    assert len(seen) == 3 * 2 * 3 * 2  # every combination occurs


def test_a_preview_with_the_decoded_settings_is_the_record(run_js):
    """From the recorded scores the browser recomputes the values that torch recorded in float32."""
    recipes = itertools.product(
        ["global", "local-m", "local-p"], [0, 2, 3], [None, 0.7], MODES, ["floor", "real"], ["clamp", "text"]
    )
    records = [
        json.loads(dump(traces.make(window, traces.SHORT, *how, seed=how[0], looks=2)))
        for window, *how in recipes
        if window != "global" or how[1] is None
    ]
    again = run_js("input.map((trace) => js.previewed(trace, 1, js.decodedWith(trace)))", records)
    for record, rows in zip(records, again, strict=True):
        for row, step in zip(rows, record["steps"], strict=True):
            for name in ("alignment", "gaussian", "weights"):
                assert row[name] == pytest.approx(step["looks"][1][name], abs=1e-6), record["settings"]
            assert row["center"] == step["center"]
            assert row["span"] == (step["window"] and {"lo": step["window"][0], "hi": step["window"][1]})


def test_other_settings_equal_torch_with_other_settings(run_js):
    """Dragging D and sigma gives torch's result for that D and sigma with the same scores and p_t."""
    base = json.loads(dump(traces.make(half_width=2)))
    for half_width, sigma in [(0, None), (1, None), (4, None), (4, 0.8), (9, 3.0)]:
        want = json.loads(dump(traces.make(half_width=half_width, sigma=sigma)))
        assert [s["looks"][0]["scores"] for s in want["steps"]] == [s["looks"][0]["scores"] for s in base["steps"]]
        settings = {"window": "local-p", "half_width": half_width, "sigma": sigma, "linked": sigma is None}
        got = run_js("js.previewed(input.base, 0, input.settings)", {"base": base, "settings": settings})
        for row, step in zip(got, want["steps"], strict=True):
            assert row["weights"] == pytest.approx(step["looks"][0]["weights"], abs=1e-6)


def test_a_saturated_center_keeps_the_last_words_in_view(run_js):
    """p_t = S: floor(p_t) = S, so the window is [S - D, S - 1]; with D = 0 it moves to the last word."""
    cases = [[5.0, 2, 5, "floor"], [5.0, 0, 5, "floor"], [5.0, 0, 5, "real"], [4.2, 1, 5, "real"], [0.0, 1, 1, "floor"]]
    spans = run_js("input.map((c) => js.windowOf(...c))", cases)
    assert spans == [{"lo": 3, "hi": 4}, {"lo": 4, "hi": 4}, None, {"lo": 4, "hi": 4}, {"lo": 0, "hi": 0}]


def test_uniform_scores_lose_the_mass_that_the_paper_loses(run_js):
    """Uniform alignment weights, whole window inside, integer p_t, sigma = D / 2: for D = 2 the sum is 0.497."""
    how = {"window": "local-p", "halfWidth": 2, "sigma": 1, "rule": "floor", "mode": "after_softmax", "localM": "clamp"}
    case = {"scores": [0.0] * 5, "how": how, "t": 0, "center": 2.0}
    [look] = run_js(LOOK, [case])
    assert sum(look["weights"]) == pytest.approx((1 + 2 * math.exp(-0.5) + 2 * math.exp(-2)) / 5)
    assert sum(look["weights"]) == pytest.approx(0.497, abs=5e-4)


def test_large_scores_do_not_overflow(run_js):
    span = {"lo": 0, "hi": 1}
    shares = run_js("js.softmaxInside(input.scores, input.span)", {"scores": [1000.0, 999.0, 5000.0], "span": span})
    assert shares == pytest.approx([math.e / (1 + math.e), 1 / (1 + math.e), 0.0])


def test_linked_sigma_is_half_of_d_only_where_there_is_a_gaussian(run_js):
    settings = [
        {"window": "local-p", "half_width": 3, "sigma": None, "linked": True},
        {"window": "local-p", "half_width": 3, "sigma": 2.0, "linked": False},
        {"window": "local-m", "half_width": 3, "sigma": None, "linked": True},
        {"window": "global", "half_width": None, "sigma": None, "linked": True},
    ]
    assert run_js("input.map(js.sigmaOf)", settings) == [1.5, 2.0, None, None]


def test_the_settings_that_the_host_receives(run_js):
    record = json.loads(dump(traces.make(half_width=2)))
    message = "js.settled(input.settings, input.trace)"
    same = {"window": "local-p", "half_width": 2, "sigma": 1.0, "linked": False, "centers": None}
    settled = run_js(message, {"settings": same, "trace": record})
    assert settled["as_trained"] is True  # sigma = D / 2, whether linked or set
    wider = {
        "window": "local-p",
        "half_width": 3,
        "sigma": 9.0,
        "linked": True,
        "centers": None,
    }  # sigma from before linking
    assert run_js(message, {"settings": wider, "trace": record}) == {
        "model": "luong-general-local-p",
        "window": "local-p",
        "half_width": 3,
        "sigma": None,
        "linked": True,
        "centers": None,
        "as_trained": False,
    }
    moved = {**same, "centers": {"1": 2.5}}
    settled = run_js(message, {"settings": moved, "trace": record})
    assert (settled["centers"], settled["as_trained"]) == ({"1": 2.5}, False)


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


def test_weights_of_another_normalizer_have_no_preview(run_js):
    record = json.loads(dump(traces.make("local-m")))
    settings = {"window": "local-m", "half_width": 1, "sigma": None, "linked": True, "centers": None}
    no_preview = "js.previewed(input.trace, 0, input.settings) === null"
    assert not run_js(no_preview, {"trace": record, "settings": settings})
    record["settings"]["normalizer"] = "sparsemax"
    assert run_js(no_preview, {"trace": record, "settings": settings})


def test_the_browser_knows_the_windows_of_the_registry_and_no_other(run_js):
    assert run_js("js.WINDOWS", None) == list(WINDOWS)
    attempt = "(() => { try { return js.attend([1, 2], input, 0, null); } catch (e) { return e.message; } })()"
    assert "spiral" in run_js(attempt, {"window": "spiral", "halfWidth": 1, "sigma": None})
    record = json.loads(dump(traces.make("local-m")))
    spiral = {"window": "spiral", "half_width": None, "sigma": None, "linked": True, "centers": None}
    assert run_js("js.previewed(input.trace, 0, input.settings)", {"trace": record, "settings": spiral}) is None


@pytest.mark.parametrize("window", ["local-m", "local-p"])
def test_a_centre_by_hand_is_that_of_its_step(run_js, window):
    record = json.loads(dump(traces.make("local-p")))
    settings = {"window": window, "half_width": 1, "sigma": 0.8, "linked": False, "centers": {"1": 2.25}}
    rows = run_js("js.previewed(input.trace, 0, input.settings)", {"trace": record, "settings": settings})
    own = run_js(
        "js.previewed(input.trace, 0, { ...input.settings, centers: null })", {"trace": record, "settings": settings}
    )
    assert rows[0] == own[0]
    how = {
        "window": "local-p",
        "halfWidth": 1,
        "sigma": 0.8,
        "rule": "floor",
        "mode": "after_softmax",
        "localM": "clamp",
    }
    step = record["steps"][1]
    call = {"scores": step["looks"][0]["scores"], "how": how, "t": 1, "center": 2.25}
    assert rows[1] == run_js(LOOK, [call])[0]


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
    assert run_js("js.clearestLook(input)", steps) == 2
    assert run_js("js.clearestLook(input)", [{"looks": [{"weights": [1, 0]}]}]) is None
    assert run_js("js.clearestLook(input)", []) is None


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
