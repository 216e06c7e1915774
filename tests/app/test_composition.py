"""What is being composed (Pinyin, Kana) is half a word: no page translates it or writes it to the address."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.helpers.serving import Files
from tests.helpers.visits import patience

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HALF, WHOLE = "zhongguoqq", "Hund"
PAGES = ("index.html", "window-lab.html", "heads.html", "paths.html")  # those with a box for a sentence
OBSERVED = """(box) => {
  const root = box.getRootNode().querySelector("main") ?? document.body;
  window.seen = [];
  new MutationObserver(() => window.seen.push(root.innerText + location.href))
    .observe(root, { subtree: true, childList: true, characterData: true });
}"""


@pytest.fixture
def open_site(browser, written_site):
    server = Files(written_site)
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(patience())

    def opened(file: str) -> Page:
        page.goto(f"{server.address}/{file}")
        return page

    yield opened
    context.close()
    server.stop()


def compose(page: Page, box: Locator, whole: str) -> None:
    """Type HALF letter by letter as an input method does, and let it become `whole`."""
    box.focus()
    box.press("Control+A")
    keyboard = page.context.new_cdp_session(page)
    for n in range(1, len(HALF) + 1):
        keyboard.send("Input.imeSetComposition", {"text": HALF[:n], "selectionStart": n, "selectionEnd": n})
        page.wait_for_timeout(60)
    page.wait_for_timeout(900)  # longer than the pauses after which pages translate and write addresses
    assert HALF not in page.url
    seen = page.evaluate("window.seen")
    assert not [text for text in seen if "zhong" in text], "a half-typed word was shown or translated"
    keyboard.send("Input.insertText", {"text": whole})
    keyboard.detach()


@pytest.mark.parametrize("file", PAGES)
def test_a_sentence_is_translated_once_its_composition_has_ended(file, open_site):
    page = open_site(file)
    box = page.get_by_label("German sentence").first
    expect(box).to_be_visible()
    page.wait_for_load_state("networkidle")
    box.evaluate(OBSERVED)
    compose(page, box, WHOLE)
    expect(box).to_have_value(WHOLE)
    box.press("Tab")
    for _ in range(patience() // 100):
        if f"text={WHOLE}" in page.url:
            break
        page.wait_for_timeout(100)
    assert f"text={WHOLE}" in page.url


def test_a_number_is_taken_once_its_composition_has_ended(open_site):
    page = open_site("score-lab.html")
    box = page.locator('input[type="number"]').first
    box.wait_for(state="attached")
    page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    before = page.locator(".al-board").inner_text()
    box.focus()
    box.press("Control+A")
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "7", "selectionStart": 1, "selectionEnd": 1})
    page.wait_for_timeout(300)
    assert page.locator(".al-board").inner_text() == before
    keyboard.send("Input.insertText", {"text": "7"})
    expect(page.locator(".al-board")).not_to_have_text(before)


def test_keys_of_an_input_method_do_not_play_the_translation(open_site):
    """An Enter or a space that ends a composition reaches the page with isComposing."""
    page = open_site("index.html")
    count = page.locator(".ap-count")
    before = count.inner_text()
    for key in ("ArrowRight", "End", "Enter", " "):
        page.evaluate(
            "key => document.body.dispatchEvent("
            "new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true }))",
            key,
        )
    page.wait_for_timeout(500)
    assert count.inner_text() == before
    page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))")
    expect(count).not_to_have_text(before)
