"""The Explorer in a browser, with a running server and small models."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.service import first
from attn_core import parse
from attn_core.data.captions import captions
from tests.helpers.visits import address_says, query

LOCAL_P = "luong-general-local-p"

pytestmark = pytest.mark.browser


def drag(page: Page, label: str, start: float, end: float) -> None:
    """Drag a slider's thumb from one fraction of its width to another, without releasing it."""
    box = page.get_by_label(label).bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * end, middle, steps=8)


def test_the_first_screen_shows_the_player(visit):
    page = visit()
    for part in (".ap-play", ".ap-scrub", ".ap-badge", ".ap-next"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] < 720, part
    # Above it are the menu and a line that says that the model, which is untrained, ended no sentence.
    assert page.locator(".ap-plot").bounding_box()["y"] < 380
    address_says(page, model=LOCAL_P, v="2")  # a moment later
    assert query(page) == {"text": first.example(), "model": LOCAL_P, "v": "2"}


def test_letting_go_decodes_again_and_the_link_reopens_the_view(visit):
    page = visit()
    page.locator(".ap").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    address_says(page, step="2", v="2")
    before = len(page.sent)
    drag(page, "Half-width D", 0.1, 0.6)
    expect(page.locator(".ap-badge")).to_have_text("preview: states frozen")
    assert len(page.sent) == before
    page.mouse.up()
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    assert len(page.sent) == before + 1
    width = page.get_by_label("Half-width D").input_value()
    assert width not in ("2", "0")
    address_says(page, D=width, step="2")

    again = visit(query=query(page))
    assert again.get_by_label("Half-width D").input_value() == width
    expect(again.locator(".ap-count")).to_have_text(re.compile("^word 3 of"))
    expect(again.locator(".ap-sentence")).to_have_text(page.locator(".ap-sentence").text_content())
    again.get_by_role("button", name="Reset").click()
    expect(again.get_by_label("Half-width D")).to_have_value("2")
    expect(again.locator(".ap-badge")).to_have_text("decoded")
    again.wait_for_function("!location.search.includes('D=')")


@pytest.mark.slow
def test_a_link_reopens_the_layer_and_head(visit):
    page = visit(query={"model": "transformer"})
    look = page.get_by_label("Layer and head").first
    expect(look).to_be_in_viewport()  # not below the player, where it is hard to find
    expect(page.get_by_text("2 heads in each of 2 layers attend at every step.")).to_be_visible()
    before = len(page.sent)
    look.select_option("layer 1, head 2")
    page.get_by_role("button", name="Step forward").click()
    address_says(page, look="1.2", step="1")
    assert len(page.sent) == before

    again = visit(query=query(page))
    assert (
        again.get_by_label("Layer and head").first.evaluate("box => box.selectedOptions[0].text") == "layer 1, head 2"
    )
    expect(again.locator(".ap-count")).to_have_text(re.compile("^word 2 of"))
    again.get_by_label("Layer and head").first.select_option("mean")
    address_says(again, look="mean")


@pytest.mark.slow
def test_the_formulas_follow_the_window(visit):
    page = visit(query={"D": "1"})
    window = page.locator(".st-key-of_window")
    expect(window).to_contain_text("trained with local-p, D = 2, σ = 1")
    expect(window.locator("annotation")).to_contain_text(["D = 1"])
    for name, width in (("Home", "0"), ("ArrowRight", "1"), ("End", None)):
        page.get_by_label("Half-width D").press(name)
        width = width or page.get_by_label("Half-width D").input_value()
        expect(window.locator("annotation")).to_contain_text([f"D = {width}"])
        expect(window).to_contain_text("trained with")
    page.get_by_role("button", name="Reset").click()
    expect(window.locator("annotation")).to_contain_text(["D = 2"])
    expect(window).to_contain_text("as trained")
    expect(window.locator("annotation")).to_have_count(1)


def test_playing_and_hovering_say_nothing_to_the_server(visit):
    page = visit()
    before = len(page.sent)
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    page.locator(".ap-plot").hover()
    expect(page.locator(".ap-count")).not_to_have_text(re.compile("^word [12] of"))
    page.get_by_role("button", name="Pause").click()
    reached = int(page.locator(".ap-count").inner_text().split()[1])
    address_says(page, step=str(reached - 1))
    assert len(page.sent) == before


@pytest.mark.slow
def test_a_global_model_can_be_given_a_window(visit):
    page = visit(query={"model": "luong-general-global"})
    page.get_by_role("button", name="Add a window").click()
    address_says(page, window="local-m", D="2")
    expect(page.get_by_text("with a window the model was not trained with")).to_be_visible()
    assert "window=local-m" in visit(query=query(page)).url


@pytest.mark.slow
def test_choosing_an_axis_moves_the_model(visit):
    page = visit()
    page.get_by_test_id("stSidebar").get_by_role("radio", name="additive").or_(
        page.get_by_test_id("stSidebar").get_by_role("button", name="additive")
    ).first.click()
    address_says(page, model="bahdanau")
    expect(page.get_by_test_id("stSidebar").get_by_text("No model has that combination")).to_be_visible()


