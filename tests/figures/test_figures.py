import re
import struct
from dataclasses import replace

import pytest
import torch

from attn_core.figures import bars, curves, gradient_noise, grid, heatmap, intervals, png, svg
from attn_core.figures.cells import cells, steps
from attn_core.palette import LIGHT
from attn_core.trace import Focus, Look, Memory, Step, Trace, Word
from tests.browser import traces

BELL = 0.6065306597126334  # exp(-1/2): one word from the centre, sigma 1


@pytest.fixture
def by_hand() -> Trace:
    """Two words to two words, a repeated word on both sides; the second step has one word in view."""

    def look(inside: list[bool], align: list[float], gaussian: list[float], center: float) -> Step:
        focus = Focus(torch.tensor(inside), torch.tensor(gaussian), torch.tensor(center))
        weights = torch.tensor(align) * torch.tensor(gaussian)
        one = Look(torch.zeros(1), torch.tensor([1.0, 1.0]), focus, torch.tensor(align), weights, torch.zeros(1))
        return Step((one,), torch.zeros(1), torch.zeros(1))

    first = look([True, True], [0.5, 0.5], [1.0, BELL], 0.0)
    second = look([False, True], [0.0, 1.0], [0.0, 1.0], 1.0)
    memory = Memory(torch.zeros(2, 1), torch.zeros(2, 1), torch.tensor([True, True]))
    words = (Word(0, "a", -0.1, (("a", -0.1),), first), Word(1, "a", -0.2, (("a", -0.2),), second))
    return Trace("by-hand", {}, ("den", "den"), (), memory, words)


def test_cells_hold_the_numbers_of_the_trace(by_hand):
    found = [(c["target_position"], c["source_position"], c["weight"], c["in_window"]) for c in cells(by_hand)]
    assert found == [
        (0, 0, 0.5, True),
        (0, 1, pytest.approx(0.5 * BELL), True),
        (1, 0, 0.0, False),
        (1, 1, 1.0, True),
    ]
    assert [(s["center"], s["first"], s["last"]) for s in steps(by_hand)] == [(0.0, 0, 1), (1.0, 1, 1)]


def test_repeated_words_keep_their_own_rows_and_columns(by_hand):
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", svg(heatmap(by_hand)))
    assert [label for label in drawn if "den" in label] == ["0 den", "1 den"]
    assert [label for label in drawn if re.fullmatch(r"\d a", label)] == ["0 a", "1 a"]


def test_a_cell_is_drawn_for_every_pair_and_a_dot_for_every_center(by_hand):
    page = svg(heatmap(by_hand))
    assert len(re.findall(r'aria-roledescription="rect mark"', page)) == 4
    assert len(re.findall(r'aria-roledescription="point"', page)) == 2


def test_every_label_is_drawn_even_in_a_long_sentence():
    page = svg(heatmap(traces.make(words=traces.LONG)))
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", page)
    assert [f"{i} {word}" for i, word in enumerate(traces.LONG[0])] == drawn[: len(traces.LONG[0])]
    assert f"{len(traces.LONG[1]) - 1} &lt;/s&gt;" in drawn


@pytest.mark.parametrize(("window", "layers"), [("global", 1), ("local-m", 3), ("local-p", 3)])
def test_only_local_windows_have_an_outside_and_a_path(window, layers):
    drawn = heatmap(traces.make(window=window)).to_dict()
    assert len(drawn["layer"]) == layers


def test_a_figure_is_a_function_of_the_trace():
    trace = traces.make()
    assert heatmap(trace).to_json() == heatmap(trace).to_json()
    assert heatmap(trace, dark=True).to_json() != heatmap(trace).to_json()


@pytest.mark.parametrize("show", ["weight", "alignment", "score", "gaussian"])
def test_any_number_can_be_the_color(show):
    drawn = heatmap(traces.make(), show=show).to_dict()
    assert drawn["layer"][1]["encoding"]["color"]["field"] == show


def test_without_attention_there_is_no_heatmap():
    trace = traces.make(window=None)
    with pytest.raises(ValueError, match="has no attention"):
        heatmap(trace)


def test_a_png_has_scale_pixels_for_each_of_the_drawing(by_hand):
    def size(picture: bytes) -> tuple[int, int]:
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        return struct.unpack(">II", picture[16:24])

    one, three = size(png(heatmap(by_hand), 1)), size(png(heatmap(by_hand), 3))
    assert three == (3 * one[0], 3 * one[1])


@pytest.mark.parametrize("show", ["foo", "weights", ""])
def test_a_trace_that_cannot_be_drawn_is_an_error(by_hand, show):
    with pytest.raises(ValueError, match=f"show must be one of weight, alignment, score, gaussian, not '{show}'"):
        heatmap(by_hand, show=show)


@pytest.mark.parametrize("look", [1, -1])
@pytest.mark.parametrize("make", [heatmap, cells, steps])
def test_a_missing_head_is_an_error(by_hand, make, look):
    with pytest.raises(ValueError, match=f"look must be an index from 0 to 0 in this trace, not {look}"):
        make(by_hand, look)


