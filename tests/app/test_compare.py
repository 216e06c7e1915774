"""The comparison of two translations: by hand, against slow loops, and in a browser with small models."""

import itertools
import re
from pathlib import Path

import pytest
import torch
from playwright.sync_api import expect

from app.service import catalogue, first
from attn_core import load, translate
from attn_core.data.captions import captions
from attn_core.web import facts
from tests.helpers.javascript import evaluator
from tests.helpers.visits import address_says, query, unfold

COMPARE = Path(__file__).parents[2] / "app" / "explorer" / "compare"
LOCAL_P, GLOBAL = "luong-general-local-p", "luong-general-global"


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    axes = COMPARE.parent / "settings" / "axes.js"
    modules = (axes, *(COMPARE / f"{one}.js" for one in ("pairs", "nearest", "summary")))
    return evaluator(node, tmp_path_factory.mktemp("compare"), modules)


def longest_common(one: str, other: str) -> int:
    """By trying all subsequences, the longest first."""
    for length in range(len(one), 0, -1):
        for chosen in itertools.combinations(one, length):
            rest = iter(other)
            if all(letter in rest for letter in chosen):
                return length
    return 0


def test_words_that_both_have_stand_side_by_side(run_js):
    words = ["", "a", "ab", "ba", "abcab", "bacba", "aabbc", "cab", "xyz", "abcxd"]
    cases = list(itertools.product(words, words))
    found = run_js("input.map(([one, other]) => js.paired([...one], [...other]))", cases)
    for (one, other), pairs in zip(cases, found, strict=True):
        assert [i for i, _ in pairs if i is not None] == list(range(len(one)))
        assert [j for _, j in pairs if j is not None] == list(range(len(other)))
        shared = [None not in (i, j) and one[i] == other[j] for i, j in pairs]
        assert sum(shared) == longest_common(one, other), (one, other, pairs)
    (substituted,) = run_js("[js.paired([...'abxd'], [...'aqwd'])]", None)
    assert substituted == [[0, 0], [1, 1], [2, 2], [3, 3]]  # the words that differ, the first beside the first
    (longer,) = run_js("[js.paired([...'ad'], [...'aqwd'])]", None)
    assert longer == [[0, 0], [None, 1], [None, 2], [1, 3]]


def test_what_moved_is_the_total_variation_distance(run_js):
    one, other = torch.rand(2, 9).double().softmax(-1)
    (share,) = run_js("[js.moved(...input)]", [one.tolist(), other.tolist()])
    assert share == pytest.approx(float((one - other).abs().sum() / 2), abs=1e-12)
    assert run_js("[js.moved(...input)]", [[0.5, 0.5], [0, 0]]) == [1]
    assert run_js("[js.moved(...input)]", [[1, 0], [0, 1]]) == [1]


PARTS = ("scores", "alignment", "gaussian", "weights")


def trace(words: str, weights: list[list[float]], source: str = "x y") -> dict:
    looks = [[dict.fromkeys(PARTS, row)] if row else [] for row in weights]
    steps = [
        {"t": t, "token": token, "top": [], "center": None, "window": [0, 1], "looks": look}
        for t, (token, look) in enumerate(zip(words.split(), looks, strict=False))
    ]
    return {"model": "m", "source": source.split(), "target": words.split(), "steps": steps, "unknown": []}


def test_the_rows_of_two_translations_and_their_difference(run_js):
    one = trace("a b </s>", [[0.75, 0.25], [0.5, 0.5], [0, 1]])
    other = trace("a c d </s>", [[0.25, 0.75], [1, 0], [1, 0], [0, 1]])
    (boards,) = run_js("[js.sideBySide(...input)]", [one, other])
    assert boards["steps"] == [0, 1, None, 2]
    assert boards["differences"] == [{"by": [0.5, -0.5], "share": 0.5}, None, None, {"by": [0, 0], "share": 0}]
    assert boards["summary"] == "2 words differ. Where the words agree, 25% of the attention differs on average."
    labels = [[label and (label["text"], label["differs"]) for label in side["labels"]] for side in boards["sides"]]
    assert labels[0] == [("a", False), ("b", True), None, ("</s>", False)]
    assert labels[1] == [("a", False), ("c", True), ("d", True), ("</s>", False)]
    assert [row and row["weights"] for row in boards["sides"][0]["rows"]] == [[0.75, 0.25], [0.5, 0.5], None, [0, 1]]
    (boards,) = run_js("[js.sideBySide(...input)]", [one, trace("a b </s>", [[1, 0, 0]] * 3, "x y z")])
    assert (boards["differences"], boards["summary"]) == (None, "All words are the same.")  # other pieces of the source
    (boards,) = run_js("[js.sideBySide(...input)]", [one, trace("a b </s>", [[]] * 3)])
    assert boards["differences"] is None
    assert boards["sides"][1]["title"] == "m (no attention)"


