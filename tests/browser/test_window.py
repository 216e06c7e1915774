"""Window controls: sliders for the live settings of a window, which ask for a new decode while they move."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from attn_core.export import facts
from attn_core.trace import dump
from tests.browser import traces
from tests.helpers.javascript import press, settle
from tests.helpers.windows import registered

TRAINED = {"window": "local-p", "half_width": 2, "sigma": 1.0}


def knob(page: Page, name: str = "Half-width D") -> Locator:
    return page.get_by_label(name)


def asked(page: Page) -> list[dict]:
    return page.evaluate("window.asked")


def answer(page: Page, trace) -> None:
    """Answer the player's last request."""
    page.evaluate("(text) => window.answer(text)", dump(trace))
    settle(page)


def drag(page: Page, name: str, start: float, end: float, moves: int = 12) -> None:
    """Drag a slider from the fraction `start` of its length to `end`, without releasing the button."""
    box = knob(page, name).bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, y)
    page.mouse.down()
    for i in range(1, moves + 1):
        page.mouse.move(box["x"] + box["width"] * (start + (end - start) * i / moves), y)
    settle(page)


def test_sliders_keep_their_own_arrow_keys(hosted):
    page = hosted(traces.make())
    knob(page).focus()
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator(".ap-count")).to_have_text("step 1 of 7")
    assert knob(page).input_value() == "4"
    page.get_by_label("Decoding step").focus()
    press(page, "ArrowRight")
    expect(page.locator(".ap-count")).to_have_text("step 2 of 7")


@pytest.mark.parametrize("window", ["global", "local-m", "local-p"])
def test_a_recording_has_no_sliders(handout, window):
    page = handout(traces.make(window), width=1700)
    assert page.get_by_role("slider").count() == 1  # of the steps
    for button in ("Add a window", "Reset"):
        expect(page.get_by_role("button", name=button)).to_be_hidden()
    expect(page.get_by_label("Keep words and states")).to_be_hidden()
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    assert page.locator(".ap-lost").is_visible() == (window == "local-p")


def test_a_recording_of_an_intervention_names_the_trained_window(handout):
    page = handout(traces.make(half_width=4, trained=TRAINED))
    expect(page.locator(".ap-window-text")).to_contain_text("local-p, D = 2, σ = 1")
    expect(page.locator(".ap-note")).to_have_text("with a window the model was not trained with")


def test_dragging_asks_for_each_width_and_the_answer_keeps_the_step(hosted):
    page = hosted(traces.make(half_width=2))
    page.locator(".ap").focus()
    press(page, "ArrowRight", "ArrowRight")
    drag(page, "Half-width D", 0.4, 0.95)
    width = int(knob(page).input_value())
    assert knob(page, "Width σ").input_value() == str(width / 2)  # linked
    assert [one["half_width"] for one in asked(page)] == [*range(3, width + 1)]
    assert asked(page)[-1] == {"window": "local-p", "half_width": width, "sigma": None, "centers": None}
    page.mouse.up()
    settle(page)
    assert len(asked(page)) == width - 2  # a release asks for nothing again
    answer(page, traces.make(half_width=width, trained=TRAINED))
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    expect(page.locator(".ap-count")).to_have_text("step 3 of 7")
    expect(page.locator(".ap-window-text")).to_contain_text("local-p, D = 2, σ = 1")
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert asked(page)[-1] == {}
    assert knob(page).input_value() == "2"


def test_moving_sigma_unlinks_it_and_the_link_binds_it_again(hosted):
    page = hosted(traces.make(half_width=2))
    link = page.get_by_role("button", name="σ = D / 2")
    expect(link).to_have_attribute("aria-pressed", "true")
    expect(link).to_have_attribute("title", "Link σ to D / 2, as in the paper")
    drag(page, "Width σ", 0.2, 0.6)
    page.mouse.up()
    settle(page)
    expect(link).to_have_attribute("aria-pressed", "false")
    assert asked(page)[-1]["sigma"] == pytest.approx(float(knob(page, "Width σ").input_value()))
    link.click()
    settle(page)
    assert knob(page, "Width σ").input_value() == "1"
    assert asked(page)[-1] == {}  # as trained


def test_a_window_without_a_gaussian_of_its_own_can_be_given_one(hosted):
    page = hosted(traces.make("local-m"))
    link = page.get_by_role("button", name="no Gaussian")
    expect(link).to_have_attribute("title", "In the paper, local-m has no Gaussian")
    expect(knob(page, "Width σ")).to_have_attribute("aria-valuetext", "none")
    link.click()
    settle(page)
    assert asked(page)[-1] == {"window": "local-m", "half_width": 2, "sigma": 1, "centers": None}


def test_words_and_states_are_kept_by_the_decoder(hosted):
    page = hosted(traces.make(half_width=2))
    page.get_by_label("Keep words and states").check()
    settle(page)
    assert asked(page) == [{"keep_states": True}]
    kept = traces.make(half_width=2)
    kept.settings["keep_states"] = True
    answer(page, kept)
    expect(page.locator(".ap-badge")).to_have_text("words and states kept")
    expect(page.locator(".ap-note")).to_contain_text("exact at this first step")
    knob(page).fill("1")
    settle(page)
    wanted = {"window": "local-p", "half_width": 1, "sigma": None, "centers": None, "keep_states": True}
    assert asked(page)[-1] == wanted
    page.get_by_label("Keep words and states").uncheck()
    settle(page)
    assert asked(page)[-1] == {name: value for name, value in wanted.items() if name != "keep_states"}


def test_a_global_model_can_be_given_a_window(hosted):
    page = hosted(traces.make("global"))
    expect(page.locator(".ap-window-text")).not_to_contain_text("Intervention")
    expect(page.locator(".ap-lost")).to_be_hidden()
    page.get_by_role("button", name="Add a window").click()
    settle(page)
    expect(page.locator(".ap-window-text")).to_contain_text("Intervention")
    assert asked(page) == [{"window": "local-m", "half_width": 2, "sigma": None, "centers": None}]
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert asked(page)[-1] == {}


def test_a_window_with_two_half_widths_has_two_sliders_without_a_line_of_javascript(hosted):
    made = traces.make("local-m", half_width=2)
    with registered():
        windows = facts.windows()
    own = {"window": "lopsided", "left": 1, "right": 3}
    for name in ("half_width", "sigma"):
        del made.settings[name]
    made.settings.update(own, trained_window=own)
    page = hosted(made, {"windows": windows})
    left, right = knob(page, "Words in view before p_t"), knob(page, "Words in view after p_t")
    assert (left.input_value(), right.input_value()) == ("1", "3")
    expect(page.get_by_label("Half-width D")).to_have_count(0)
    left.fill("2")
    settle(page)
    assert asked(page) == [{"window": "lopsided", "left": 2, "right": 3, "centers": None}]
    expect(page.locator(".ap-window-text")).to_contain_text("lopsided, L = 1, R = 3")


def test_a_window_that_is_not_known_is_shown_and_has_no_sliders(hosted):
    made = traces.make("local-m")
    later = {"window": "spiral", "half_width": None, "sigma": None}
    made.settings.update(later, trained_window=later)
    page = hosted(made)
    expect(page.locator(".ap-window-text")).to_contain_text("spiral")
    expect(page.get_by_label("Half-width D")).to_have_count(0)
    page.get_by_role("button", name="Add a window").click()
    settle(page)
    assert asked(page)[-1]["window"] == "local-m"
    answer(page, traces.make("local-m", trained=later))
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert json.dumps(asked(page)[-1]) == "{}"
