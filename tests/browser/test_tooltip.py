"""The tooltip of the player: the numbers under a pointer or a finger."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import traces
from tests.helpers.numbers import number

pytestmark = pytest.mark.browser


# Move a pointer over the whole step or heatmap and collect the texts of the tooltip.
SWEEP = """async ([selector, down, across]) => {
  const plot = document.querySelector(selector);
  const box = plot.getBoundingClientRect();
  const said = [];
  for (let y = 2; y < box.height; y += down) {
    for (let x = 8; x < box.width; x += across) {
      const [clientX, clientY] = [box.left + x, box.top + y];
      plot.dispatchEvent(new PointerEvent("pointermove", {clientX, clientY, pointerType: "mouse", bubbles: true}));
      await null;  // components are drawn once the event is over
      const tip = document.querySelector(".ap-tip");
      if (!tip) continue;
      const cells = Array.from(tip.querySelectorAll("td"), (cell) => [cell.dataset.name, cell.textContent]);
      const [pair, where] = tip.children;
      said.push([where.textContent, pair.textContent, Object.fromEntries(cells)]);
    }
  }
  return said;
}"""


@pytest.mark.quick(1)
@pytest.mark.parametrize("window", ["local-p", "local-m", "global"])
def test_numbers_under_the_pointer_are_the_trace_s(handout, window):
    made = traces.make(window)
    page = handout(made)
    found = {}
    swept = [page.evaluate(SWEEP, given) for given in ([".ap-plot", 40, 60], [".ap-map-plot", 5, 15])]
    for where, pair, numbers in swept[0] + swept[1]:
        n, s = map(int, re.search(r"step (\d+) of 7, position (\d+) \(from 0\)", where).groups())
        step = n - 1
        assert pair == f"{made.target[step]} ← {made.source[s]}"
        found[s, step] = {name: number(text) for name, text in numbers.items()}
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


# The places of a pointer on the step or heatmap, the word that the tooltip names there, and the tooltip's edges.
PLACES = """async (selector) => {
  const plot = document.querySelector(selector);
  const box = plot.getBoundingClientRect();
  const found = [];
  for (let x = 4; x < box.width; x += 4) {
    const [clientX, clientY] = [box.left + x, box.top + box.height * 0.7];
    plot.dispatchEvent(new PointerEvent("pointermove", {clientX, clientY, pointerType: "mouse", bubbles: true}));
    await null;
    const tip = document.querySelector(".ap-tip");
    if (!tip) continue;
    const {left, right} = tip.getBoundingClientRect();
    found.push([clientX, tip.children[1].textContent, left, right]);
  }
  return found;
}"""


@pytest.mark.parametrize("plot", [".ap-plot", ".ap-map-plot"])
def test_the_tooltip_stands_beside_the_column_that_it_explains(handout, plot):
    places = handout(traces.make("global")).evaluate(PLACES, plot)
    columns: dict[str, list[float]] = {}
    for x, where, _left, _right in places:
        columns.setdefault(where, []).append(x)
    assert len(columns) == 6  # the source words
    for _x, where, left, right in places:
        assert right <= min(columns[where]) or left >= max(columns[where]), where


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