def test_a_row_that_a_gaussian_made_smaller_is_compared_as_a_whole(run_js):
    """0.3 and 0.1 are 75% and 25%: no attention is on other words, though the sum is 0.4."""
    one, other = trace("a </s>", [[0.75, 0.25], [1, 0]]), trace("a </s>", [[0.3, 0.1], [0, 0.5]])
    (boards,) = run_js("[js.sideBySide(...input)]", [one, other])
    assert [row["share"] for row in boards["differences"]] == [pytest.approx(0), pytest.approx(1)]
    assert boards["sides"][1]["rows"][0]["weights"] == [0.3, 0.1]  # its map shows what the model computed


def test_a_map_of_several_heads_shows_the_one_that_is_chosen_and_says_so(run_js):
    """Head 1 tells the steps apart and is shown first; with `mean` both count."""
    one = trace("a </s>", [[1, 0], [0, 1]])
    heads = trace("a </s>", [[1, 0], [0, 1]])
    for step, second in zip(heads["steps"], ([1, 0], [0, 1]), strict=True):
        flat = {**{part: [0.5, 0.5] for part in PARTS}, "layer": 0, "head": 0}
        step["looks"] = [flat, {**dict.fromkeys(PARTS, second), "layer": 0, "head": 1}]
    shown = {}
    for layer, head in ((None, None), (0, 0), (None, "mean")):
        (boards,) = run_js("[js.sideBySide(...input)]", [one, heads, {"choice": {"layer": layer, "head": head}}])
        shown[head] = boards["sides"][1]["title"], boards["sides"][1]["rows"][0]["weights"]
    assert shown == {
        None: ("m · layer 0, head 1", [1, 0]),
        0: ("m · layer 0, head 0", [0.5, 0.5]),
        "mean": ("m · mean of 2 heads", [0.75, 0.25]),
    }


def test_the_maps_are_by_words_unless_pieces_are_asked_for(run_js):
    """The weights of a source word's pieces are summed, those of a target word's averaged: (0.4 + 0.8) / 2 is 0.6."""
    pieces = trace("▁ca tch </s>", [[0.25, 0.15, 0.6], [0.5, 0.3, 0.2], [0, 0, 1]], "▁fan gen </s>") | {"unknown": [1]}
    words = trace("catch </s>", [[0.5, 0.5], [0, 1]], "fangen </s>")
    by_words, by_pieces, raced = run_js(
        "[js.sideBySide(...input), js.sideBySide(...input, { byPieces: true }), js.raced(input, ['a', 'b'])]",
        [pieces, words],
    )
    for boards in (by_words, raced):
        side = boards["sides"][0]
        assert (side["source"], side["target"], side["unknown"]) == (["fangen", "</s>"], ["catch", "</s>"], [0])
        assert [row["weights"] for row in side["rows"]] == [[pytest.approx(0.6), pytest.approx(0.4)], [0, 1]]
        assert boards["steps"] == [0, 2]  # the first of the word's steps
        assert boards["hasPieces"]
    assert by_words["differences"][0]["share"] == pytest.approx(0.1)
    side = by_pieces["sides"][0]
    assert (side["source"], side["target"], side["unknown"]) == (["fan", "·gen", "</s>"], ["ca", "·tch", "</s>"], [1])
    assert by_pieces["differences"] is None
    assert by_pieces["steps"] == [0, 1, 2]
    (whole,) = run_js("[js.sideBySide(...input)]", [words, words])
    assert not whole["hasPieces"]


def test_the_rows_of_a_race_are_the_steps(run_js):
    one, other = trace("a b </s>", [[1, 0]] * 3), trace("b </s>", [[0, 1]] * 2)
    (boards,) = run_js("[js.raced(...input)]", [[one, other, one], ["dot", "general", "concat"]])
    assert boards["steps"] == [0, 1, 2]
    assert [side["title"] for side in boards["sides"]] == ["dot", "general · 1 word differs", "concat · same words"]
    assert [label and label["differs"] for label in boards["sides"][1]["labels"]] == [False, False, None]
    assert boards["summary"] == "Same words as the first translation: 1 of 2."