ROWS = [
    {"name": "one", "mean": 0.5, "low": -0.1, "high": 1.1, "each": [0.4, 0.6]},
    {"name": "two", "mean": -2.0, "low": -3.0, "high": -1.0, "each": [-2.0]},
]


def test_intervals_without_rows_are_an_error():
    with pytest.raises(ValueError, match="rows must not be empty"):
        intervals([], "difference")
    with pytest.raises(ValueError, match=r"chosen must be the name of a row, one of .*, not 'nobody'"):
        intervals(ROWS, "difference", chosen="nobody")


def test_intervals_are_drawn_as_they_are_given():
    spec = intervals(ROWS, "difference", chosen="two").to_dict()
    zero, bar, dots, point = spec["layer"]
    assert [(row["low"], row["high"], row["chosen"]) for row in bar["data"]["values"]] == [
        (-0.1, 1.1, False),
        (-3.0, -1.0, True),
    ]
    assert [row["value"] for row in dots["data"]["values"]] == [0.4, 0.6, -2.0]
    assert point["encoding"]["x"]["field"] == "mean"
    assert zero["data"]["values"] == [{"zero": 0}]
    assert all(row["chosen"] for row in intervals(ROWS, "difference").to_dict()["layer"][1]["data"]["values"])
    assert svg(intervals(ROWS, "difference")).startswith("<svg")
    assert intervals(ROWS, "x", dark=True).to_dict() != intervals(ROWS, "x").to_dict()


def test_several_looks_are_shown_one_by_one_or_as_their_mean():
    trace = traces.make("global", looks=3)
    looks = trace.words[1].step.looks
    row = len(trace.source) + 2  # the third source word at the second step
    for name, mean in (
        ("weight", sum(look.weights[2] for look in looks) / 3),
        ("score", sum(look.scores[2] for look in looks) / 3),
    ):
        assert cells(trace)[row][name] == pytest.approx(mean.item(), abs=1e-6)
        assert cells(trace, 2)[row][name] == pytest.approx(getattr(looks[2], f"{name}s")[2].item())
    assert heatmap(trace).title.text.endswith(" · mean of 3 heads")
    assert heatmap(trace, 2).title.text.endswith(" · layer 0, head 2")
    assert heatmap(traces.make("global")).title.text.endswith("greedy")
    with pytest.raises(ValueError, match="look must be an index from 0 to 2"):
        heatmap(trace, 3)


def test_the_noise_of_a_gradient_is_drawn_for_every_credit_and_time():
    """Two points in training, two credits, with and without a baseline: eight bars with numbers and ticks."""
    numbers = {"mean": 0.125, "deviation": 0.75, "noise": 6.0}
    found = {
        when: dict.fromkeys(("word", "word, no baseline", "to_go", "to_go, no baseline"), numbers) for when in "ab"
    }
    found["b"]["to_go, no baseline"] = {"mean": 0.0, "deviation": 1.5, "noise": None}
    page = svg(gradient_noise(found))
    assert len(re.findall(r'aria-roledescription="bar"', page)) == 8
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", page)
    assert (drawn.count("0.75"), drawn.count("1.50")) == (7, 1)
    assert {"its word", "its word and later words", "with a baseline", "without", "a", "b"} <= set(drawn)
    with pytest.raises(ValueError, match="gradient must not be empty"):
        gradient_noise({})


RESULTS = [
    {"model": name, "words": words, "BLEU": bleu, "low": bleu - 5, "high": bleu + 5}
    for name, scores in {"b": (30, 20, 10), "a": (40, 38, 36)}.items()
    for words, bleu in zip((10, 20, 40), scores, strict=True)
]


def marks(chart, role: str) -> list[str]:
    """The screen-reader labels of all marks of a kind, in drawing order."""
    return re.findall(rf'aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="{role}"', svg(chart))


def test_curves_are_one_line_for_each_name_and_a_point_for_each_row():
    chart = curves(RESULTS, "words", "BLEU", "model")
    assert len(marks(chart, "line mark")) == 2
    assert [re.findall(r"words: (\d+); BLEU: (\d+)", point)[0] for point in marks(chart, "point")] == [
        (str(row["words"]), str(row["BLEU"])) for row in RESULTS
    ]
    assert marks(chart, "area mark") == []
    assert len(marks(curves(RESULTS, "words", "BLEU", "model", low="low", high="high"), "area mark")) == 2


def test_names_keep_the_order_of_the_rows():
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", svg(curves(RESULTS, "words", "BLEU", "model", title="a title")))
    assert [text for text in drawn if text in ("a", "b", "a title")] in (["b", "a", "a title"], ["a title", "b", "a"])


@pytest.mark.parametrize("axes", ["", "x", "y", "xy"])
def test_the_axes_named_are_logarithmic(axes):
    encoding = curves(RESULTS, "words", "BLEU", "model", log=axes).to_dict()["layer"][0]["encoding"]
    assert "".join(axis for axis in "xy" if encoding[axis]["scale"].get("type") == "log") == axes


