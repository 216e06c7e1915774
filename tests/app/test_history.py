"""Back and Forward of the browser, on a real server."""

import pytest
from playwright.sync_api import Page, expect

from app.service import first
from tests.helpers.visits import address_says, idle


def shows_model(page: Page, name: str) -> None:
    expect(page.get_by_label("Model").locator("option:checked")).to_have_text(name)
    expect(page.locator(".live-output")).not_to_be_empty()


def test_going_back_at_once_keeps_the_connection(visit_live):
    page = visit_live(query={"model": "bahdanau"})
    address_says(page, model="bahdanau", text=first.TEXT)
    page.get_by_label("Model").select_option("luong-general-global")
    for model, move in (("luong-general-global", page.go_back), ("bahdanau", page.go_forward)):
        address_says(page, model=model)
        move()
    idle(page)
    shows_model(page, "luong-general-global")


@pytest.mark.parametrize(
    ("place", "name", "delay"), [((), "text", 0), (("window-lab", ".wl-grip-center"), "window_text", 30)]
)
def test_back_moves_between_the_sentences_typed(visit_live, place, name, delay):
    """Typing a sentence adds a single entry to the history, and so does the next; `delay` is that of each key."""
    page = visit_live(*place)
    box = page.get_by_label("German sentence")
    opening = box.input_value()
    address_says(page, **{name: opening})
    entries = page.evaluate("history.length")
    for number, sentence in enumerate(("Ein Hund", "Eine Frau")):
        box.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type(sentence, delay=delay)
        address_says(page, **{name: sentence})
        page.keyboard.type(" springt.", delay=delay)
        address_says(page, **{name: f"{sentence} springt."})
        assert page.evaluate("history.length") == entries + number + 1
        box.blur()
    for sentence in ("Ein Hund springt.", opening):
        page.go_back()
        expect(box).to_have_value(sentence)


def test_back_returns_to_the_step_of_a_lab_page(visit_live):
    page = visit_live("window-lab", ".wl-grip-center")
    word = page.locator(".wl-words .ap-word").nth(2)
    word.click()
    address_says(page, window_step="2")
    page.get_by_label("German sentence").fill("Ein Hund springt.")
    address_says(page, window_text="Ein Hund springt.")
    assert "window_step" not in page.url
    page.go_back()
    expect(word).to_have_attribute("aria-current", "step")


def test_back_and_a_link_show_the_sentence_of_a_lab_page_and_not_the_last_one_typed(visit_live):
    page = visit_live("window-lab", ".wl-grip-center")
    box = page.get_by_label("German sentence")
    opening = box.input_value()
    address_says(page, window_text=opening)
    link = page.url
    for again in (page.go_back, lambda: page.goto(link)):
        box.fill("Ein Hund springt.")
        box.blur()
        address_says(page, window_text="Ein Hund springt.")
        again()
        expect(box).to_have_value(opening)
        page.wait_for_timeout(500)  # the address is brought up to date
        expect(box).to_have_value(opening)
        assert page.url == link


def test_back_returns_to_the_layer_and_head(visit_live):
    page = visit_live(query={"model": "transformer", "layer": "0", "head": "0"})
    address_says(page, layer="0", head="0")
    page.get_by_label("German sentence").fill("Ein Hund springt.")
    address_says(page, text="Ein Hund springt.", layer="0", head="0")
    page.get_by_label("Layer and head").select_option(label="layer 1, head 1")
    address_says(page, layer="1", head="1")
    page.go_back()
    expect(page.get_by_label("Layer and head").locator("option:checked")).to_have_text("layer 0, head 0")
    address_says(page, layer="0", head="0")
    page.go_forward()
    expect(page.get_by_label("Layer and head").locator("option:checked")).to_have_text("layer 1, head 1")
    address_says(page, layer="1", head="1")