def test_what_else_differs_is_said(run_js):
    apart = [{"label": "Score", "one": "dot", "other": "general"}]
    say = "js.sentenceOn(...input)"
    assert run_js(say, [apart, []]) == "Only difference: Score (dot | general)"
    assert run_js(say, [[], ["encoder.cell"]]) == "These differ: encoder.cell"
    assert run_js(say, [apart, [*"abcdef"]]) == "Differences: Score (dot | general). Also differ: a, b, c, d and 2 more"
    assert run_js(say, [[], []]) == "Same settings. Change one above, or choose another model in the list."
    assert run_js("[[0, []], [2, []], [2, ['a']]].map((one) => js.sentenceOnAll(...one))", None) == [
        "No trained model differs in this setting alone.",
        "Nothing else differs.",
        "Some models also differ in: a",
    ]


KNOWN = facts.windows_and_types()
AXES = [
    {"name": "score", "label": "Score", "chip": True, "values": [["dot", "dot product"], ["general", "general"]]},
    {"name": "window", "label": "Window", "chip": True, "values": [["global", "global"], ["local-p", "local-p"]]},
    {"name": "size", "label": "Units", "chip": False, "values": [["64", "64"], ["128", "128"]]},
]
SETTINGS = {
    "window": "global",
    "half_width": None,
    "sigma": None,
    "centers": None,
    "attention_type": "soft",
    "beam": 1,
    "normalise": None,
}


def side(point: dict[str, str] | None = None, **settings) -> dict:
    own = {"score": "dot", "window": "global", "size": "64"}
    return {"point": own | (point or {}), "trace": {"settings": SETTINGS | settings}}


@pytest.mark.parametrize(
    ("other", "apart"),
    [
        (side(), []),
        (side({"score": "general"}), [("Score", "dot product", "general")]),
        (side(window="local-p", half_width=2), [("Window", "global", "local-p")]),  # given to a global model
        (side(beam=5), [("beam", "1", "5")]),
        (side(normalise="wu"), [("ranking of the beam", "–", "length-penalised (Wu 2016)")]),
        (side(replace_unk=True), [("Replace <unk>", "no", "yes")]),
        (
            side({"size": "128"}, attention_type="hard-argmax"),
            [("Units", "64", "128"), ("attention type", "soft", "hard (argmax)")],
        ),
    ],
)
def test_the_settings_that_differ_are_named(run_js, other, apart):
    (found,) = run_js("[js.settingsApart(...input)]", [AXES, side(), other, KNOWN])
    assert [(one["label"], one["one"], one["other"]) for one in found] == apart


def test_two_windows_of_one_kind_differ_in_their_settings(run_js):
    def local_p(half_width: int, sigma: float | None, **settings) -> dict:
        return side(window="local-p", half_width=half_width, sigma=sigma, **settings)

    def labels(one: dict, other: dict) -> list[str]:
        (found,) = run_js("[js.settingsApart(...input)]", [AXES, one, other, KNOWN])
        return [apart["label"] for apart in found]

    assert labels(local_p(2, 1.0), local_p(4, 2.0, centers={"1": 3.5})) == ["Half-width D in words", "p_t"]
    assert labels(local_p(2, 1.0), local_p(0, None)) == ["Half-width D in words"]  # sigma is D / 2 in both
    assert labels(local_p(2, 1.0), local_p(2, 3.0)) == ["Width σ of the Gaussian in words"]


def test_a_setting_that_only_one_model_has_belongs_to_an_axis(run_js):
    one, other = (
        {"encoder.cell": "gru", "decoder.start": "copy", "rank": "3"},
        {"encoder.cell": "lstm", "decoder.start": "copy"},
    )
    assert run_js("js.setupApart(...input)", [one, other]) == ["encoder.cell"]


def test_the_nearest_model_differs_in_one_setting_that_readers_choose(run_js):
    def model(name: str, *point: str, **setup: str) -> dict:
        return {"name": name, "point": dict(zip(("score", "window", "size"), point, strict=True)), "setup": setup}

    models = [
        model("own", "dot", "global", "64", epochs="20"),
        model("larger", "dot", "global", "128", epochs="20"),
        model("two", "general", "local-p", "64", epochs="20"),
        model("longer", "dot", "local-p", "64", epochs="30"),
        model("one", "general", "global", "64", epochs="20"),
    ]
    nearest = "[js.nearest(...input)]"
    assert run_js(nearest, [models, AXES, "own"]) == ["one"]
    assert run_js(nearest, [models[:4], AXES, "own"]) == ["longer"]
    assert run_js(nearest, [models[:2], AXES, "own"]) == ["larger"]
    assert run_js(nearest, [models[:1], AXES, "own"]) == ["own"]


