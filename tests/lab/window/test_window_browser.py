"""The Window lab and the Paths page on a running server: dragging sends no message; links reopen the view."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from attn_core.data.captions import captions

pytestmark = pytest.mark.browser


@pytest.fixture
def visit(visit_live: Callable[..., Page]) -> Callable[..., Page]:
    return visit_live


def test_dragging_asks_nothing_of_the_server(visit):
    page = visit("window-lab", ".wl-grip-center")
    page.get_by_text("there is no model luong-general-local-m in").wait_for()  # the other stage, the last of the page
    before, was = len(page.sent), page.locator(".wl .ap-value").all_inner_texts()
    box = page.locator(".wl-grip-center").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 90, box["y"], steps=6)
    page.mouse.up()
    expect(page.locator(".wl-moved")).to_have_count(1)
    now = page.locator(".wl .ap-value").all_inner_texts()
    assert now[0] != was[0]
    assert now[1:] == was[1:]
    assert len(page.sent) == before


@pytest.mark.slow
def test_a_link_names_the_sentence_and_the_model(visit):
    text = captions()[2].de
    page = visit("window-lab", ".wl-words", query={"window_text": text, "window_model": "luong-general-global"})
    expect(page.locator(".wl-note")).to_contain_text("luong-general-global")
    expect(page.get_by_label("German sentence")).to_have_value(text)


def test_the_paths_are_walked_in_the_page(visit):
    page = visit("paths", ".pl-node")
    expect(page.locator(".pl")).to_have_count(2)
    before = len(page.sent)
    page.locator(".pl").first.get_by_role("button", name="Try").click()
    expect(page.locator(".pl-verdict")).to_contain_text("A cycle")
    assert len(page.sent) == before


@pytest.mark.slow
@pytest.mark.parametrize(("path", "stage"), [("window-lab", ".wl-grip-center"), ("paths", ".pl-node")])
def test_a_phone_shows_the_whole_page(visit, path, stage):
    page = visit(path, stage, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
