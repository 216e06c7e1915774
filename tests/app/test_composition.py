"""What is being composed (Pinyin, Kana) is half a word: no page translates it or writes it to the address."""

import pytest
from playwright.sync_api import Locator, Page, expect

from attn_core.browser import bundle
from tests.helpers.javascript import pages
from tests.helpers.visits import patience

HALF, WHOLE = "zhongguoqq", "Hund"
PAGES = ("index.html", "window-lab.html", "heads.html", "paths.html")  # those with a box for a sentence
OBSERVED = """(box) => {
  const root = box.getRootNode().querySelector("main") ?? document.body;
  window.seen = [];
  new MutationObserver(() => window.seen.push(root.innerText + location.href))
    .observe(root, { subtree: true, childList: true, characterData: true });
}"""


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
def test_a_sentence_is_translated_once_its_composition_has_ended(file, tab):
    tab.goto(file)
    box = tab.get_by_label("German sentence").first
    expect(box).to_be_visible()
    tab.wait_for_load_state("networkidle")
    box.evaluate(OBSERVED)
    compose(tab, box, WHOLE)
    expect(box).to_have_value(WHOLE)
    box.press("Tab")
    for _ in range(patience() // 100):
        if f"text={WHOLE}" in tab.url:
            break
        tab.wait_for_timeout(100)
    assert f"text={WHOLE}" in tab.url


def test_a_field_reports_a_composition_once_when_it_has_ended(browser, tmp_path):
    """For every kind of text field; letters that are typed one by one are reported one by one."""
    script = bundle.module(bundle.PLAYER / "dom" / "typing.js")
    text = f"""<!doctype html><input type="text"><input type="number"><textarea></textarea><script type="module">
    {script}
    window.typed = [];
    for (const field of document.querySelectorAll("input, textarea")) {{
      onTyped(field, () => window.typed.push(field.value));
    }}
    </script>"""
    with pages(browser, tmp_path) as open_page:
        page = open_page(text, "textarea")
        for place in range(3):
            page.evaluate("window.typed = []")
            page.locator("input, textarea").nth(place).focus()
            keyboard = page.context.new_cdp_session(page)
            for n in (1, 2):
                keyboard.send("Input.imeSetComposition", {"text": "12"[:n], "selectionStart": n, "selectionEnd": n})
            assert page.evaluate("window.typed") == []
            keyboard.send("Input.insertText", {"text": "12"})
            page.keyboard.type("34")
            assert page.evaluate("window.typed") == ["12", "123", "1234"]


def test_keys_of_an_input_method_do_not_play_the_translation(tab):
    """An Enter or a space that ends a composition reaches the page with isComposing."""
    tab.goto("index.html")
    count = tab.locator(".ap-count")
    before = count.inner_text()
    for key in ("ArrowRight", "End", "Enter", " "):
        tab.evaluate(
            "key => document.body.dispatchEvent("
            "new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true }))",
            key,
        )
    tab.wait_for_timeout(500)
    assert count.inner_text() == before
    tab.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))")
    expect(count).not_to_have_text(before)