@pytest.mark.browser
@pytest.mark.slow
def test_two_models_are_compared_word_by_word(visit_live, live_models):
    page = visit_live(query={"model": LOCAL_P, "D": "1"})
    text = captions()[1].de
    panel = page.get_by_role("region", name="Comparison")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Compare", exact=True).click()
    panel.get_by_label("Compare with").select_option(GLOBAL)
    page.get_by_label("German sentence").fill(text)
    both = [translate(load(live_models / LOCAL_P), text, half_width=1), translate(load(live_models / GLOBAL), text)]
    for trace, canvas in zip(both, panel.locator("canvas").all(), strict=False):
        expect(canvas).to_have_attribute("aria-label", f"Attention weights of {trace.model}: {' '.join(trace.target)}")
    expect(panel.locator(".cp-apart")).to_contain_text("Window (local-p | global)")
    address_says(page, **{"with": GLOBAL, "D": "1", "text": text})

    again = visit_live(query=query(page))
    expect(again.get_by_label("Compare with")).to_have_value(GLOBAL)
    expect(again.locator(".cp-apart")).to_contain_text("Window (local-p | global)")
    again.get_by_role("button", name="Swap").click()
    address_says(again, **{"model": GLOBAL, "with": LOCAL_P, "with_D": "1"})
    expect(again.locator(".cp-apart")).to_contain_text("Window (global | local-p)")
    expect(again.locator(".ap-row")).to_be_hidden()  # the heatmap is in the comparison
    unfold(again)
    again.get_by_label("Beam", exact=True).select_option("3")
    expect(again.locator(".cp-apart")).not_to_contain_text("beam")  # both have it
    again.get_by_role("button", name="End comparison").press("Enter")
    expect(again.get_by_role("button", name="Compare", exact=True)).to_be_focused()
    again.get_by_role("tab", name="Heatmap").click()  # in place of the beam's tree
    expect(again.locator(".ap-row")).to_be_visible()
    expect(again.get_by_role("region", name="Comparison")).to_be_hidden()
    again.wait_for_function("!location.search.includes('with')")


@pytest.mark.browser
@pytest.mark.slow
def test_two_views_keep_their_beams_when_they_are_swapped(visit_live):
    page = visit_live(query={"model": GLOBAL, "beam": "5", "with": LOCAL_P, "with_beam": "1"})
    expect(page.locator(".cp-apart")).to_contain_text("local-p")
    page.get_by_role("button", name="Swap").click()
    address_says(page, **{"model": LOCAL_P, "with": GLOBAL, "with_beam": "5"})


@pytest.mark.browser
@pytest.mark.slow
def test_one_model_is_compared_with_itself_and_a_row_leads_to_its_word(visit_live):
    page = visit_live(query={"model": LOCAL_P, "with": LOCAL_P})
    panel = page.get_by_role("region", name="Comparison")
    expect(panel.locator(".cp-apart")).to_contain_text("Same settings")
    expect(panel.locator(".cp-said")).to_contain_text("All words are the same.")
    page.get_by_label("Half-width D").press("Home")
    expect(panel.locator(".cp-apart")).to_have_text(re.compile(r"^Only difference: Half-width D in words \(0 \| 2\)$"))
    page.locator(".ap").press("Home")
    canvas = panel.locator("canvas").first
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] / 2, "y": box["height"] - 6})
    expect(page.locator(".ap-count")).not_to_have_text(re.compile("^step 1 of"))
    canvas.hover(position={"x": box["width"] / 2, "y": box["height"] - 6})
    expect(panel.locator(".cp-read")).to_contain_text("←")


