"""The page that translates, opened from a file in Firefox."""

import shutil

import pytest

from attn_core.browser import html
from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of, translate
from attn_core.models.checkpoint import load
from tests.browser.conftest import LOCAL_P
from tests.helpers.firefox import firefox

FIRST, SECOND = (pair.de for pair in captions()[:2])

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OUTPUT = "document.querySelector('.live-output').textContent"


def enter(selector: str, value: str, event: str) -> str:
    """An expression that gives a control a value, as a reader does."""
    return (
        f"(() => {{ const box = document.querySelector({selector!r}); box.value = {value!r};"
        f" box.dispatchEvent(new Event({event!r}, {{ bubbles: true }})); }})()"
    )


@pytest.fixture
def tab(tmp_path):
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if not found:
        pytest.skip("Firefox not found")
    (tmp_path / "profile").mkdir()
    with firefox(found, tmp_path / "profile") as opened:
        opened.size(1280, 900)
        yield opened
        assert opened.errors == []


def test_the_page_translates_in_firefox(tab, exported, tmp_path):
    model = load(exported / LOCAL_P)
    page = tmp_path / "page.html"
    page.write_text(html(translate(model, FIRST), models=[exported / LOCAL_P], text=FIRST), "utf-8")
    tab.goto(page.as_uri())
    tab.until(OUTPUT, text_of(model, translate(model, FIRST)))
    tab.evaluate(enter(".live input", SECOND, "input"))
    tab.until(OUTPUT, text_of(model, translate(model, SECOND)))
    tab.evaluate(enter("[aria-label^='Half-width D']", "0", "input"))
    tab.until(OUTPUT, text_of(model, translate(model, SECOND, half_width=0)))
    tab.until("document.querySelector('.ap-badge').textContent", "decoded")
    wanted = list(translate(model, SECOND, half_width=0).target)
    tab.until("[...document.querySelectorAll('.ap-word')].map((word) => word.textContent)", wanted)
    mask = tab.evaluate("getComputedStyle(document.querySelector('.ap-scroll')).maskImage")
    assert mask == "none"  # nothing fades out at an edge that cannot be scrolled
