"""What changes while a reader drags or plays is on the screen at once, below the question and the sentence."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.helpers.browser import pull
from tests.helpers.javascript import call_in_page
from tests.lab import stages
from tests.lab.test_stages import columns, trace_of


def show_below_head(page: Page) -> None:
    """Put something as high as the question and the sentence above the stage."""
    call_in_page(page, "growAbove", 190)


def expect_in_sight(parts: list[Locator]) -> None:
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_words_bars_and_sliders_stay_in_sight_while_p_t_is_dragged(lab, width, height):
    page = lab("window", stages.window_data(trace_of()), width, height)
    show_below_head(page)
    shown = [page.locator(one).first for one in (".wl-words", ".wl-plot", ".wl .ap-knob")]
    expect_in_sight(shown)
    expect(page.locator(".wl-grip-lo")).to_be_in_viewport(ratio=0.5)  # its margin for fingers is cut
    drawn = shown[1].bounding_box()
    pull(page.locator(".wl-grip-center"), columns(page), hold=True)
    expect(page.locator(".wl-moved")).to_have_count(1)
    expect_in_sight(shown)
    assert shown[1].bounding_box() == drawn  # nothing jumps
    page.mouse.up()


def test_a_whole_path_with_its_names_is_in_sight_on_a_projector(lab):
    page = lab("path", stages.path_data("groundhog", "feeding, local-p"), 1280, 720)
    show_below_head(page)
    first = page.locator(".pl").first
    expect_in_sight(first.locator(".pl-node").all())
    expect(first.locator('[data-node="context"] .pl-label')).to_have_text("context vector")
    assert call_in_page(page, "cutBoxes") == []
