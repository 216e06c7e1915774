"""Presenter view: the step and the heatmap on the whole screen, and the keys of a remote control."""

import re

import pytest
from playwright.sync_api import Page

from tests.helpers.javascript import settle
from tests.web import traces

pytestmark = pytest.mark.browser

WORDS = ([f"wort{s}" for s in range(12)], [*(f"word{t}" for t in range(12)), "</s>"])
PARTS = (".ap-side", ".ap-scrub", ".ap-top .ap-select", ".ap-buttons [aria-label='Step forward']")
SIZE = {"width": 1280, "height": 720}
SPY = """() => {
    window.drawn = [];
    const fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        window.drawn.push({ text, size: parseFloat(this.font.match(/([\\d.]+)px/)[1]) });
        fill.call(this, text, x, y);
    };
}"""
HIDDEN_BELOW = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.fullscreenElement)"
NUMBER = re.compile(r"-?\d+(\.\d+)?")
PRESENTED = "document.fullscreenElement?.matches('.ap-root') ?? false"


def present(page: Page) -> None:
    """Begin presenter view by its key."""
    page.locator(".ap").press("f")
    page.wait_for_function(PRESENTED)
    settle(page)


@pytest.mark.parametrize("window", ["global", "local-p"])
def test_numbers_are_large_enough_for_the_last_row(hosted, window):
    page = hosted(traces.make(window, words=WORDS), **SIZE)
    page.evaluate(SPY)
    present(page)
    page.locator(".ap").press("ArrowRight")
    settle(page)
    numbers = [each for each in page.evaluate("window.drawn") if NUMBER.fullmatch(each["text"])]
    assert any("." in each["text"] for each in numbers)  # over the bars, and not only the ruler's
    assert min(each["size"] for each in numbers) >= 20


def test_everything_is_on_the_screen_and_nothing_else(hosted):
    page = hosted(traces.make("local-p", words=WORDS), **SIZE)
    present(page)
    assert page.evaluate(HIDDEN_BELOW) == 0
    for hidden in PARTS:
        assert page.locator(hidden).is_hidden(), hidden
    assert page.locator(".ap-present").is_visible()
    page.locator(".ap-present").click()
    page.wait_for_function(f"!({PRESENTED})")
    for shown in PARTS:
        assert page.locator(shown).is_visible(), shown


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


def test_where_the_browser_has_no_full_screen_there_is_no_button(hosted):
    page = hosted(traces.make("global"))
    assert page.locator(".ap-present").is_visible()
    page.add_init_script("Object.defineProperty(document, 'fullscreenEnabled', { value: false })")
    page.reload()
    page.locator(".ap-count").wait_for()
    assert page.locator(".ap-present").is_hidden()
