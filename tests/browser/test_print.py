"""The handout and the quiz cards on paper, printed by Chromium."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
import segno
from playwright.sync_api import Page, expect

from app.lab.quiz import sheet
from app.lab.quiz.data import decks
from app.shell import shared
from attn_core.browser import html
from attn_core.browser.standalone import standalone_page
from tests.browser import traces
from tests.helpers.javascript import pages as opened

ADDRESS = "https://example.org/attention/quiz.html"
CARDS = [card for _title, some in decks() for card in some]


def pages(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def test_a_standalone_page_reaches_no_address_and_runs_no_script_unless_allowed():
    page = standalone_page("a < b", "", "<p>text</p>")
    assert "<title>a &lt; b</title>" in page
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1))
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives["default-src"] == "'none'"
    assert directives.keys() == {"default-src", "style-src", "img-src", "font-src"}
    allowed = unescape(standalone_page("a", "", "", "script-src 'unsafe-inline'"))
    assert policy.replace("style-src", "script-src 'unsafe-inline'; style-src") in allowed


def test_a_handout_prints_on_one_page_light_and_uncut(visit):
    trace = traces.make("local-p")
    page = visit(html(trace, address=ADDRESS), color_scheme="dark")
    expect(page.locator(".ap-root")).to_have_attribute("data-theme", "dark")
    assert page.locator(".code svg").count() == 1
    assert pages(page) == 1
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".ap-root")).to_have_attribute("data-theme", "light")
    expect(page.locator(".ap-map")).to_be_visible()
    for gone in (".ap-buttons", ".ap-tabs", ".ap-knob >> nth=0"):
        expect(page.locator(gone)).to_be_hidden()
    scroll = page.locator(".ap-scroll").evaluate("one => [one.scrollWidth, one.clientWidth]")
    assert scroll[0] <= scroll[1]
    assert page.locator("main").evaluate("one => one.getBoundingClientRect().width") <= 719  # of A4, without margins
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".ap-root")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".ap-buttons")).to_be_visible()


@pytest.mark.parametrize("address", ["javascript:alert(1)", "example.org"])
def test_only_an_address_becomes_a_code(address):
    with pytest.raises(ValueError, match="must start with http"):
        html(traces.make("global"), address=address)


class Articles(HTMLParser):
    """Counts elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, int] = {}

    def handle_starttag(self, tag, attrs):
        self.found[tag] = self.found.get(tag, 0) + 1


def test_the_sheet_has_every_card_with_its_answer_and_its_code():
    read = Articles()
    read.feed(text := sheet.sheet("quiz", ADDRESS))
    assert read.found["article"] == 2 * len(CARDS)
    assert read.found["svg"] == len(CARDS)
    for card in CARDS:
        code = segno.make(f"{ADDRESS}?card={card.slug}", micro=False).svg_inline(omitsize=True, light="white")
        assert code[code.index("<path") :] in text
    assert "<svg" not in sheet.sheet("quiz")


@pytest.fixture
def sheet_page(browser, tmp_path):
    with opened(browser, tmp_path) as open_page:
        yield open_page(sheet.sheet("quiz", ADDRESS), "body > article >> nth=0")


def test_the_sheet_prints_two_cards_to_a_page_uncut(sheet_page):
    page = sheet_page
    cards = page.locator("body > article")
    assert cards.evaluate_all("all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length") == 0
    answers = page.locator(".answers")
    whole = pages(page)
    answers.evaluate("one => one.remove()")
    assert pages(page) == -(-len(CARDS) // 2) < whole


def test_the_dashboard_puts_codes_on_the_sheet_only_where_others_reach_it(monkeypatch):
    for reached in (True, False):
        monkeypatch.setattr(shared, "open_to_others", lambda reached=reached: reached)
        monkeypatch.setattr(shared, "origin", lambda: "http://192.0.2.7:8501")
        body = sheet.routes()[0].endpoint(None).body.decode()
        assert ("http://192.0.2.7:8501/quiz?card=root-d" in body) is reached
        assert "<article>" in body
