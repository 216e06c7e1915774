"""The heatmap by words on a page, where a vocabulary has word pieces; what is joined is tested in word-map.test.js."""

import pytest
from playwright.sync_api import expect

from tests.browser import traces
from tests.helpers.javascript import settle
from tests.helpers.numbers import number
from tests.helpers.page_data import PIECES


def test_the_heatmap_is_by_words_and_its_pieces_one_switch_away(hosted):
    made = traces.make("global", PIECES)
    page = hosted(made, width=1280, height=900)
    row, switch = page.locator(".ap-row"), page.get_by_role("checkbox", name="pieces")
    note = page.locator(".ap-joined")
    expect(note).to_be_visible()
    page.locator(".ap").press("ArrowRight")
    settle(page)
    box = row.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".ap-count")).to_have_text("step 2 of 5")
    tip = page.locator(".ap-tip")
    expect(tip.locator(".ap-tip-pair")).to_have_text("clocks ← kirchplatzuhr")
    expect(tip).to_contain_text("position 1–3 (from 0)")
    expect(tip).to_contain_text("sum over 3 pieces, mean of 2 steps")
    weights = made.weights()
    by_hand = weights[1:3, 1:4].sum().item() / 2
    assert number(tip.locator("[data-name=weights]").inner_text()) == pytest.approx(by_hand, abs=6e-4)
    page.mouse.click(box["x"] - 20, box["y"] + 1.5 * box["height"])  # the next word, after two steps
    expect(page.locator(".ap-count")).to_have_text("step 4 of 5")
    switch.check()
    expect(note).to_be_hidden()
    settle(page)
    box = row.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tip.locator(".ap-tip-pair")).to_have_text(". ← ·platz")


def test_weights_of_pieces_are_set_by_hand(hosted):
    page = hosted(traces.make("global", PIECES), {"paint": True}, width=1280, height=900)
    switch = page.get_by_role("checkbox", name="pieces")
    expect(switch).to_be_checked()
    expect(switch).to_be_disabled()
    box = page.locator(".ap-row").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".ap-tip-pair")).to_have_text("the ← ·platz")


@pytest.mark.parametrize("level", ["story", "workbench"])
def test_each_level_has_one_switch(hosted, level):
    page = hosted(traces.make("global", PIECES), {"level": level}, width=1280, height=900)
    expect(page.locator(".ap-by-pieces")).to_have_count(1)
    page.get_by_role("checkbox", name="pieces").check()
    expect(page.locator(".ap-joined")).to_be_hidden()


def test_a_translation_of_whole_words_has_no_switch(hosted):
    page = hosted(traces.make("global"))
    expect(page.locator(".ap-by-pieces")).to_be_hidden()
    expect(page.locator(".ap-joined")).to_be_hidden()