def test_bars_stack_from_below_in_the_order_of_the_rows():
    rows = [{"word": "w", "share": share, "mass": mass} for share, mass in (("kept", 0.75), ("gone", 0.25))]
    chart = bars(rows, "word", "mass", "share")
    assert [re.findall(r"share: (\w+)", bar)[0] for bar in marks(chart, "bar")] == ["kept", "gone"]
    below, above = (float(y) for y in re.findall(r'aria-roledescription="bar"[^>]*? d="M[\d.]+,([\d.]+)', svg(chart)))
    assert below > above  # downwards


def test_bars_stand_side_by_side_or_alone():
    rows = [{"word": "w", "score": score, "entropy": 1} for score in ("dot", "general")]
    both = svg(bars(rows, "word", "entropy", "score", side_by_side=True))
    lefts = re.findall(r'aria-roledescription="bar"[^>]*? d="M([\d.]+)', both)
    assert len(set(lefts)) == 2
    assert len(marks(bars(rows[:1], "word", "entropy"), "bar")) == 1


def test_bars_have_the_interval_that_is_named():
    drawn = svg(bars(RESULTS[:1], "model", "BLEU", low="low", high="high"))
    assert drawn.count('aria-roledescription="rule mark"') == 1
    assert re.search(r'aria-label="model: b; BLEU: 25; high: 35;[^"]*low: 25" [^>]*"rule mark"', drawn)
    with pytest.raises(ValueError, match="each row must have a field 'worst'"):
        bars(RESULTS, "model", "BLEU", low="worst", high="high")


def test_a_tip_shows_every_field_of_a_row():
    chart = bars([{"word": "w", "entropy": 1.5, "note": "n"}], "word", "entropy").to_dict()
    tips = chart["layer"][0]["encoding"]["tooltip"]
    assert [(tip["field"], tip["type"]) for tip in tips] == [
        ("word", "nominal"),
        ("entropy", "quantitative"),
        ("note", "nominal"),
    ]


@pytest.mark.parametrize("draw", [curves, bars])
def test_rows_that_cannot_be_drawn_are_an_error(draw):
    with pytest.raises(ValueError, match="rows must not be empty"):
        draw([], "x", "y", "z")
    with pytest.raises(ValueError, match="each row must have a field 'z', but a row has only 'x', 'y'"):
        draw([{"x": 1, "y": 2, "z": 3}, {"x": 1, "y": 2}], "x", "y", "z")


def test_the_mean_of_looks_through_different_windows_is_in_view_where_any_is():
    """The members of an ensemble may have different windows; p_t is drawn only where they agree."""
    local, whole = traces.make("local-p"), traces.make("global")
    words = tuple(
        replace(one, step=replace(one.step, looks=(*one.step.looks, *other.step.looks)))
        for one, other in zip(local.words, whole.words, strict=False)
    )
    both = replace(local, words=words)
    assert all(row["in_window"] for row in cells(both))
    assert not all(row["in_window"] for row in cells(both, 0))
    assert all(step["center"] is None for step in steps(both))
    twice = tuple(replace(one, step=replace(one.step, looks=one.step.looks * 2)) for one in local.words)
    assert [step["center"] for step in steps(replace(local, words=twice))] == [step["center"] for step in steps(local)]


def test_a_grid_has_a_map_for_each_name_and_a_cell_for_each_weight():
    maps = {"head 1": torch.tensor([[0.25, 0.75], [1.0, 0.0]]), "head 0": torch.tensor([[1.0, torch.nan], [0.5, 0.5]])}
    page = svg(grid(maps, ["the", "the"], ["den", "den"]))
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", page)
    assert [text for text in texts if text.startswith("head")] == ["head 1", "head 0"]
    assert {"0 the", "1 the", "0 den", "1 den"} <= set(texts)
    assert len(re.findall(r'aria-roledescription="rect mark"', page)) == 7  # not for masked positions
    rows = grid(maps, ["the", "the"], ["den", "den"]).to_dict()["data"]["values"]
    assert rows[1] == {"map": "head 1", "from": "0 the", "to": "1 den", "weight": 0.75}
    assert rows[4:6] == [
        {"map": "head 0", "from": "0 the", "to": "0 den", "weight": 1.0},
        {"map": "head 0", "from": "1 the", "to": "0 den", "weight": 0.5},
    ]


def test_a_grid_of_signed_shares_has_zero_in_the_colour_of_the_paper():
    values = {"occlusion": torch.tensor([[-1.0, 0.5]])}
    chart = grid(values, ["the"], ["der", "die"], signed=True).to_dict()
    assert [row["share"] for row in chart["data"]["values"]] == [-1, 0.5]
    scale = chart["spec"]["encoding"]["color"]["scale"]
    assert scale["domain"] == [-1, 0, 1]
    assert scale["range"][1] == LIGHT["background"]


def test_a_grid_that_cannot_be_drawn_is_an_error():
    with pytest.raises(ValueError, match="maps must not be empty"):
        grid({}, [], [])
    with pytest.raises(ValueError, match="head 1 must have 3 x 2 weights for these words, not 2 x 3"):
        grid({"head 1": torch.zeros(2, 3)}, ["a", "b", "c"], ["d", "e"])
