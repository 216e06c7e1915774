"""The server hears what the page shows when a download is near, and no click on a download is lost."""

from pathlib import Path

import pytest

from attn_core.web import bundle
from tests.helpers.javascript import pages

TELLING = Path(__file__).parents[2] / "app" / "explorer" / "telling.js"
PAGE = """<!doctype html><title>downloads</title><div class="st-key-downloads"><button>JSON</button></div>
<script type="module">
{script}
const [sent, taken] = [[], []];
const tell = telling((name, shown) => sent.push(shown.text));
const button = document.querySelector("button");
button.onclick = () => taken.push("taken");
Object.assign(window, {{ tell, sent, taken }});
</script>"""


@pytest.fixture
def page(browser, tmp_path):
    with pages(browser, tmp_path) as open_page:
        yield open_page(PAGE.format(script=bundle.module(TELLING)), "button")


def test_a_click_waits_until_the_server_knows_what_is_shown(page):
    page.evaluate("tell.shown({ text: 'one' })")
    page.get_by_role("button").click()
    assert page.evaluate("[sent, taken]") == [["one"], []]
    page.evaluate("tell.known(1)")  # what an earlier page showed
    page.wait_for_timeout(50)
    assert page.evaluate("taken") == []
    page.evaluate("tell.known(Date.now())")
    page.wait_for_function("taken.length === 1")
    page.get_by_role("button").click()
    assert page.evaluate("[sent, taken]") == [["one"], ["taken", "taken"]]  # nothing new: at once


def test_a_click_is_not_lost_when_the_page_shows_something_else_meanwhile(page):
    page.evaluate("tell.shown({ text: 'one' })")
    page.get_by_role("button").click()
    known = page.evaluate("Date.now()")
    page.wait_for_function("(then) => Date.now() > then", arg=known)
    page.evaluate("tell.shown({ text: 'two' })")  # as when a later step of the translation is drawn
    page.evaluate("(id) => tell.known(id)", known)
    page.wait_for_function("taken.length === 1")
    page.get_by_role("button").click()
    assert page.evaluate("[sent, taken]") == [["one", "two"], ["taken"]]  # the second click asks for the second picture
