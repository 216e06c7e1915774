"""Moving between the steps of a translation: controls, keys, playback, lecture layout."""

import re

import pytest
from playwright.sync_api import expect

from attn_core import translate
from tests.helpers.explorer import ExplorerPage, Name, as_shown

TEXT = "Zwei Jungen spielen Schach."


def _by_words(explorer: ExplorerPage, step: int) -> None:
    explorer.button(Name.LAST).click()
    explorer.words.nth(step).click()


MOVES = {
    "buttons": lambda explorer: [
        (explorer.button(Name.FORWARD).click, 1),
        (explorer.button(Name.LAST).click, -1),
        (explorer.button(Name.BACK).click, -2),
        (explorer.button(Name.FIRST).click, 0),
    ],
    "keys": lambda explorer: [
        (lambda: explorer.press("ArrowRight", "ArrowRight"), 2),
        (lambda: explorer.press("ArrowLeft"), 1),
        (lambda: explorer.press("End"), -1),
        (lambda: explorer.press("Home"), 0),
    ],
    "slider": lambda explorer: [
        (lambda: explorer.step_slider.press("ArrowRight"), 1),
        (lambda: explorer.step_slider.press("End"), -1),
        (lambda: explorer.step_slider.fill("2"), 2),
    ],
    "words": lambda explorer: [
        (lambda: _by_words(explorer, 3), 3),
        (lambda: explorer.words.nth(1).press("Enter"), 1),
    ],
}


@pytest.mark.parametrize("way", MOVES)
def test_a_reader_moves_between_steps_by(explorer: ExplorerPage, model, way):
    wanted = as_shown(translate(model("bahdanau"), TEXT))
    count = len(wanted["target"])
    explorer.open({"text": TEXT, "model": "bahdanau"})
    explorer.expect_step(0, of=count)
    explorer.show_tables()
    for move, place in MOVES[way](explorer):
        move()
        step = place % count
        explorer.expect_step(step, of=count)
        expect(explorer.words).to_have_text(wanted["target"][: step + 1])
        expect(explorer.words.nth(step)).to_have_attribute("aria-current", "step")
        explorer.expect_step_table(wanted, step)
        explorer.expect_in_link(step=step or None)
        for name, end in ((Name.BACK, step == 0), (Name.FORWARD, step == count - 1)):
            expect(explorer.button(name)).to_have_attribute("aria-disabled", str(end).lower())


def test_keys_work_without_a_click_but_not_in_a_text_or_a_menu(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "bahdanau"})
    explorer.page.keyboard.press("ArrowRight")
    explorer.expect_step(1)
    explorer.sentence.press("Home")
    explorer.menu(Name.SCORE).press("Home")
    explorer.expect_step(1)
    explorer.heading.click()
    explorer.page.keyboard.press("End")
    expect(explorer.button(Name.FORWARD)).to_have_attribute("aria-disabled", "true")


def test_play_goes_on_to_the_last_step_and_stops(explorer: ExplorerPage, model):
    count = len(translate(model("bahdanau"), TEXT).target)
    explorer.open({"text": TEXT, "model": "bahdanau"})
    explorer.choose(Name.SPEED, "4×")
    explorer.press("Space")
    expect(explorer.button(Name.PAUSE)).to_be_visible()
    explorer.expect_step(count - 1, of=count)
    expect(explorer.button(Name.PLAY)).to_be_visible()
    explorer.choose(Name.SPEED, "0.5×")
    explorer.button(Name.PLAY).click()
    explorer.expect_step(0)  # from the first step again, for two seconds
    explorer.button(Name.PAUSE).click()
    expect(explorer.button(Name.PLAY)).to_be_visible()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_played_step_glides_unless_the_reader_wants_less_motion(tab, motion):
    explorer = tab(reduced_motion=motion)
    explorer.open({"text": TEXT, "model": "bahdanau"})
    page = explorer.page
    page.clock.install(time=0)
    page.clock.pause_at(60)
    explorer.button(Name.PLAY).click()
    page.clock.run_for(1050)  # the second step has begun
    explorer.expect_step(1)
    first = explorer.picture.screenshot()
    page.clock.run_for(600)
    glides = explorer.picture.screenshot() != first
    assert glides == (motion == "no-preference")


def test_lecture_layout_fills_the_screen_and_a_remote_control_moves_it(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "bahdanau"})
    present = explorer.button(Name.PRESENT)
    fullscreen = "() => Boolean(document.fullscreenElement)"
    explorer.press("f")
    expect(present).to_have_attribute("aria-pressed", "true")
    assert explorer.page.evaluate(fullscreen)
    name = explorer.player.get_by_text("bahdanau", exact=True).filter(visible=True)
    expect(name).to_be_visible()
    explorer.eventually(lambda: _is(explorer.next_word.get_by_role("button").count(), 4))
    size = explorer.page.viewport_size
    box = explorer.player.bounding_box()
    assert (box["x"], box["width"]) == (0, size["width"])
    assert box["y"] + box["height"] <= size["height"]
    expect(explorer.player.get_by_text(re.compile("^What does the model attend to when it writes"))).to_be_in_viewport()
    explorer.page.keyboard.press("PageDown")
    expect(explorer.picture).to_have_accessible_name(re.compile("^Step 2 of "))
    explorer.page.keyboard.press("PageUp")
    expect(explorer.picture).to_have_accessible_name(re.compile("^Step 1 of "))
    explorer.page.keyboard.press("f")
    expect(present).to_have_attribute("aria-pressed", "false")
    assert not explorer.page.evaluate(fullscreen)
    expect(name).to_have_count(0)
    present.click()
    expect(present).to_have_attribute("aria-pressed", "true")


def test_lecture_layout_says_what_is_unlike_the_training(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "luong-general-local-p", "window": "local-m", "D": "1"})
    explorer.press("F")
    said = explorer.player.get_by_text(re.compile("^Intervention: trained with local-p, D = 4, σ = 2"))
    said = said.filter(visible=True)
    expect(said).to_be_in_viewport()
    explorer.open({"text": TEXT, "model": "luong-general-local-p", "with": "luong-general-global"})
    explorer.press("F")
    expect(explorer.comparison).to_be_in_viewport()
    expect(explorer.picture).to_be_hidden()  # the comparison takes its place


def _is(found: object, wanted: object) -> None:
    assert found == wanted


FITS = (
    "bahdanau",
    "luong-general-global",
    "luong-general-local-p",
    "luong-general-local-p-feed",
    "transformer",
    "fixed-vector",
)


@pytest.mark.parametrize("name", FITS)
def test_the_story_of_a_step_fits_a_projector_without_scrolling(explorer: ExplorerPage, name):
    explorer.open({"model": name}, level="story")

    def check() -> None:
        height, room = explorer.page.evaluate("[document.documentElement.scrollHeight, innerHeight]")
        assert height <= room == 720

    explorer.eventually(check)
    for part in (explorer.sentence, explorer.player, *([] if name == "fixed-vector" else [explorer.heatmap])):
        expect(part).to_be_in_viewport(ratio=1)
