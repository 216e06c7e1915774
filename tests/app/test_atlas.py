"""Maps of a translation over two settings: their regions, and in a browser."""

import re
from math import floor, log10
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.service import first
from attn_core import load, translate
from attn_core.decoding.translate import text_of
from attn_core.web import facts
from tests.helpers.javascript import evaluator
from tests.helpers.visits import address_says

ATLAS = Path(__file__).parents[2] / "app" / "explorer" / "atlas"
LOCAL_P = "luong-general-local-p"

DONE = {n: re.compile(rf"distinct translations in {n} cells|All {n} cells give the same") for n in ("18", "100")}


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("atlas"), (ATLAS / "regions.js", ATLAS / "charts.js"))


CHARTS = {"windows": "js.windowChart('local-p', input[0])", "searches": "js.searchChart(input[0])"}


def found(texts: str) -> list[dict | None]:
    """A translation of one word for each letter; a dot: not there yet."""
    return [None if text == "." else {"text": text, "words": [text], "score": -1} for text in texts]


def test_the_translation_of_the_page_comes_first_then_the_most_frequent(run_js):
    regions = run_js("js.regions(...input)", [found("xyyyzz.x"), "z"])
    assert [(one["letter"], one["text"], one["places"]) for one in regions] == [
        ("A", "z", [4, 5]),
        ("B", "y", [1, 2, 3]),
        ("C", "x", [0, 7]),
    ]


def test_letters_go_on_after_z(run_js):
    assert run_js("input.map(js.letter)", [0, 25, 26, 27, 51, 52]) == ["A", "Z", "AA", "AB", "AZ", "BA"]


def test_a_border_is_where_two_translations_meet(run_js):
    """In a map of two rows and three columns; not at its edge, nor beside a cell that is not there yet."""
    found_borders = run_js("input.map((_, place) => js.borders(input, place, 3))", found("xyxxz."))
    sides = [[side for side, yes in one.items() if yes] for one in found_borders]
    assert sides == [["right"], ["right", "bottom", "left"], ["left"], ["right"], ["top", "left"], []]


def test_the_nearest_settings_are_translated_first(run_js):
    order = run_js("js.outward(9, 3, 4)", None)
    assert order[0] == 4
    assert set(order[1:5]) == {1, 3, 5, 7}
    assert sorted(order) == list(range(9))


def test_the_words_that_another_translation_does_not_have_are_marked(run_js):
    one, other = ["a", "man", "is", "holding", "it"], ["a", "girl", "is", "trying", "it"]
    assert run_js("js.flipped(...input)", [one, other]) == [False, True, False, True, False]


@pytest.mark.parametrize("chart", CHARTS)
def test_a_map_belongs_to_the_edits_and_replaced_words_of_the_translation(run_js, chart):
    edit = {"kind": "word", "step": 0, "word": "dog"}
    traces = [{"settings": settings} for settings in ({}, {"edits": [edit]}, {"replace_unk": True})]
    asked = f"input[1].map((trace) => JSON.stringify({CHARTS[chart]}.rest(trace)))"
    assert len(set(run_js(asked, [facts.windows(), traces]))) == 3


def test_a_map_of_searches_belongs_to_the_window_and_one_of_windows_does_not(run_js):
    traces = [{"settings": {"window": "local-p", "half_width": d, "sigma": d / 2}} for d in (1, 2)]
    for chart, rests in (("windows", 1), ("searches", 2)):
        asked = f"input[1].map((trace) => JSON.stringify({CHARTS[chart]}.rest(trace)))"
        assert len(set(run_js(asked, [facts.windows(), traces]))) == rests


def test_a_translation_that_is_not_on_the_map_has_no_place_there(run_js):
    places = "input[1].map((settings) => {chart}.places({{ source: [...'abc'], settings }}).current)"
    window = {"half_width": 2, "sigma": "0.5"}
    windows = [window, window | {"centers": {"0": 1.5}}, window | {"sigma": "0.55"}, window | {"half_width": 3}]
    assert run_js(places.format(chart=CHARTS["windows"]), [facts.windows(), windows]) == [29, -1, -1, -1]
    beams = [{"beam": 2, "normalise": "length"}, {"beam": 7, "normalise": "length"}]
    on, off = run_js(places.format(chart=CHARTS["searches"]), [facts.windows(), beams])
    assert on > 0 > off


