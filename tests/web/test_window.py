"""Window controls: D and sigma preview while dragged, and trigger a new decode when released."""

import pytest
from playwright.sync_api import Locator, Page, expect

from attn_core.trace import dump
from tests.helpers.javascript import press, settle
from tests.web import traces

pytestmark = pytest.mark.browser

PREVIEW = "preview: states frozen"


def badge(page: Page) -> str:
    return page.locator(".ap-badge").inner_text()


def knob(page: Page, name: str = "Half-width D") -> Locator:
    return page.get_by_label(name)


def drag(page: Page, name: str, start: float, end: float, moves: int = 12) -> None:
    """Drag a slider from the fraction `start` of its length to `end`, without releasing the button."""
    box = knob(page, name).bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, y)
    page.mouse.down()
    for i in range(1, moves + 1):
        page.mouse.move(box["x"] + box["width"] * (start + (end - start) * i / moves), y)
    settle(page)


@pytest.mark.slow
def test_sliders_keep_their_own_arrow_keys(hosted):
    page = hosted(traces.make())
    knob(page).focus()
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator(".ap-count")).to_have_text("step 1 of 7")
    assert knob(page).input_value() == "4"
    page.get_by_label("Decoding step").focus()
    press(page, "ArrowRight")
    expect(page.locator(".ap-count")).to_have_text("step 2 of 7")


# A held arrow key: a change every 20 ms, timed inside the page, so that a busy machine makes no difference.
HELD_KEY = """async () => {
  const knob = document.querySelector('.ap-knob[aria-label^="Half-width"]');
  for (const value of [3, 4, 5]) {
    knob.value = value;
    knob.dispatchEvent(new Event("input"));
    knob.dispatchEvent(new Event("change"));
    await new Promise((done) => setTimeout(done, 20));
  }
}"""


def test_a_held_key_on_a_slider_settles_once(hosted):
    page = hosted(traces.make())
    page.evaluate(HELD_KEY)
    page.wait_for_function("window.settled.length > 0")
    assert [one["half_width"] for one in page.evaluate("window.settled")] == [5]


def test_dragging_previews_and_the_release_asks_once(hosted):
    page = hosted(traces.make(half_width=2))
    page.locator(".ap").focus()
    press(page, "ArrowRight", "ArrowRight")
    before = page.locator(".ap-lost-value").inner_text()
    assert badge(page) == "decoded"
    drag(page, "Half-width D", 0.4, 0.95)
    assert badge(page) == PREVIEW
    expect(page.locator(".ap-note")).to_have_text("the states are those of the decoded run")
    assert page.locator(".ap-lost-value").inner_text() != before
    assert knob(page, "Width σ").input_value() == str(int(knob(page).input_value()) / 2)  # linked
    expect(page.locator(".ap-next-note")).to_be_visible()
    assert page.evaluate("window.settled") == []
    page.mouse.up()
    settle(page)
    assert badge(page) == PREVIEW
    expect(page.locator(".ap-note")).to_have_text("decoding again")
    [settled] = page.evaluate("window.settled")
    assert settled["half_width"] == int(knob(page).input_value())
    assert (settled["window"], settled["sigma"], settled["linked"], settled["as_trained"]) == (
        "local-p",
        None,
        True,
        False,
    )


def test_the_first_step_of_a_preview_is_exact(hosted):
    page = hosted(traces.make(half_width=2))
    drag(page, "Half-width D", 0.4, 0.95)
    assert badge(page) == PREVIEW
    expect(page.locator(".ap-note")).to_contain_text("exact at this first step")
    page.mouse.up()


def test_a_new_decode_ends_the_preview_and_keeps_the_step(hosted):
    page = hosted(traces.make(half_width=2))
    page.locator(".ap").focus()
    press(page, "ArrowRight", "ArrowRight")
    drag(page, "Half-width D", 0.4, 0.95)
    page.mouse.up()
    width = int(knob(page).input_value())
    trained = {"window": "local-p", "half_width": 2, "sigma": 1.0}
    page.evaluate(
        "(text) => window.player.update(JSON.parse(text))", dump(traces.make(half_width=width, trained=trained))
    )
    settle(page)
    assert badge(page) == "decoded"
    expect(page.locator(".ap-note")).to_have_text("with a window the model was not trained with")
    expect(page.locator(".ap-count")).to_have_text("step 3 of 7")
    expect(page.locator(".ap-window-text")).to_have_text("Intervention: trained with local-p, D = 2, σ = 1.")
    # "Reset" sends another request, with all settings None.
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert page.evaluate("window.settled.at(-1).as_trained") is True
    assert knob(page).input_value() == "2"


@pytest.mark.slow
def test_coming_back_to_the_decoded_settings_needs_no_decode(hosted):
    page = hosted(traces.make(half_width=2))
    drag(page, "Half-width D", 0.4, 0.95)
    assert badge(page) == PREVIEW
    box = knob(page).bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2)
    page.mouse.up()
    settle(page)
    assert badge(page) == "decoded"
    assert page.evaluate("window.settled") == []


