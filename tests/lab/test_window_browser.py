"""The Window lab and the Paths page on a real server: nothing is sent while a hand drags; links reopen the view."""

from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from attn_core.captions import captions
from tests.serving import ROOT, serving
from tests.shipped import ship

PATIENCE = 90_000  # ms; the machine may be busy

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    expect.set_options(timeout=PATIENCE)
    yield
    expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = ship(tmp_path_factory.mktemp("pretrained"))
    with serving(ROOT / "app" / "streamlit_app.py", {"ATTN_PRETRAINED": str(folder)}) as server:
        yield server.address


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open a page; none may end with an error."""
    contexts, errors = [], []

    def open_page(path: str, stage: str, width: int = 1280, **query: str) -> Page:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}))
        page = contexts[-1].new_page()
        page.sent = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))

        def count(frame: bytes | str) -> None:
            page.sent.append(frame)

        page.on("websocket", lambda opened: opened.on("framesent", count))
        page.goto(f"{address}/{path}?{urlencode(query)}")
        page.locator(stage).first.wait_for()
        page.locator(".st-key-cards_list").wait_for()
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def test_dragging_asks_nothing_of_the_server(visit):
    page = visit("window-lab", ".wl-grip-center")
    page.locator(".rl-run").first.wait_for()
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


def test_a_link_names_the_sentence_and_the_model(visit):
    text = captions()[2].de
    page = visit("window-lab", ".wl-words", window_text=text, window_model="luong-general-global")
    expect(page.locator(".wl-note")).to_contain_text("luong-general-global")
    expect(page.locator(".stSelectbox input").first).to_have_value(text)


def test_the_paths_are_walked_in_the_page(visit):
    page = visit("paths", ".pl-node")
    expect(page.locator(".pl")).to_have_count(2)
    before = len(page.sent)
    page.locator(".pl").first.get_by_role("button", name="Try").click()
    expect(page.locator(".pl-verdict")).to_contain_text("A circle")
    assert len(page.sent) == before


@pytest.mark.parametrize(("path", "stage"), [("window-lab", ".wl-grip-center"), ("paths", ".pl-node")])
def test_a_phone_shows_the_whole_page(visit, path, stage):
    page = visit(path, stage, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
