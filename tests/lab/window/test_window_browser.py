"""The Window lab and the Paths page on a running server: dragging sends no message; links reopen the view."""

import pytest
from playwright.sync_api import expect

from attn_core.data.captions import captions
from tests.helpers.browser import pull


def test_dragging_asks_nothing_of_the_server(visit_live):
    page = visit_live("window-lab", ".wl-grip-center")
    page.get_by_text("there is no model luong-general-local-m in").wait_for()  # the other stage, the last of the page
    before, was = len(page.sent), page.locator(".wl .ap-value").all_inner_texts()
    pull(page.locator(".wl-grip-center"), 90)
    expect(page.locator(".wl-moved")).to_have_count(1)
    now = page.locator(".wl .ap-value").all_inner_texts()
    assert now[0] != was[0]
    assert now[1:] == was[1:]
    assert len(page.sent) == before


def test_a_link_names_the_sentence_and_the_model(visit_live):
    text = captions()[2].de
    page = visit_live("window-lab", ".wl-words", query={"window_text": text, "window_model": "luong-general-global"})
    expect(page.locator(".wl-note")).to_contain_text("luong-general-global")
    expect(page.get_by_label("German sentence")).to_have_value(text)


def test_the_paths_are_walked_in_the_page(visit_live):
    page = visit_live("paths", ".pl-node")
    expect(page.locator(".pl")).to_have_count(2)
    before = len(page.sent)
    page.locator(".pl").first.get_by_role("button", name="Try").click()
    expect(page.locator(".pl-verdict")).to_contain_text("A cycle")
    assert len(page.sent) == before


@pytest.mark.parametrize(("path", "stage"), [("window-lab", ".wl-grip-center"), ("paths", ".pl-node")])
def test_a_phone_shows_the_whole_page(visit_live, path, stage):
    page = visit_live(path, stage, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
