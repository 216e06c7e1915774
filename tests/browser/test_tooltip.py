"""The tooltip of the player: the numbers under a pointer or a finger."""

import re
from itertools import chain

import pytest
from playwright.sync_api import expect

from tests.browser import traces
from tests.helpers.javascript import call_in_page
from tests.helpers.numbers import number


@pytest.mark.parametrize("window", ["local-p", "local-m", "global"])
def test_numbers_under_the_pointer_are_the_trace_s(handout, window):
    made = traces.make(window)
    page = handout(made)
    found = {}
    swept = (call_in_page(page, "tooltips", *given) for given in ([".ap-plot", 2, 40, 60], [".ap-map-plot", 2, 5, 15]))
    for one in chain(*swept):
        n, s = map(int, re.search(r"step (\d+) of 7, position (\d+) \(from 0\)", one["where"]).groups())
        step = n - 1
        assert one["pair"] == f"{made.target[step]} ← {made.source[s]}"
        found[s, step] = {name: number(text) for name, text in one["numbers"].items()}
    assert set(found) == {(s, i) for s in range(6) for i in range(7)}
    for (s, i), numbers in found.items():
        look = made.words[i].step.looks[0]
        want = {
            "scores": look.scores,
            "alignment": look.alignment,
            "gaussian": look.focus.gaussian,
            "weights": look.weights,
        }
        if window != "local-p":
            del want["gaussian"], want["alignment"]  # without a Gaussian, the attention weight is the alignment weight
        assert numbers == pytest.approx({name: value[s].item() for name, value in want.items()}, rel=5.1e-3)


@pytest.mark.parametrize("plot", [".ap-plot", ".ap-map-plot"])
def test_the_tooltip_stands_beside_the_column_that_it_explains(handout, plot):
    page = handout(traces.make("global"))
    places = call_in_page(page, "tooltips", plot, 0.7 * page.locator(plot).bounding_box()["height"], 1e4, 4)
    columns: dict[str, list[float]] = {}
    for one in places:
        columns.setdefault(one["where"], []).append(one["x"])
    assert len(columns) == 6  # the source words
    for one in places:
        column = columns[one["where"]]
        assert one["right"] <= min(column) or one["left"] >= max(column), one["where"]


def test_the_mouse_shows_numbers_and_a_click_goes_there(handout):
    page = handout(traces.make())
    box = page.locator(".ap-map").bounding_box()
    spot = box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.9
    page.mouse.move(*spot)
    where = page.locator(".ap-tip-where").first.inner_text()
    step = int(re.search(r"step (\d+) of", where).group(1))
    assert step != 1
    page.mouse.click(*spot)
    expect(page.locator(".ap-count")).to_have_text(f"step {step} of 7")
    page.mouse.move(2, 2)
    expect(page.locator(".ap-tip")).to_be_hidden()


def test_a_tap_shows_the_numbers_too(handout):
    page = handout(traces.make(), width=390, height=844, has_touch=True)
    box = page.locator(".ap-plot").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
    expect(page.locator(".ap-tip")).to_contain_text("weight")
