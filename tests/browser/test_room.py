"""The picture of a step ends where the screen does, also when something above it changes its height."""

import pytest

from tests.browser import traces

pytestmark = pytest.mark.browser

GROWS = """() => {
  const above = Object.assign(document.createElement("div"), {id: "above"});
  above.style.height = "24px";
  document.body.prepend(above);
  const frame = () => new Promise(requestAnimationFrame);
  return frame().then(frame).then(frame);  // the observer's, and that of the picture
}"""


def test_the_stage_is_drawn_again_when_something_above_it_grows(handout):
    page = handout(traces.make("global"), width=1280, height=740)
    plot = page.locator(".ap-plots")
    top, height = (plot.bounding_box()[name] for name in ("y", "height"))
    page.evaluate(GROWS)
    box = plot.bounding_box()
    assert box["y"] == pytest.approx(top + 24)
    assert box["y"] + box["height"] == pytest.approx(top + height, abs=2)  # as far down as before
