"""The player as a Streamlit component: in AppTest, and in a browser with a running server."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.testing.v1 import AppTest

from tests.browser import traces
from tests.helpers.serving import serving
from tests.helpers.visits import patience

APP = Path(__file__).with_name("dashboard_app.py")


def test_the_component_gets_the_trace_as_bytes():
    app = AppTest.from_file(str(APP)).run(timeout=30)
    assert not app.exception
    sent = json.loads(app.get("bidi_component")[0].proto.bytes)
    assert sent["trace"]["source"] == traces.SHORT[0]
    assert [*sent["options"]["windows"]] == ["local-p"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(APP) as server:
        yield server.address


@pytest.fixture
def dashboard(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 1100})
    page.set_default_timeout(patience())
    page.goto(address)
    page.get_by_role("button", name="Play").wait_for()
    expect(page.get_by_text(re.compile(r"^run \d+"))).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    yield page
    page.close()


def run(page: Page) -> int:
    """How often the server has run the fragment, once per message."""
    return int(page.get_by_text(re.compile(r"^run \d+")).inner_text().removeprefix("run "))


@pytest.mark.quick
def test_playing_sends_no_message(dashboard):
    page, before = dashboard, run(dashboard)
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".ap-count")).to_have_text("step 7 of 7")
    expect(page.get_by_label("Half-width D")).to_have_count(0)
    assert run(page) == before


def test_another_sentence_starts_over(dashboard):
    page = dashboard
    page.locator(".ap").focus()
    page.keyboard.press("End")
    expect(page.locator(".ap-count")).to_have_text("step 7 of 7")
    page.get_by_text("long", exact=True).click()
    expect(page.locator(".ap-count")).to_have_text("step 1 of 29")