def test_moving_sigma_unlinks_it_and_the_link_binds_it_again(hosted):
    page = hosted(traces.make(half_width=2))
    link = page.get_by_role("button", name="σ = D / 2")
    expect(link).to_have_attribute("aria-pressed", "true")
    drag(page, "Width σ", 0.2, 0.6)
    page.mouse.up()
    settle(page)
    expect(link).to_have_attribute("aria-pressed", "false")
    [settled] = page.evaluate("window.settled")
    assert settled["linked"] is False
    assert settled["sigma"] == pytest.approx(float(knob(page, "Width σ").input_value()))
    link.click()
    settle(page)
    assert knob(page, "Width σ").input_value() == "1"


@pytest.mark.slow
def test_without_a_model_the_preview_stays_and_says_why(handout):
    page = handout(traces.make(half_width=2))
    page.locator(".ap").focus()
    press(page, "ArrowRight")
    drag(page, "Half-width D", 0.4, 0.95)
    page.mouse.up()
    settle(page)
    assert badge(page) == PREVIEW
    expect(page.locator(".ap-note")).to_have_text("no model available to decode again")
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert badge(page) == "decoded"


@pytest.mark.slow
def test_a_global_model_can_be_given_a_window(hosted):
    page = hosted(traces.make("global"))
    expect(page.locator(".ap-window-text")).to_have_text("Global: attention to every source word.")
    expect(page.locator(".ap-lost")).to_be_hidden()
    page.get_by_role("button", name="Add a window").click()
    settle(page)
    assert badge(page) == PREVIEW
    expect(page.locator(".ap-window-text")).to_have_text("Intervention: the model was trained without a window.")
    [settled] = page.evaluate("window.settled")
    assert (settled["window"], settled["half_width"], settled["sigma"]) == ("local-m", 2, None)
    page.get_by_role("button", name="Reset").click()
    settle(page)
    asked = page.evaluate("window.settled.map(({ asked }) => asked)")
    assert asked[0] < asked[1]
    assert page.evaluate("window.settled.at(-1)") == {
        "asked": asked[1],
        "model": "luong-general-global",
        "window": "global",
        "half_width": None,
        "sigma": None,
        "linked": True,
        "centers": None,
        "as_trained": True,
    }


def answer(page: Page, text: str | None = None, answered: int | None = None) -> None:
    """Send the player a new trace, as a host does after decoding; without `text`, the trace on display."""
    page.evaluate(
        "([text, options]) => { window.now = text ? JSON.parse(text) : (window.now ??"
        " JSON.parse(document.getElementById('trace').textContent)); window.player.update(window.now, options); }",
        [text, {} if answered is None else {"answered": answered}],
    )
    settle(page)


def let_go(page: Page, to: str) -> int:
    """Set D to `to` with the keyboard and return the number of the resulting request."""
    before = page.evaluate("window.settled.length")
    knob(page).fill(to)
    page.wait_for_function("(n) => window.settled.length > n", arg=before)
    settle(page)
    return page.evaluate("window.settled.at(-1).asked")


@pytest.mark.slow
def test_an_answer_that_changes_nothing_ends_the_wait_too(hosted):
    """The host decodes with the window on display already: the trace is the same, but the request is answered."""
    text = dump(traces.make(half_width=2))
    page = hosted(traces.make(half_width=2))
    answer(page, text, answered=0)
    asked = let_go(page, "4")
    answer(page, answered=0)  # an update that answers no request
    assert badge(page) == PREVIEW
    answer(page, answered=asked)
    assert badge(page) == "decoded"
    assert knob(page).input_value() == "2"
    assert let_go(page, "4") > asked  # the same setting is a new request


@pytest.mark.slow
def test_an_earlier_answer_does_not_pass_for_the_later_one(hosted):
    page = hosted(traces.make(half_width=2))
    answer(page, dump(traces.make(half_width=2)), answered=0)
    first = let_go(page, "4")
    second = let_go(page, "3")
    assert first < second
    answer(page, dump(traces.make(half_width=4)), answered=first)
    assert badge(page) == PREVIEW
    assert knob(page).input_value() == "3"
    answer(page, dump(traces.make(half_width=3)), answered=second)
    assert badge(page) == "decoded"
    assert knob(page).input_value() == "3"


@pytest.mark.slow
def test_an_answer_that_comes_while_the_slider_is_held_again_is_not_waited_for_twice(hosted):
    page = hosted(traces.make(half_width=2))
    asked = let_go(page, "4")
    place = float(knob(page).input_value()) / float(knob(page).get_attribute("max"))
    drag(page, "Half-width D", place, place, moves=1)
    answer(page, dump(traces.make(half_width=4)), answered=asked)
    page.mouse.up()
    settle(page)
    expect(page.locator(".ap-note")).not_to_have_text("decoding again")
    assert knob(page).input_value() == "4"
    assert badge(page) == "decoded"


def test_a_window_of_a_later_version_is_shown_and_not_imitated(hosted):
    made = traces.make("local-m")
    later = {"window": "spiral", "half_width": None, "sigma": None}
    made.settings.update(later, trained_window=later)
    page = hosted(made)
    expect(page.locator(".ap-window-text")).to_have_text("spiral, as trained.")
    page.get_by_role("button", name="Add a window").click()
    settle(page)
    assert page.evaluate("window.settled.at(-1).window") == "local-m"
    answer(page, dump(traces.make("local-m", trained=later)))
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert badge(page) == PREVIEW
    expect(page.locator(".ap-note")).to_have_text("cannot be previewed without decoding again")
