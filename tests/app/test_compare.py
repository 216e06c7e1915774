"""The comparison of two translations in a browser with small models; its rows are tested in compare-maps.test.js."""

import re

import pytest
from playwright.sync_api import expect

from app.service import catalogue, first
from attn_core import load, translate
from attn_core.data.captions import captions
from tests.helpers.visits import address_says, query, unfold

LOCAL_P, GLOBAL = "luong-general-local-p", "luong-general-global"


@pytest.mark.browser
@pytest.mark.slow
def test_two_models_are_compared_word_by_word(visit_live, live_models):
    page = visit_live(query={"model": LOCAL_P, "D": "1"})
    text = captions()[1].de
    panel = page.get_by_role("region", name="Comparison")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Compare", exact=True).click()
    panel.get_by_label("Compare with").select_option(GLOBAL)
    page.get_by_label("German sentence").fill(text)
    both = [translate(load(live_models / LOCAL_P), text, half_width=1), translate(load(live_models / GLOBAL), text)]
    for trace, canvas in zip(both, panel.locator("canvas").all(), strict=False):
        expect(canvas).to_have_attribute("aria-label", f"Attention weights of {trace.model}: {' '.join(trace.target)}")
    expect(panel.locator(".cp-apart")).to_contain_text("Window (local-p | global)")
    address_says(page, **{"with": GLOBAL, "D": "1", "text": text})

    again = visit_live(query=query(page))
    expect(again.get_by_label("Compare with")).to_have_value(GLOBAL)
    expect(again.locator(".cp-apart")).to_contain_text("Window (local-p | global)")
    again.get_by_role("button", name="Swap").click()
    address_says(again, **{"model": GLOBAL, "with": LOCAL_P, "with_D": "1"})
    expect(again.locator(".cp-apart")).to_contain_text("Window (global | local-p)")
    expect(again.locator(".ap-row")).to_be_hidden()  # the heatmap is in the comparison
    unfold(again)
    again.get_by_label("Beam", exact=True).select_option("3")
    expect(again.locator(".cp-apart")).not_to_contain_text("beam")  # both have it
    again.get_by_role("button", name="End comparison").press("Enter")
    expect(again.get_by_role("button", name="Compare", exact=True)).to_be_focused()
    again.get_by_role("tab", name="Heatmap").click()  # in place of the beam's tree
    expect(again.locator(".ap-row")).to_be_visible()
    expect(again.get_by_role("region", name="Comparison")).to_be_hidden()
    again.wait_for_function("!location.search.includes('with')")


@pytest.mark.browser
@pytest.mark.slow
def test_two_views_keep_their_beams_when_they_are_swapped(visit_live):
    page = visit_live(query={"model": GLOBAL, "beam": "5", "with": LOCAL_P, "with_beam": "1"})
    expect(page.locator(".cp-apart")).to_contain_text("local-p")
    page.get_by_role("button", name="Swap").click()
    address_says(page, **{"model": LOCAL_P, "with": GLOBAL, "with_beam": "5"})


@pytest.mark.browser
@pytest.mark.slow
def test_one_model_is_compared_with_itself_and_a_row_leads_to_its_word(visit_live):
    page = visit_live(query={"model": LOCAL_P, "with": LOCAL_P})
    panel = page.get_by_role("region", name="Comparison")
    expect(panel.locator(".cp-apart")).to_contain_text("Same settings")
    expect(panel.locator(".cp-said")).to_contain_text("All words are the same.")
    page.get_by_label("Half-width D").press("Home")
    expect(panel.locator(".cp-apart")).to_have_text(re.compile(r"^Only difference: Half-width D in words \(0 \| 2\)$"))
    page.locator(".ap").press("Home")
    canvas = panel.locator("canvas").first
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] / 2, "y": box["height"] - 6})
    expect(page.locator(".ap-count")).not_to_have_text(re.compile("^step 1 of"))
    canvas.hover(position={"x": box["width"] / 2, "y": box["height"] - 6})
    expect(panel.locator(".cp-read")).to_contain_text("←")


@pytest.mark.browser
@pytest.mark.slow
def test_all_models_that_differ_on_one_axis_are_compared(visit_live, live_models):
    page = visit_live(query={"model": GLOBAL, "with": LOCAL_P})
    panel = page.get_by_role("region", name="Comparison")
    panel.get_by_label("Compare with").select_option("all window")
    address_says(page, race="window")
    traces = [translate(load(live_models / name), first.TEXT) for name in (GLOBAL, LOCAL_P)]
    expect(panel.locator("canvas")).to_have_count(2)
    for trace, canvas in zip(traces, panel.locator("canvas").all(), strict=True):
        expect(canvas).to_have_attribute("aria-label", f"Attention weights of {trace.model}: {' '.join(trace.target)}")
    expect(panel.locator("figcaption").first).to_have_text("global")
    expect(panel.locator("figcaption").nth(1)).to_have_text(re.compile("^local-p · "))
    same = int(traces[0].target == traces[1].target)
    expect(panel.locator(".cp-said")).to_have_text(f"Same words as the first translation: {same} of 1.")
    page.get_by_label("Model", exact=True).select_option(LOCAL_P)
    expect(panel.locator("figcaption").first).to_have_text("local-p")  # the shown one is the first
    address_says(page, model=LOCAL_P, race="window")
    again = visit_live(query=query(page))
    expect(again.locator(".cp figcaption").first).to_have_text("local-p")


def test_the_setup_of_the_models_has_what_the_axes_leave_out(models):
    names = catalogue.varying(models)
    assert names
    assert not [name for name in names if name.startswith(catalogue.ON_AXES)]
    for name in names:
        assert len({str(model.setup[name]) for model in models.values() if name in model.setup}) > 1


@pytest.mark.browser
@pytest.mark.slow
def test_a_tap_shows_the_numbers_of_a_cell(visit_live):
    page = visit_live(query={"model": LOCAL_P, "with": GLOBAL}, has_touch=True)
    panel = page.get_by_role("region", name="Comparison")
    expect(panel.locator(".cp-said")).not_to_be_empty()
    canvas = panel.locator("canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    canvas.tap(position={"x": box["width"] / 2, "y": box["height"] - 6})
    expect(panel.locator(".cp-read")).to_contain_text("←")
    page.wait_for_timeout(100)
    expect(panel.locator(".cp-read")).to_contain_text("←")
