"""The player with a decoder in the page: every change of the window is decoded."""

import json

import pytest
from playwright.sync_api import Page, expect

from attn_core.trace import dump
from attn_core.web import bundle, facts
from tests.helpers.browser import drag
from tests.helpers.javascript import settle
from tests.web import traces

pytestmark = pytest.mark.browser

WORDS = traces.SHORT
OTHER = (WORDS[0], ["a", "cat", "sleeps", "</s>"])  # what a decode with D = 0 finds

PAGE = """<!doctype html><meta charset="utf-8"><style>{style}</style><div id="host"></div>
<script type="module">
{script}
const traces = window.traces = {traces};
window.asked = [];
window.waiting = [];
window.answer = () => window.waiting.shift()();
const decoder = {{
  keeps: true,
  decode: (settings) => new Promise((resolve, reject) => {{
    window.asked.push(settings);
    window.waiting.push(() => (window.broken ? reject(new Error("gone")) : resolve(traces[settings.half_width ?? 2])));
    if (!window.held) window.answer();
  }}),
}};
window.decoder = decoder;
window.player = createPlayer(document.getElementById("host"), {{
  trace: traces[2], decoder, options: {options},
}});
</script>"""


def decoded(half_width: int) -> dict:
    trained = {"window": "local-p", "half_width": 2, "sigma": 1.0}
    words = OTHER if half_width == 0 else WORDS
    return json.loads(dump(traces.make(words=words, half_width=half_width, trained=trained, seed=half_width)))


@pytest.fixture
def page(visit) -> Page:
    """A player whose decoder has a trace for each D; `window.held` makes its answers wait for `window.answer()`."""
    script = bundle.module(bundle.PLAYER / "player.js")
    made = json.dumps({d: decoded(d) for d in range(6)})
    return visit(
        PAGE.format(style=bundle.style(), script=script, traces=made, options=json.dumps(facts.windows_and_types()))
    )


def slide(page: Page, half_width: int) -> None:
    """Move the slider for D without releasing it, and wait for the picture."""
    drag(page, half_width)
    settle(page)


def release(page: Page) -> None:
    page.get_by_label("Half-width D").dispatch_event("change")
    settle(page)


def words(page: Page) -> list[str]:
    return page.locator(".ap-word").all_text_contents()


def test_words_and_maps_follow_the_slider_while_it_moves(page):
    assert words(page) == WORDS[1]
    slide(page, 0)
    assert words(page) == OTHER[1]
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    expect(page.locator(".ap-note")).to_have_text("with a window the model was not trained with")
    best = page.locator(".ap-next-word").first.inner_text()
    assert best == decoded(0)["steps"][0]["top"][0][0]
    slide(page, 1)
    assert words(page) == WORDS[1]
    release(page)
    assert page.evaluate("asked.map((one) => one.half_width)") == [0, 1]  # a release decodes nothing again


def test_until_an_answer_comes_the_last_picture_stays(page):
    page.evaluate("window.held = true")
    slide(page, 0)
    assert words(page) == WORDS[1]
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    assert page.get_by_label("Half-width D").input_value() == "0"
    release(page)
    assert page.get_by_label("Half-width D").input_value() == "0"
    page.evaluate("answer()")
    settle(page)
    assert words(page) == OTHER[1]


def test_an_answer_for_the_sentence_before_is_ignored(page):
    page.evaluate("window.held = true")
    slide(page, 0)
    other = traces.make(words=(["ein", "mann"], ["a", "man", "</s>"]))
    page.evaluate("(text) => player.update(JSON.parse(text))", dump(other))
    page.evaluate("answer()")
    settle(page)
    assert words(page) == ["a", "man", "</s>"]


def test_after_a_failure_the_player_shows_a_recording(page):
    page.evaluate("window.broken = true")
    slide(page, 0)
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    expect(page.get_by_label("Half-width D")).to_be_hidden()
    assert words(page) == WORDS[1]
    page.evaluate("window.broken = false; player.update(traces[2], undefined, { decoder })")
    slide(page, 0)
    assert words(page) == OTHER[1]


def test_the_failure_of_an_earlier_decoder_does_not_stop_the_next(page):
    page.evaluate("Object.assign(window, { held: true, broken: true })")
    slide(page, 0)
    page.evaluate("player.update(traces[2], undefined, { decoder: { ...decoder } })")
    page.evaluate("answer(); Object.assign(window, { held: false, broken: false })")
    slide(page, 1)
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    assert page.evaluate("asked.map((one) => one.half_width)")[-1] == 1
