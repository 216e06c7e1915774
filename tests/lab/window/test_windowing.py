"""Windows by hand in the labs: a slow implementation of the paper's equations has the same weights."""

import math
import random

import pytest

# As in Luong 2015, section 3.2, with the functions of the labs' kit.
LOOK = """input.map(({ scores, how, t, center: given }) => {
  const n = scores.length;
  const center = how.window === "local-m" ? js.monotonic(t, n, how.localM) : given;
  const stays = !(how.window === "local-m" && how.localM === "text");
  const span = center === null ? { lo: 0, hi: n - 1 } : js.windowOf(center, how.halfWidth, n, how.rule, stays);
  const bells = js.gaussian(center, center === null ? null : how.sigma, n, span);
  return { center, span, gaussian: bells, ...js.weigh(scores, span, bells, how.mode) };
})"""
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
