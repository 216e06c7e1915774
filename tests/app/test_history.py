"""Back and Forward of the browser, and the one control named Window, on a real server."""

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.visits import address_says, idle

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def choose_model(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebar").get_by_label("Model").click()
    page.get_by_role("option", name=name, exact=True).click()


def shows_model(page: Page, name: str) -> None:
    """Wait until the sidebar shows this model; for a moment Streamlit shows the box of the model before, too."""
    page.wait_for_function(
        "name => { const boxes = document.querySelectorAll('[data-testid=stSidebar] [aria-label=Model]');"
        " return boxes.length === 1 && boxes[0].value === name; }",
        arg=name,
    )


def test_back_and_forward_move_between_models_and_keep_their_steps(visit):
    page = visit(query={"model": "bahdanau"})
    address_says(page, model="bahdanau", v="2")
    page.get_by_role("button", name="Step forward").click()
    address_says(page, step="1")
    choose_model(page, "luong-general-global")
    address_says(page, model="luong-general-global")
    page.go_back()
    shows_model(page, "bahdanau")
    address_says(page, model="bahdanau", step="1")
    page.go_forward()
    shows_model(page, "luong-general-global")
    address_says(page, model="luong-general-global")


def test_going_back_before_the_page_is_drawn_keeps_the_connection(visit):
    page = visit(query={"model": "bahdanau"})
    address_says(page, model="bahdanau", v="2")
    choose_model(page, "luong-general-global")
    for model, move in (("luong-general-global", page.go_back), ("bahdanau", page.go_forward)):
        address_says(page, model=model)
        move()
    idle(page)
    shows_model(page, "luong-general-global")


def test_steps_are_no_entries_of_the_history(visit):
    page = visit(query={"model": "bahdanau"})
    address_says(page, v="2")
    entries = page.evaluate("history.length")
    for step in ("1", "2"):
        page.get_by_role("button", name="Step forward").click()
        address_says(page, step=step)
    assert page.evaluate("history.length") == entries


def test_back_moves_between_the_sentences_of_a_lab_page(visit):
    page = visit("window-lab", ".wl-grip-center")
    first = page.get_by_label("German sentence").input_value()
    page.locator(".wl-words .ap-word").nth(2).click()
    address_says(page, window_step="2")
    page.get_by_label("German sentence").click()
    page.get_by_role("option").nth(3).click()
    expect(page.get_by_label("German sentence")).not_to_have_value(first)
    page.wait_for_function("new URLSearchParams(location.search).get('window_step') === null")
    page.go_back()
    expect(page.get_by_label("German sentence")).to_have_value(first)
    expect(page.locator(".wl-words .ap-word").nth(2)).to_have_attribute("aria-current", "step")


def test_the_one_control_named_window_shows_the_window_in_force(visit):
    page = visit(query={"model": "luong-general-global"})
    sidebar = page.locator(".st-key-of_window")
    chosen = sidebar.get_by_role("radio", checked=True)
    expect(chosen).to_have_text(["global"])
    page.get_by_role("button", name="Add a window").click()
    expect(chosen).to_have_text(["local-m"])
    assert page.get_by_role("heading", name="Window", exact=True).count() == 0
    sidebar.get_by_role("radio", name="global").click()
    expect(chosen).to_have_text(["global"])
    expect(page.get_by_role("button", name="Add a window")).to_be_visible()
