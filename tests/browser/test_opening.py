"""How the player opens: a handout at its step and head; and that its numbers fit."""

import re

from playwright.sync_api import expect

from attn_core.browser import html
from tests.browser import traces
from tests.helpers.javascript import assert_apart, call_in_page, settle

TWELVE = ([f"wort{s}" for s in range(12)], [*(f"word{t}" for t in range(12)), "</s>"])
WEIGHT = re.compile(r"[01]?\.\d\d")


def test_every_score_is_drawn_with_two_decimals_and_fits_its_column(handout):
    """In columns just wide enough for numbers, where one decimal and the full size used to be taken."""
    made = traces.make("global")
    page = handout(made, width=400)
    call_in_page(page, "recordTexts")
    page.locator(".ap").press("ArrowRight")
    settle(page)
    drawn = page.evaluate("window.drawn")
    places = {one["text"]: one["x"] for one in drawn if one["text"] in ("0", "1")}  # of the ruler
    room = places["1"] - places["0"]
    assert 36 < room < 52
    widths = {one["text"].replace("−", "-"): one["width"] for one in drawn}
    for score in made.words[1].step.looks[0].scores.tolist():
        assert widths[f"{score:.2f}"] <= room + 0.01


def test_on_a_phone_the_largest_weights_have_numbers_that_do_not_touch(handout):
    made = traces.make("global", words=TWELVE)
    page = handout(made, width=390, height=844)
    call_in_page(page, "recordTexts")
    page.locator(".ap").press("ArrowRight")
    settle(page)
    drawn = [one for one in page.evaluate("window.drawn") if WEIGHT.fullmatch(one["text"])]
    assert_apart(drawn)
    assert min(one["size"] for one in drawn) >= 12
    largest = made.words[1].step.looks[0].weights.topk(2).values.tolist()
    assert {f"{weight:.2f}"[1:] for weight in largest} <= {one["text"] for one in drawn}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_handout_opens_at_its_step_and_its_head(visit):
    page = visit(html(traces.make("global", looks=3), step=4, layer=0, head=2))
    expect(page.locator(".ap-count")).to_have_text("step 5 of 7")
    assert page.get_by_label("Layer and head").evaluate("box => box.selectedOptions[0].text") == "layer 0, head 2"
