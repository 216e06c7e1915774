"""Stages of the lab in the theme of their page, on the screen and on paper."""

import pytest
from playwright.sync_api import expect

from app.lab.score.data import score_lab, translated
from app.lab.score.sizes.saturation import saturation
from tests.browser import traces
from tests.helpers.javascript import call_in_page
from tests.lab import stages


def test_a_stage_is_printed_light_whatever_the_theme(lab):
    """No animation frame runs before printing, so the picture must be redrawn when the event handler returns."""
    page = lab("heads", stages.heads_data(stages.transformer_trace()), color_scheme="dark")
    root = page.locator(".ap-root")
    expect(root).to_have_attribute("data-theme", "dark")
    assert call_in_page(page, "themeAfter", "beforeprint") == ["light", True]
    assert call_in_page(page, "themeAfter", "afterprint") == ["dark", True]


def test_the_handles_of_the_window_lab_stay_after_printing(lab):
    page = lab("window", stages.window_data(traces.make("local-p")), color_scheme="dark")
    for event, theme in (("beforeprint", "light"), ("afterprint", "dark")):
        page.evaluate("event => dispatchEvent(new Event(event))", event)
        expect(page.locator(".ap-root")).to_have_attribute("data-theme", theme)
    expect(page.locator(".wl-grip-center")).to_be_visible()


@pytest.mark.parametrize("part", ["score", "sizes"])
def test_the_score_lab_takes_a_theme_that_the_host_announces(lab, part):
    data = translated(score_lab() if part == "score" else saturation())
    page = lab(part, data, color_scheme="light")
    expect(page.locator(".ap-root")).to_have_attribute("data-theme", "light")
    page.evaluate("document.documentElement.style.setProperty('--st-background-color', '#0e1117'); stage.update()")
    expect(page.locator(".ap-root")).to_have_attribute("data-theme", "dark")
