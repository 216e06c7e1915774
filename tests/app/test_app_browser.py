"""The Explorer in a browser, with a running server and small models that run in the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.service import first
from attn_core import load, translate
from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of
from tests.helpers.visits import address_says, query, unfold

LOCAL_P, GLOBAL = "luong-general-local-p", "luong-general-global"


@pytest.fixture
def visit(visit_live):
    """Open the Explorer, with the model that has a local-p window, and wait until it is in the page."""

    def opened(query: dict[str, str] | None = None, **given) -> Page:
        page = visit_live(query={"model": LOCAL_P} if query is None else query, **given)
        expect(page.get_by_label("Keep words and states").or_(page.locator(".ap-window-text"))).not_to_have_count(0)
        expect(page.locator(".live-output")).not_to_be_empty()
        return page

    return opened


def drag(page: Page, label: str, start: float, end: float) -> None:
    """Drag a slider's thumb from one fraction of its width to another, without releasing it."""
    page.get_by_label(label).scroll_into_view_if_needed()
    box = page.get_by_label(label).bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * end, middle, steps=8)


def test_the_first_screen_shows_the_story_of_a_step_and_the_workbench_is_remembered(visit):
    page = visit(query={}, level=None)
    for part in (".ex-head h1", ".live-sentence", ".live-brief", ".live-question", ".ap-play", ".ap-scrub"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] < 720, part
    # Above it is a line that says that the model, which is untrained, ended no sentence.
    assert page.locator(".ap-plot").bounding_box()["y"] < 520
    address_says(page, model="bahdanau")  # a moment later
    assert query(page) == {"text": first.TEXT, "model": "bahdanau"}
    for tool in ("Compare", "Edit attention", "More settings"):
        expect(page.get_by_role("button", name=tool)).to_be_hidden()
    page.get_by_role("button", name="Workbench").click()
    expect(page.get_by_role("button", name="Compare")).to_be_visible()
    address_says(page, level="workbench")
    again = page.context.new_page()
    again.goto(page.url.split("?")[0])
    expect(again.get_by_role("button", name="Workbench")).to_have_attribute("aria-pressed", "true")


def test_the_story_has_at_most_ten_stops_of_the_tab_key(visit):
    page = visit(query={}, level=None)
    stops = page.locator(".ex").evaluate(
        """(root) => [...root.querySelectorAll("*")].filter((one) => one.tabIndex >= 0
          && !one.closest(".ap-section-window") && one.getClientRects().length
          && getComputedStyle(one).visibility !== "hidden")
          .map((one) => one.ariaLabel || one.textContent || one.className)"""
    )
    assert 0 < len(stops) <= 10, stops  # beside the sliders of a window


def test_the_players_keys_work_after_a_click_elsewhere(visit):
    page = visit()
    now, play = page.locator(".ap-count"), page.locator(".ap-play")
    compare = page.get_by_role("button", name="Compare")
    elsewhere = (page.locator(".ex-head h1"), compare, compare, page.get_by_role("button", name="More settings"))
    for step, one in enumerate(elsewhere, 2):
        one.click()
        page.keyboard.press("ArrowRight")
        expect(now).to_contain_text(f"step {step} of ")
    compare.click()
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-label", "Pause")
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-label", "Play")
    page.keyboard.press("Home")
    compare.press("Space")  # from the keyboard
    expect(compare).to_have_attribute("aria-pressed", "false")
    expect(play).to_have_attribute("aria-label", "Play")
    page.get_by_label("German sentence").press("ArrowRight")
    expect(now).to_contain_text("step 1 of ")


def test_the_menu_of_a_phone_closes_when_a_page_is_chosen(visit):
    page = visit(width=390, height=844)
    menu = page.get_by_test_id("stSidebarNav")
    for name in ("Quiz", "Series"):
        page.get_by_test_id("stExpandSidebarButton").click()
        expect(menu).to_be_in_viewport()
        page.get_by_role("link", name=name).click()
        expect(page).to_have_title(re.compile(name))
        expect(menu).not_to_be_in_viewport()


def test_the_pages_of_the_lab_say_what_is_wrong_with_a_sentence(visit_live):
    page = visit_live("paths", ".pl-node")
    box, note = page.get_by_label("German sentence"), page.locator(".live-note").first
    box.fill("a man in a blue shirt is standing on a ladder")
    expect(note).to_contain_text("English")
    box.fill("ein blimblam steht.")
    expect(note).to_contain_text("“blimblam”")


