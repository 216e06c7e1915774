"""The player of a page that translates: it asks for windows and steps, and shows what it is given."""

import json

import pytest
from playwright.sync_api import Page, expect

from attn_core.trace import Trace, dump
from tests.browser import traces
from tests.helpers.browser import drag
from tests.helpers.javascript import settle

WORDS = traces.SHORT
OTHER = (WORDS[0], ["a", "cat", "sleeps", "</s>"])  # what a decode with D = 0 finds


def trace_of(half_width: int) -> Trace:
    trained = {"window": "local-p", "half_width": 2, "sigma": 1.0}
    words = OTHER if half_width == 0 else WORDS
    return traces.make(words=words, half_width=half_width, trained=trained, seed=half_width)


def decoded(half_width: int) -> dict:
    return json.loads(dump(trace_of(half_width)))


@pytest.fixture
def page(hosted) -> Page:
    return hosted(trace_of(2))


def slide(page: Page, half_width: int) -> None:
    """Move the slider for D, and wait for the picture."""
    drag(page, half_width)
    settle(page)


def answer(page: Page, half_width: int) -> None:
    page.evaluate("(text) => window.answer(text)", json.dumps(decoded(half_width)))
    settle(page)


def words(page: Page) -> list[str]:
    return page.locator(".ap-word").all_text_contents()


def test_a_slider_asks_for_its_window_and_shows_it_at_once(page):
    assert words(page) == WORDS[1]
    slide(page, 0)
    assert page.get_by_label("Half-width D").input_value() == "0"
    assert words(page) == WORDS[1]  # until the answer is there, the last picture stays
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    (asked,) = page.evaluate("actions")
    assert (asked["type"], asked["window"], asked["live"]["half_width"]) == ("window set", "local-p", 0)
    answer(page, 0)
    assert words(page) == OTHER[1]
    expect(page.locator(".ap-note")).to_have_text("with a window the model was not trained with")
    assert page.locator(".ap-next-word").first.inner_text() == decoded(0)["steps"][0]["top"][0][0]
    assert page.get_by_label("Half-width D").input_value() == "0"


def test_the_trained_window_is_asked_for_by_no_window(page):
    slide(page, 0)
    answer(page, 0)
    page.get_by_role("button", name="Reset", exact=True).click()
    assert page.evaluate("actions.at(-1)") == {"type": "window set", "window": None, "live": {}, "centers": None}


def test_without_a_decoder_there_are_no_sliders(page):
    expect(page.get_by_label("Half-width D")).to_be_visible()
    page.evaluate("draw({ hasSliders: false })")
    expect(page.get_by_label("Half-width D")).to_be_hidden()
    assert words(page) == WORDS[1]


def test_a_click_on_a_cell_opens_the_number_that_the_map_shows(page):
    page.locator("input[value=alignment]").check(force=True)
    for plot in (".ap-plot", ".ap-map"):
        box = page.locator(plot).bounding_box()
        for share in (0.15, 0.35, 0.55, 0.75, 0.95):
            for across in (0.1, 0.3, 0.5, 0.7, 0.9):
                page.mouse.click(box["x"] + across * box["width"], box["y"] + share * box["height"])
    clicks = page.evaluate("actions.filter(({ type }) => type === 'number opened')")
    keys = {kind: {one["key"] for one in clicks if (one["row"] is None) == kind} for kind in (True, False)}
    assert keys[False] == {"alignment"}
    assert len(keys[True]) > 1, "the bars of several rows were clicked too"
