"""Maps of a translation over two settings in a browser; their regions are tested in atlas.test.js."""

import re
from math import floor, log10

import pytest
from playwright.sync_api import expect

from app.service import first
from attn_core import load, translate
from attn_core.decoding.translate import text_of
from tests.helpers.visits import address_says

LOCAL_P = "luong-general-local-p"

DONE = {n: re.compile(rf"distinct translations in {n} cells|All {n} cells give the same") for n in ("18", "100")}


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
        trace = translate(model, first.TEXT, half_width=width, sigma=sigma)
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