def test_every_change_is_decoded_in_the_page_and_a_link_reopens_the_view(visit, live_models):
    page = visit()
    own, text = load(live_models / LOCAL_P), captions()[1].de
    sent = len(page.sent)
    page.locator(".ap").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    address_says(page, step="2")
    drag(page, "Half-width D", 0.1, 0.6)
    width = page.get_by_label("Half-width D").input_value()
    assert width not in ("2", "0")
    wanted = translate(own, first.TEXT, half_width=int(width))
    expect(page.locator(".ap-word")).to_have_text(list(wanted.target))  # before the slider is released
    page.mouse.up()
    address_says(page, D=width, step="2")
    page.get_by_label("German sentence").fill(text)
    wanted = translate(own, text, half_width=int(width))
    expect(page.locator(".live-output")).to_have_text(text_of(own, wanted))
    unfold(page)
    page.get_by_label("Beam", exact=True).select_option("3")
    wanted = translate(own, text, half_width=int(width), beam=3)
    expect(page.locator(".live-output")).to_have_text(text_of(own, wanted))
    address_says(page, text=text, beam="3", D=width)
    assert len(page.sent) == sent, "the server need not know"

    again = visit(query=query(page))
    assert again.get_by_label("Half-width D").input_value() == width
    expect(again.locator(".live-output")).to_have_text(text_of(own, wanted))
    again.get_by_role("button", name="Reset", exact=True).click()
    expect(again.get_by_label("Half-width D")).to_have_value("2")
    again.wait_for_function("!location.search.includes('D=')")


def test_playing_and_hovering_say_nothing_to_the_server(visit):
    page = visit()
    before = len(page.sent)
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    page.locator(".ap-plot").hover()
    expect(page.locator(".ap-count")).not_to_have_text(re.compile("^step [12] of"))
    page.get_by_role("button", name="Pause").click()
    reached = int(page.locator(".ap-count").inner_text().split()[1])
    address_says(page, step=str(reached - 1))
    assert len(page.sent) == before


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_nothing_hangs_over_the_edge(visit, theme):
    page = visit(width=390, height=844, color_scheme=theme)
    box = page.get_by_label("German sentence").bounding_box()
    assert box["y"] >= page.get_by_test_id("stHeader").bounding_box()["height"]
    assert page.locator(".ap-play").bounding_box()["y"] < 844
    for part in (".stMainBlockContainer", ".ap", ".live-chips", ".ex-head"):
        edges = page.locator(part).bounding_box()
        assert edges["x"] >= 0
        assert edges["x"] + edges["width"] <= 390


def test_two_readers_do_not_disturb_each_other(visit):
    one, other = visit(), visit()
    drag(one, "Half-width D", 0.1, 0.6)
    one.mouse.up()
    address_says(one, D=one.get_by_label("Half-width D").input_value())
    assert other.get_by_label("Half-width D").input_value() == "2"
    other.locator(".ap").focus()
    other.keyboard.press("End")
    assert "D=" not in other.url


def test_what_was_left_is_found_again(visit):
    page = visit()
    page.get_by_label("German sentence").fill("Ein Hund läuft.")
    page.get_by_label("Half-width D").press("Home")
    page.locator(".ap").press("Home")
    page.get_by_role("button", name="Step forward").click()
    address_says(page, D="0", step="1", text="Ein Hund läuft.")
    page.get_by_role("link", name="Heads").click()
    page.locator(".hd").first.wait_for()  # the Explorer has a box of the same name
    expect(page.get_by_label("German sentence")).to_have_value("Ein Hund läuft.")
    page.get_by_role("link", name="Explorer").click()
    expect(page.get_by_label("Half-width D")).to_have_value("0")
    expect(page.get_by_label("German sentence")).to_have_value("Ein Hund läuft.")
    expect(page.locator(".ap-count")).to_have_text(re.compile("^step 2 of"))
    page.get_by_role("link", name="Heads").click()
    page.locator(".hd").first.wait_for()  # the Explorer has a box of the same name
    page.get_by_label("German sentence").fill("Eine Frau springt.")
    page.get_by_label("German sentence").blur()
    page.get_by_role("link", name="Explorer").click()
    expect(page.get_by_label("German sentence")).to_have_value("Eine Frau springt.")  # the last one
    expect(page.get_by_label("Half-width D")).to_have_value("0")


def test_the_tree_of_a_beam_frames_the_current_step(visit, live_models):
    page = visit(query={"model": GLOBAL, "beam": "3", "step": "1"})
    trace = translate(load(live_models / GLOBAL), first.TEXT, beam=3)
    best = page.locator(".bm-node.bm-best")
    expect(best).to_have_count(len(trace.target))
    frame, second = page.locator(".bm-frame").bounding_box(), best.nth(1).bounding_box()
    assert frame["x"] < second["x"] < second["x"] + second["width"] < frame["x"] + frame["width"]
    page.locator(".bm-node").nth(1).hover()
    expect(page.locator(".bm-source span")).to_have_count(len(trace.source))
