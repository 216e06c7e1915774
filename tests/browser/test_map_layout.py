"""The step and the heatmap beside it on a page; their layouts are tested in map-layout.test.js."""

import pytest
from playwright.sync_api import expect

from tests.browser import traces
from tests.helpers.javascript import settle


def test_all_of_a_step_is_on_a_projector_without_scrolling(hosted):
    page = hosted(traces.make("global"), width=1280, height=720)
    page.evaluate("""() => {
        const { top } = document.querySelector(".ap-plots").getBoundingClientRect();
        document.body.style.paddingTop = `${285 - top}px`;  // as in the Explorer
    }""")
    page.locator(".ap").press("End")
    settle(page)
    parts = (".ap-play", ".ap-word >> nth=-1", ".ap-bars", ".ap-row", ".ap-map", ".ap-next-row >> nth=2")
    for part in parts:
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 720, part


def test_a_click_in_the_heatmap_chooses_its_step(hosted):
    page = hosted(traces.make(), width=1280, height=720)
    page.locator(".ap").press("End")
    settle(page)
    row = page.locator(".ap-row").bounding_box()
    page.mouse.click(row["x"] - 20, row["y"] - 2.5 * row["height"])  # a target word, three rows above
    expect(page.locator(".ap-count")).to_have_text("step 4 of 7")
    page.mouse.click(row["x"] + row["width"] - 6, row["y"] - 1.5 * row["height"])
    expect(page.locator(".ap-count")).to_have_text("step 5 of 7")
    expect(page.locator(".ap-tip-pair")).to_have_text("the ← schnee")


def test_the_heatmap_grows_on_demand(hosted):
    page = hosted(traces.make(), width=1280, height=720)
    small = page.locator(".ap-row").bounding_box()
    page.get_by_role("button", name="Larger").click()
    settle(page)
    large = page.locator(".ap-row").bounding_box()
    assert large["width"] > 1.5 * small["width"]
    assert large["height"] > small["height"]
    page.get_by_role("button", name="Smaller").click()
    settle(page)
    assert page.locator(".ap-row").bounding_box()["width"] == pytest.approx(small["width"])