def test_the_map_of_a_window_is_made_from_its_live_settings(run_js):
    """Its columns are the first whole-number setting, its rows the first real-valued one; its texts are theirs."""
    live = [
        {"name": "slope", "symbol": "k", "meaning": "how steep the edge is", "whole": False, "least": 0.3, "most": 2},
        {"name": "left", "symbol": "L", "meaning": "words before", "label": "Words before", "whole": True, "least": 1},
        {"name": "right", "symbol": "R", "meaning": "words after", "whole": True, "least": 0, "most": 100},
    ]
    windows = {"own": {"live": [{"multiple": None, "nullable": False, "most": None} | one for one in live]}}
    settings = {"window": "own", "slope": 0.4, "left": 2, "right": 7, "centers": None}
    chart = "const chart = js.windowChart('own', input[0]), trace = { source: [...'abc'], settings: input[1] };"
    found = run_js(
        f"(() => {{ {chart} return [chart.title, chart.axes, chart.names, chart.places(trace), "
        "chart.request(0.4, 3), chart.action(0.4, 3, trace)]; })()",
        [windows, settings],
    )
    title, axes, names, places, request, action = found
    assert title == "Map of windows: the translation for each L and k"
    assert (axes, names) == (["Rows: how steep the edge is", "Columns: Words before"], ["k", "L"])
    assert places == {"rows": [2, 1.8, 1.6, 1.4, 1.2, 1, 0.8, 0.6, 0.4], "columns": [1, 2, 3], "current": 25}
    assert request == {"slope": 0.4, "left": 3, "centers": None}
    wanted = {"slope": 0.4, "left": 3, "right": 7}
    assert action == {"type": "window set", "window": "own", "live": wanted, "centers": None}


def test_a_window_without_a_whole_and_a_real_setting_has_no_map(run_js):
    assert run_js("js.windowChart('global', input)", facts.windows()) is None
    assert run_js("js.windowChart(null, input)", facts.windows()) is None


@pytest.mark.browser
@pytest.mark.slow
def test_the_map_of_windows_has_the_translation_of_each_window(visit_live, live_models):
    page = visit_live(query={"model": LOCAL_P})
    page.get_by_role("tab", name="D × σ").click()
    atlas = page.locator(".at")
    expect(atlas.locator(".at-status")).to_contain_text("cells", timeout=60_000)
    expect(atlas.locator(".at-cell")).to_have_count(100)
    expect(atlas.locator(".at-status")).to_contain_text(DONE["100"], timeout=60_000)
    model = load(live_models / LOCAL_P)
    for sigma, width in ((5.0, 0), (0.5, 9), (1.5, 3)):
        trace = translate(model, first.example(), half_width=width, sigma=sigma)
        cell = atlas.get_by_role("button", name=f"σ = {sigma:g}, D = {width}:")
        expect(cell).to_have_attribute("title", f"σ = {sigma:g}, D = {width}: {text_of(model, trace)} ({said(trace)})")
    cell.click()
    address_says(page, D="3", sigma="1.5")
    expect(atlas.locator(".at-own")).to_have_attribute("title", cell.get_attribute("title") or "")
    cell.press("ArrowRight")
    expect(atlas.get_by_role("button", name="σ = 1.5, D = 4:")).to_be_focused()


def said(trace) -> str:
    """log p per word, with three significant digits."""
    mean = trace.log_prob / len(trace.words)
    return f"{mean:.{2 - floor(log10(abs(mean)))}f}".replace("-", "−")


@pytest.mark.browser
@pytest.mark.slow
def test_a_model_without_a_window_has_a_map_of_searches_only(visit_live):
    page = visit_live(query={"model": "luong-general-global"})
    expect(page.get_by_role("tab", name="D × σ")).to_have_count(0)
    page.get_by_role("tab", name="Beam × ranking").click()
    atlas = page.locator(".at")
    expect(atlas.locator(".at-status")).to_contain_text(DONE["18"], timeout=60_000)
    atlas.get_by_role("button", name="ranking = log p, beam = 3:").click()
    address_says(page, beam="3", normalise="none")
