"""The picture of a step ends where the screen does, also when something above it changes its height."""

import pytest

from tests.browser import traces
from tests.helpers.javascript import call_in_page


def test_the_picture_is_drawn_again_when_something_above_it_grows(handout):
    page = handout(traces.make("global"), width=1280, height=740)
    plot = page.locator(".ap-plots")
    top, height = (plot.bounding_box()[name] for name in ("y", "height"))
    call_in_page(page, "growAbove", 24)
    box = plot.bounding_box()
    assert box["y"] == pytest.approx(top + 24)
    assert box["y"] + box["height"] == pytest.approx(top + height, abs=2)  # as far down as before
