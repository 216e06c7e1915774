"""How the player opens: a handout at its step and head; and that its numbers fit."""

import pytest
from playwright.sync_api import expect

from attn_core.web import html
from tests.helpers.javascript import settle
from tests.web import traces

pytestmark = pytest.mark.browser

RECORD_TEXT = """() => {
    window.drawn = [];
    const fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        window.drawn.push([text, this.measureText(text).width]);
        fill.call(this, text, x, y);
    };
}"""


def test_every_score_is_drawn_with_two_decimals_and_fits_its_column(handout):
    """In columns just wide enough for numbers, where one decimal and the full size used to be taken."""
    made = traces.make("global")
    page = handout(made, width=400)
    page.evaluate(RECORD_TEXT)
    page.locator(".ap").press("ArrowRight")
    settle(page)
    drawn, room = page.evaluate("[window.drawn, (document.querySelector('.ap-row').offsetWidth - 4) / 6]")
    assert 36 < room < 52
    widths = dict(drawn)
    for score in made.words[1].step.looks[0].scores.tolist():
        assert widths[f"{score:.2f}"] <= room + 0.01


def test_a_handout_opens_at_its_step_and_its_head(browser, tmp_path):
    made, path = traces.make("global", looks=3), tmp_path / "handout.html"
    path.write_text(html(made, step=4, look="1.3"), "utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    expect(page.locator(".ap-count")).to_have_text("word 5 of 7")
    assert page.get_by_label("Layer and head").evaluate("box => box.selectedOptions[0].text") == "layer 1, head 3"
    page.close()
