"""The heatmap that the player saves as SVG, without a server: that of attn_core.figures, with the player's colours."""

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from attn_core import figures
from attn_core.figures.cells import cells, steps
from attn_core.palette import LIGHT
from attn_core.trace import Trace
from tests.browser import traces
from tests.helpers.page_data import PIECES

SVG = "{http://www.w3.org/2000/svg}"
COLUMN, ROW = 38, 27


@pytest.fixture
def saved(hosted, tmp_path) -> Callable[..., ElementTree.Element]:
    """The file that the player of a trace saves, after a reader's `act` on its page."""

    def save(trace: Trace, act: Callable[[Page], object] = lambda page: None, **context) -> ElementTree.Element:
        page = hosted(trace, width=1280, height=900, **context)
        act(page)
        with page.expect_download() as waiting:
            page.get_by_role("button", name="SVG", exact=True).click()
        assert waiting.value.suggested_filename == "heatmap.svg"
        waiting.value.save_as(tmp_path / "heatmap.svg")
        return ElementTree.fromstring((tmp_path / "heatmap.svg").read_text("utf-8"))

    return save


def texts(page: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in page.iter(f"{SVG}text")]


def squares(page: ElementTree.Element) -> list[ElementTree.Element]:
    return [rect for rect in page.iter(f"{SVG}rect") if rect.get("width") == str(COLUMN - 1)]


@pytest.mark.parametrize("window", ["local-p", "local-m", "global"])
def test_the_cells_and_labels_are_those_of_the_figure_in_python(saved, window):
    trace = traces.make(window)
    page = saved(trace)
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", figures.svg(figures.heatmap(trace)))
    n = len(trace.source) + len(trace.words)
    assert texts(page)[1 : n + 1] == [label.replace("&lt;", "<").replace("&gt;", ">") for label in drawn[:n]]
    assert texts(page)[0].startswith(f"{trace.model} · general · {window}")
    found = squares(page)
    for square, cell in zip(found, cells(trace), strict=True):
        words, _, number = square.find(f"{SVG}title").text.rpartition(": ")
        assert words == f"{cell['target']}, {cell['source']}"
        assert float(number) == pytest.approx(cell["weight"], rel=6e-3, abs=1e-12)
        assert (square.get("fill") == LIGHT["outside"]) is not cell["in_window"]
    left, top = (min(float(square.get(name)) for square in found) for name in "xy")
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in page.iter(f"{SVG}circle")]
    centers = [step for step in steps(trace) if step["center"] is not None]
    assert bool(dots) is (window != "global")
    for (x, y), step in zip(dots, centers, strict=True):
        position = min(max(step["center"], -0.5), len(trace.source) - 0.5)
        assert (x, y) == pytest.approx(
            (left + (position + 0.5) * COLUMN, top + (step["target_position"] + 0.5) * ROW), abs=0.02
        )


def test_a_larger_weight_is_darker_and_the_legend_ends_at_the_scale(saved):
    page = saved(traces.make("global"), color_scheme="dark")  # a file is on white in any theme
    shades = []
    for square in squares(page):
        red, green, blue = map(int, re.fullmatch(r"rgb\((\d+),(\d+),(\d+)\)", square.get("fill")).groups())
        weight = float(square.find(f"{SVG}title").text.rpartition(": ")[2])
        shades.append((weight, 0.2126 * red + 0.7152 * green + 0.0722 * blue))
    brightness = [shade for _, shade in sorted(shades)]
    assert all(one >= other - 1 for one, other in itertools.pairwise(brightness))
    assert brightness[0] > brightness[-1] + 100
    assert texts(page)[-3:] == ["weights", "1", "0"]
    assert page.find(f"{SVG}rect").get("fill") == LIGHT["background"]


def test_the_file_shows_what_the_heatmap_shows(saved):
    trace = traces.make("local-p", looks=3)
    page = saved(trace, lambda page: page.get_by_role("combobox", name="Layer and head").select_option("2"))
    assert " · layer 0, head 2" in texts(page)[0]
    weights = trace.weights(2).flatten().tolist()
    numbers = [float(square.find(f"{SVG}title").text.rpartition(": ")[2]) for square in squares(page)]
    assert numbers == pytest.approx(weights, rel=6e-3, abs=1e-12)


def test_words_of_several_pieces_are_joined_unless_pieces_are_shown(saved):
    trace = traces.make("global", PIECES)
    for act, by_words in ((lambda page: None, True), (lambda page: page.get_by_label("pieces").check(), False)):
        drawn = re.findall(r"<text[^>]*>([^<]*)</text>", figures.svg(figures.heatmap(trace, by_words=by_words)))
        page = saved(trace, act)
        count = len({square.get("x") for square in squares(page)})
        assert texts(page)[1 : count + 1] == drawn[:count]


def test_words_that_look_like_markup_stay_words(saved):
    trace = traces.make("global", (["<b>", "&amp;", '"x"'], ["</svg>", "a", "</s>"]))
    page = saved(replace(trace, model="m"))
    assert texts(page)[1:5] == ["0 <b>", "1 &", '2 "x"', "0 </svg>"]


def test_without_attention_there_is_no_file(hosted):
    page = hosted(traces.make(window=None))
    expect(page.get_by_role("button", name="SVG", exact=True)).to_have_count(0)
