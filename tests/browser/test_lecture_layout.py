"""Lecture layout of a player: the step and the heatmap fill the window, and the keys of a remote control."""

import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser import traces
from tests.helpers.javascript import assert_apart, call_in_page, settle


def words(n: int) -> tuple[list[str], list[str]]:
    """A sentence of `n` words and its translation, with words of usual lengths."""
    return [f"wort{s}" for s in range(n)], [*(f"word{t}" for t in range(n)), "</s>"]


PARTS = (
    ".ap-section-window",
    ".ap-section-view .ap-legend",
    ".ap-scrub",
    ".ap-top .ap-select",
    ".ap-buttons [aria-label='Step forward']",
)
SIZE = {"width": 1280, "height": 720}
HIDDEN_BELOW = (
    "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.ap-presented'))"
)
NUMBER = re.compile(r"−?\d*\.?\d+")
PRESENTED = "document.querySelector('.ap-presented') !== null"


def present(page: Page) -> None:
    """Begin lecture layout by its key."""
    page.locator(".ap").press("f")
    page.wait_for_function(PRESENTED)
    settle(page)


@pytest.mark.parametrize("n", [12, 25, 34])
@pytest.mark.parametrize("window", ["global", "local-p"])
def test_numbers_are_large_enough_for_the_last_row(hosted, window, n):
    page = hosted(traces.make(window, words=words(n)), **SIZE)
    call_in_page(page, "recordTexts")
    present(page)
    page.locator(".ap").press("ArrowRight")
    settle(page)
    numbers = [each for each in page.evaluate("window.drawn") if NUMBER.fullmatch(each["text"])]
    assert any("." in each["text"] for each in numbers)  # over the bars, and not only the ruler's
    assert min(each["size"] for each in numbers) >= 20


def texts_of_steps(page: Page, steps: int) -> Iterator[list[dict[str, Any]]]:
    """What the page, once presented, writes at each of its next steps (recordTexts of in_page.js)."""
    call_in_page(page, "recordTexts")
    present(page)
    for _ in range(steps):
        page.evaluate("window.drawn.length = 0")
        page.locator(".ap").press("ArrowRight")
        settle(page)
        yield page.evaluate("window.drawn")


def test_numbers_in_narrow_columns_do_not_touch(hosted):
    for texts in texts_of_steps(hosted(traces.make("global", words=words(25)), **SIZE), 10):
        weights = [each for each in texts if re.fullmatch(r"1?\.\d\d", each["text"])]
        assert weights
        assert_apart(weights)


@pytest.mark.parametrize("n", [12, 13, 14])
def test_numbers_in_usual_columns_have_room_between_them(hosted, n):
    for texts in texts_of_steps(hosted(traces.make("global", words=words(n)), **SIZE), 4):
        numbers = [each for each in texts if NUMBER.fullmatch(each["text"]) and "." in each["text"]]
        assert numbers
        assert_apart(numbers, gap=3.9)


@pytest.mark.parametrize("n", [12, 25])
def test_everything_is_on_the_screen_and_nothing_else(hosted, n):
    page = hosted(traces.make("local-p", words=words(n)), **SIZE)
    present(page)
    assert page.evaluate(HIDDEN_BELOW) == 0
    for hidden in PARTS:
        assert page.locator(hidden).is_hidden(), hidden
    assert page.locator(".ap-present").is_visible()
    page.locator(".ap-present").click()
    page.wait_for_function(f"!({PRESENTED})")
    for shown in PARTS:
        assert page.locator(shown).is_visible(), shown


@pytest.mark.parametrize("n", [34, 55])
def test_the_words_of_a_long_sentence_are_on_the_screen(hosted, n):
    source, target = words(n)
    page = hosted(traces.make("local-p", words=(source, target)), **SIZE)
    call_in_page(page, "recordTexts")
    present(page)
    page.locator(".ap").press("ArrowRight")
    settle(page)
    top = page.locator("canvas").first.bounding_box()["y"]
    drawn = {each["text"]: top + each["top"] for each in page.evaluate("window.drawn") if each["text"] in source}
    assert list(drawn) == source
    assert max(drawn.values()) < SIZE["height"]
    assert page.evaluate(HIDDEN_BELOW) > 0  # the heatmap
    scrolls = page.locator(".ap-scroll")
    assert scrolls.evaluate("one => one.scrollWidth - one.clientWidth") <= 1
    numbers = [each["size"] for each in page.evaluate("window.drawn") if NUMBER.fullmatch(each["text"])]
    assert min(numbers) >= 20


def test_the_model_and_its_most_probable_next_words_are_named(hosted):
    trained = {"window": "local-p", "half_width": 4, "sigma": 2.0}
    made = traces.make("local-p", words=words(12), half_width=2, trained=trained)
    page = hosted(made, **SIZE)
    model, intervention = page.locator(".ap-model"), page.locator(".ap-intervention")
    assert model.is_hidden()
    assert intervention.is_hidden()
    present(page)
    assert model.is_visible()
    assert model.inner_text() == made.model
    assert intervention.is_visible()
    assert "local-p, D = 4, σ = 2" in intervention.inner_text()
    rows = page.locator(".ap-next-row:visible")
    shown = [(row.locator(".ap-next-word").inner_text(), row.locator(".ap-next-p")) for row in rows.all()]
    likely = [(word, math.exp(log_prob)) for word, log_prob in made.words[0].top[:4]]
    likely.append(("all other words", 1 - sum(p for _, p in likely)))
    assert [word for word, _ in shown] == [word for word, _ in likely]
    assert [float(p.inner_text()) for _, p in shown] == pytest.approx([p for _, p in likely], abs=0.006)
    for _, p in shown:
        assert float(p.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) >= 20
        box = p.bounding_box()
        assert box["x"] + box["width"] <= SIZE["width"]
    assert page.evaluate(HIDDEN_BELOW) == 0


def test_a_model_as_trained_is_no_intervention(hosted):
    page = hosted(traces.make("local-p", words=words(12)), **SIZE)
    present(page)
    assert page.locator(".ap-intervention").is_hidden()


def test_a_remote_control_steps_through_the_sentence(hosted):
    page = hosted(traces.make("global"), **SIZE)
    count = page.locator(".ap-count")
    page.locator(".ap").press("Home")
    first = count.inner_text()
    page.locator(".ap").press("PageDown")
    settle(page)
    assert count.inner_text() == first  # outside, the key scrolls the page
    present(page)
    page.locator(".ap").press("PageDown")
    settle(page)
    second = count.inner_text()
    assert second != first
    page.locator(".ap").press("PageUp")
    settle(page)
    assert count.inner_text() == first
    page.locator(".ap").press("f")
    page.wait_for_function(f"!({PRESENTED})")


def test_it_fills_the_window_where_the_browser_has_no_full_screen(hosted):
    page = hosted(traces.make("global"), **SIZE)
    page.add_init_script("Object.defineProperty(document, 'fullscreenEnabled', { value: false })")
    page.reload()
    page.locator(".ap-count").wait_for()
    present(page)
    assert page.evaluate("document.fullscreenElement") is None
    assert page.locator(".ap-presented").bounding_box() == {"x": 0, "y": 0, **SIZE}
    page.locator(".ap").press("Escape")
    page.wait_for_function(f"!({PRESENTED})")


def test_it_ends_with_full_screen(hosted):
    """In full screen the browser keeps Escape for itself."""
    page = hosted(traces.make("global"), **SIZE)
    present(page)
    page.wait_for_function("document.fullscreenElement !== null")
    page.evaluate("document.exitFullscreen()")
    page.wait_for_function(f"!({PRESENTED})")