@pytest.mark.slow
def test_an_example_and_a_sentence_of_ones_own(visit):
    page = visit()
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name=captions()[2].de).or_(page.get_by_role("option", name=captions()[2].de)).click()
    address_says(page, text=captions()[2].de)
    box = page.get_by_label("German sentence").first  # for a moment Streamlit shows the box before, too
    expect(box).to_have_value(captions()[2].de)
    box.fill("Ein Hund.")
    box.press("Enter")
    address_says(page, text="Ein Hund.")
    expect(page.locator(".ap-count")).to_have_text(re.compile("^word 1 of"))
    box.fill("")
    box.press("Enter")
    expect(page.get_by_text("There is no sentence yet")).to_be_visible()
    expect(page.locator(".ap")).to_have_count(0)
    box.fill("Ein Hund.")
    box.press("Enter")
    expect(page.locator(".ap-count")).to_have_text(re.compile("^word 1 of"))


@pytest.mark.slow
def test_what_is_taken_away_is_what_is_shown(visit, tmp_path):
    page = visit(query={"text": "Ein Hund läuft.", "model": LOCAL_P, "D": "1"})

    def take(label: str) -> Path:
        with page.expect_download() as waiting:
            page.get_by_role("button", name=label, exact=False).and_(page.locator("button:visible")).first.click()
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path

    trace = take("JSON")
    assert trace.name == f"{LOCAL_P}-ein-hund-lauft.json"
    shown = parse(trace.read_text("utf-8"))
    assert (shown.settings["half_width"], shown.source) == (1, ("ein", "hund", "läuft", "."))
    assert take("PNG").read_bytes()[:4] == b"\x89PNG"
    assert "1 hund" in take("SVG").read_text("utf-8")
    assert len(take("CSV").read_text("utf-8").splitlines()) == 1 + len(shown.source) * len(shown.target)
    page.get_by_role("button", name="Step forward").click()
    handout = take("Handout")
    page.goto(handout.as_uri())
    expect(page.locator(".ap-count")).to_have_text(f"word 2 of {len(shown.target)}")


@pytest.mark.slow
def test_the_figure_opens_below(visit):
    page = visit()
    page.get_by_text("Heatmap as a figure").click()
    expect(page.get_by_test_id("stVegaLiteChart").locator("canvas, svg").first).to_be_visible()


@pytest.mark.slow
def test_the_link_button_copies_the_address(visit):
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.slow
def test_a_model_without_attention_has_a_picture_too(visit):
    page = visit(query={"model": "fixed-vector"})
    expect(page.get_by_text("This model has no attention: one fixed-length vector")).to_be_visible()
    expect(page.get_by_role("button", name="PNG")).to_be_disabled()
    assert page.get_by_text("Heatmap as a figure").count() == 0


@pytest.mark.quick(1)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_nothing_hangs_over_the_edge(visit, theme):
    page = visit(width=390, height=844, color_scheme=theme)
    box = page.get_by_label("German sentence").bounding_box()
    assert box["y"] >= page.get_by_test_id("stHeader").bounding_box()["height"]
    assert page.locator(".ap-play").bounding_box()["y"] < 844
    for part in (".stMainBlockContainer", ".ap"):
        edges = page.locator(part).bounding_box()
        assert edges["x"] >= 0
        assert edges["x"] + edges["width"] <= 390
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebar").get_by_text("Window", exact=True)).to_be_visible()


@pytest.mark.slow
def test_two_readers_do_not_disturb_each_other(visit):
    one, other = visit(), visit()
    drag(one, "Half-width D", 0.1, 0.6)
    one.mouse.up()
    expect(one.locator(".ap-badge")).to_have_text("decoded")
    assert other.get_by_label("Half-width D").input_value() == "2"
    other.locator(".ap").focus()
    other.keyboard.press("End")
    assert "D=" not in other.url


@pytest.mark.slow
def test_a_window_that_was_asked_for_before_can_be_asked_for_again(visit):
    """After switching models and back, the window is as trained, and the earlier window is decoded again."""
    page = visit()

    def choose(model: str) -> None:
        page.get_by_test_id("stSidebar").get_by_role("combobox", name="Model").click()
        page.get_by_role("option", name=model, exact=True).click()
        address_says(page, model=model)
        # Wait until the other model's player, which looks the same, has gone.
        expect(page.locator(".ap-window-text")).to_contain_text(model.removeprefix("luong-general-"))

    def decoded_with(width: str) -> None:
        expect(page.locator(".ap-badge")).to_have_text("decoded")
        expect(page.get_by_label("Half-width D")).to_have_value(width)

    for _ in range(2):
        decoded_with("2")
        page.get_by_label("Half-width D").fill("1")
        expect(page.locator(".ap-badge")).to_have_text("preview: states frozen")
        address_says(page, D="1")
        decoded_with("1")
        choose("luong-general-local-m")
        choose(LOCAL_P)


def test_keys_drive_the_player_without_a_click(visit):
    page = visit()
    expect(page.locator(".ap-count")).to_contain_text("word 1 of")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ap-count")).to_contain_text("word 2 of")
    page.get_by_label("German sentence").focus()
    page.keyboard.press("End")
    expect(page.locator(".ap-count")).to_contain_text("word 2 of")  # the box keeps its own keys
