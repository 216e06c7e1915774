"""How the player opens: a handout at its step and head; and that its numbers fit."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from attn_core.browser import html
from tests.browser import traces
from tests.helpers.javascript import settle

pytestmark = pytest.mark.browser

TWELVE = ([f"wort{s}" for s in range(12)], [*(f"word{t}" for t in range(12)), "</s>"])
WEIGHT = re.compile(r"[01]?\.\d\d")
RECORD_TEXT = r"""() => {
    window.drawn = [];
    const fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        window.drawn.push([text, this.measureText(text).width, x, y, parseFloat(this.font.match(/([\d.]+)px/)[1])]);
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
    drawn = page.evaluate("window.drawn")
    places = {text: x for text, _, x, *_ in drawn if text in ("0", "1")}  # of the ruler
    room = places["1"] - places["0"]
    assert 36 < room < 52
    widths = {text.replace("−", "-"): width for text, width, *_ in drawn}
    for score in made.words[1].step.looks[0].scores.tolist():
        assert widths[f"{score:.2f}"] <= room + 0.01


def test_on_a_phone_the_largest_weights_have_numbers_that_do_not_touch(handout):
    made = traces.make("global", words=TWELVE)
    page = handout(made, width=390, height=844)
    page.evaluate(RECORD_TEXT)
    page.locator(".ap").press("ArrowRight")
    settle(page)
    drawn = [one for one in page.evaluate("window.drawn") if WEIGHT.fullmatch(one[0])]
    lines = {y: sorted((x - width / 2, x + width / 2) for _, width, x, at, _ in drawn if at == y) for *_, y, _ in drawn}
    assert all(left[1] < right[0] for spans in lines.values() for left, right in pairwise(spans))
    assert min(size for *_, size in drawn) >= 12
    largest = made.words[1].step.looks[0].weights.topk(2).values.tolist()
    assert {f"{weight:.2f}"[1:] for weight in largest} <= {text for text, *_ in drawn}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_handout_opens_at_its_step_and_its_head(browser, tmp_path):
    made, path = traces.make("global", looks=3), tmp_path / "handout.html"
    path.write_text(html(made, step=4, layer=0, head=2), "utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    expect(page.locator(".ap-count")).to_have_text("step 5 of 7")
    assert page.get_by_label("Layer and head").evaluate("box => box.selectedOptions[0].text") == "layer 0, head 2"
    page.close()
