"""Links of the lab on a running server: they reopen step, head and sentence without a message to the server."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from attn_core.data.captions import captions
from tests.helpers.visits import address_says, query

HEAD = {"heads_attention": "cross", "heads_layer": "1", "heads_head": "1"}


@pytest.fixture
def reopened(visit_live) -> Callable[[Page, str, str], Page]:
    """Open the current address of `page` again."""
    return lambda page, path, ready: visit_live(path, ready, query=query(page))


def test_a_link_reopens_the_step_of_the_window_lab(visit_live, reopened):
    page = visit_live("window-lab", ".wl-grip-center")
    before = len(page.sent)
    page.locator(".wl-words .ap-word").nth(3).click()
    address_says(page, window_step="3")
    assert len(page.sent) == before
    again = reopened(page, "window-lab", ".wl-grip-center")
    expect(again.locator(".wl-words .ap-word").nth(3)).to_have_attribute("aria-current", "step")
    assert query(again)["window_step"] == "3"


def test_a_link_reopens_the_step_of_the_paths(visit_live, reopened):
    page = visit_live("paths", ".pl-node")
    right = page.locator(".pl").nth(1).locator(".ap-word")
    right.nth(2).click()
    address_says(page, paths_step="1.2")
    note = page.locator(".pl-note").inner_text()
    assert f"produces “{right.nth(2).inner_text()}”" in note
    again = reopened(page, "paths", ".pl-node")
    expect(again.locator(".pl").nth(1).locator(".ap-word").nth(2)).to_have_attribute("aria-current", "step")
    expect(again.locator(".pl-note")).to_have_text(note)


def test_a_link_reopens_the_layer_and_head(visit_live, reopened):
    page = visit_live("heads", ".hd-small")
    page.locator(".hd .ap-choice input").nth(2).check(force=True)
    page.locator(".hd-small").nth(3).click()
    page.locator(".hd-words .ap-word").nth(3).click()
    address_says(page, **HEAD, heads_query="3")
    again = reopened(page, "heads", ".hd-small")
    expect(again.locator(".hd-small").nth(3)).to_have_attribute("aria-pressed", "true")
    expect(again.locator(".hd-words .ap-word").nth(3)).to_have_attribute("aria-pressed", "true")
    expect(again.locator(".hd-large h3")).to_contain_text("Layer 1, head 1")
    expect(again.locator(".hd .ap-choice input").nth(2)).to_be_checked()


@pytest.mark.parametrize(
    ("path", "ready", "kept"),
    [
        ("window-lab", ".wl-grip-center", {"D": "5", "rule": "real"}),
        ("heads", ".hd-small", HEAD),
        ("paths", ".pl-node", {"paths_update": "paper"}),
    ],
)
def test_typing_keeps_the_settings_and_begins_at_the_first_step(visit_live, path, ready, kept):
    step = {"window-lab": {"window_step": "2"}, "paths": {"paths_step": "0.2"}}.get(path, {})
    page = visit_live(path, ready, query=kept | step)
    box = page.get_by_label("German sentence").first
    address_says(page, **kept)
    box.fill("Ein")  # too short for the D of the window
    box.press("End")
    box.press_sequentially(" Hund läuft durch den Schnee", delay=30)
    text = box.input_value()
    address_says(page, **{f"{path.removesuffix('-lab')}_text": text})
    assert {name: query(page).get(name) for name in kept} == kept
    assert not step.keys() & {name for name, value in query(page).items() if step.get(name) == value}


def test_the_sentence_goes_along_to_other_pages_and_into_their_links(visit_live):
    text = captions()[5].de
    page = visit_live(query={"text": text, "model": "bahdanau"})
    for name, key, ready in (("Paths", "paths_text", ".pl-node"), ("Window lab", "window_text", ".wl-words")):
        page.get_by_role("link", name=name).click()
        page.locator(ready).first.wait_for()
        expect(page.get_by_label("German sentence").first).to_have_value(text)
        address_says(page, **{key: text})
    page.get_by_role("link", name="Explorer").click()
    page.locator(".ap-count").wait_for()
    expect(page.get_by_label("German sentence")).to_have_value(text)