@pytest.mark.browser
@pytest.mark.slow
def test_all_models_that_differ_on_one_axis_are_compared(visit_live, live_models):
    page = visit_live(query={"model": GLOBAL, "with": LOCAL_P})
    panel = page.get_by_role("region", name="Comparison")
    panel.get_by_label("Compare with").select_option("all window")
    address_says(page, race="window")
    traces = [translate(load(live_models / name), first.example()) for name in (GLOBAL, LOCAL_P)]
    expect(panel.locator("canvas")).to_have_count(2)
    for trace, canvas in zip(traces, panel.locator("canvas").all(), strict=True):
        expect(canvas).to_have_attribute("aria-label", f"Attention weights of {trace.model}: {' '.join(trace.target)}")
    expect(panel.locator("figcaption").first).to_have_text("global")
    expect(panel.locator("figcaption").nth(1)).to_have_text(re.compile("^local-p · "))
    same = int(traces[0].target == traces[1].target)
    expect(panel.locator(".cp-said")).to_have_text(f"Same words as the first translation: {same} of 1.")
    page.get_by_label("Model", exact=True).select_option(LOCAL_P)
    expect(panel.locator("figcaption").first).to_have_text("local-p")  # the shown one is the first
    address_says(page, model=LOCAL_P, race="window")
    again = visit_live(query=query(page))
    expect(again.locator(".cp figcaption").first).to_have_text("local-p")


def test_what_came_with_a_chip_is_named(run_js):
    def placed(setup: dict[str, str], **point: str | None) -> dict:
        return {"point": {"score": "dot", "window": "global", "size": "64"} | point, "setup": setup}

    own, other = placed({"cell": "gru", "epochs": "6"}), {"cell": "lstm", "epochs": "6", "layers": "2"}

    def found(then: dict) -> list | None:
        answer = run_js("js.besides(...input)", [AXES, own, then])
        return answer and [answer["axis"]["name"], answer["others"]]

    assert found(placed(other, score="general")) == ["score", ["cell"]]  # only one of them has layers
    assert found(placed(own["setup"], score="general", size="128")) == ["score", ["units"]]
    assert found(placed(own["setup"], score="general")) is None  # nothing else differs
    assert found(placed(other, score="general", window="local-p")) is None  # two chips: not a comparison
    assert found(placed(other, score="none", window=None)) == ["score", ["cell"]]  # it has no window
    assert found(placed(other, size="128")) == ["size", ["cell"]]
    assert found(placed(other)) is None
    axes = [{"name": "pair", "label": "Translate", "chip": True, "values": []}, *AXES]
    mine, french = placed(own["setup"], pair="de-en"), placed(other, pair="en-fr", score="general", window="local-p")
    assert run_js("js.besides(...input)", [axes, mine, french])["others"] == ["score", "window"]
    assert run_js("js.besides(...input)", [axes, mine, placed(other, pair="en-fr")]) is None


def test_models_without_attention_differ_in_their_decoder(run_js):
    order = {
        "name": "order",
        "label": "Order",
        "values": [["luong", "update, attend"], ["bahdanau", "attend, update"]],
        "unattended": {"label": "Decoder", "help": "", "values": [["luong", "Luong's"], ["bahdanau", "Bahdanau's"]]},
    }

    def boards(score: str, other_score: str, other_order: str) -> list:
        points = {"score": score, "order": "luong"}, {"score": other_score, "order": other_order}
        sides = (side(point | {"window": None if point["score"] == "none" else "global"}) for point in points)
        (found,) = run_js("[js.settingsApart(...input)]", [[order], *sides, KNOWN])
        return [(one["label"], one["one"], one["other"]) for one in found]

    assert boards("none", "none", "bahdanau") == [("Decoder", "Luong's", "Bahdanau's")]
    assert boards("dot", "dot", "bahdanau") == [("Order", "update, attend", "attend, update")]
    assert boards("none", "dot", "bahdanau") == [("Order", "–", "attend, update")]
    assert boards("none", "dot", "luong") == boards("dot", "none", "luong") == []


def test_the_setup_of_the_models_has_what_the_axes_leave_out(models):
    names = catalogue.varying(models)
    assert names
    assert not [name for name in names if name.startswith(catalogue.ON_AXES)]
    for name in names:
        assert len({str(model.setup[name]) for model in models.values() if name in model.setup}) > 1


@pytest.mark.browser
@pytest.mark.slow
def test_a_tap_shows_the_numbers_of_a_cell(visit_live):
    page = visit_live(query={"model": LOCAL_P, "with": GLOBAL}, has_touch=True)
    panel = page.get_by_role("region", name="Comparison")
    expect(panel.locator(".cp-said")).not_to_be_empty()
    canvas = panel.locator("canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    canvas.tap(position={"x": box["width"] / 2, "y": box["height"] - 6})
    expect(panel.locator(".cp-read")).to_contain_text("←")
    page.wait_for_timeout(100)
    expect(panel.locator(".cp-read")).to_contain_text("←")
