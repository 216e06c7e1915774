"""Editing a translation in the Explorer, in a browser; edits, rows and undo are tested in surgery.test.js."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

LOCAL_P = "luong-general-local-p"
TEXT = "Ein Hund läuft durch den Schnee."


def editing(visit_live) -> tuple[Page, Locator]:
    """The second step of a translation, with the open panel in which its attention is edited."""
    page = visit_live(query={"model": LOCAL_P, "text": TEXT, "step": "1"})
    page.get_by_role("button", name="Edit attention").click()
    return page, page.get_by_role("region", name="Edit the attention")


def test_a_row_is_painted_and_reopened_by_its_link(visit_live):
    page, panel = editing(visit_live)
    badge, plot = page.locator(".ap-badge"), page.locator(".ap-plot")
    expect(badge).to_have_text("decoded")
    place = _point(page, ".ap-plot", ".ap-plot-paint")
    page.mouse.move(*place)
    expect(plot).to_have_class(r"ap-plot ap-plot-paint")
    page.mouse.down()
    page.mouse.move(place[0], place[1] - 20, steps=3)
    page.mouse.up()
    expect(badge).to_have_text("edited by hand")
    expect(panel.get_by_role("listitem")).to_have_count(1)
    expect(panel.get_by_role("listitem")).to_contain_text("step 2: weights")
    page.wait_for_url(lambda url: "edit=w1-" in url)
    link, after = page.url, page.locator(".live-output").inner_text()
    row = [float(one) for one in parse_qs(urlsplit(link).query)["edit"][0].removeprefix("w1-").split("_")]
    assert row[0] > 0.05

    # The number says that it was set.
    page.locator(".ap").first.press("Enter")
    numbers = page.get_by_role("region", name="Where a number comes from")
    expect(numbers).to_contain_text("Set by hand")
    assert float(numbers.locator(".no-main").inner_text()) == pytest.approx(max(row), abs=1e-3)
    numbers.press("Escape")

    page.goto(link)
    expect(badge).to_have_text("edited by hand")
    expect(panel.get_by_role("listitem")).to_contain_text("step 2: weights")
    expect(page.locator(".live-output")).to_have_text(after)


def test_a_drag_across_cells_of_the_row_shares_the_weight(visit_live):
    page, panel = editing(visit_live)
    plot, (x, y) = page.locator(".ap-map-plot"), _point(page, ".ap-map-plot", ".ap-plot-brush", 0.4)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)  # the pointer may leave the row
    page.mouse.up()
    expect(panel.get_by_role("listitem")).to_have_count(1)
    expect(panel.get_by_role("listitem")).to_contain_text(re.compile(r"step 2: equal weights on [3-9] words"))
    page.wait_for_url(lambda url: "edit=w1-" in url)
    row = [float(one) for one in parse_qs(urlsplit(page.url).query)["edit"][0].removeprefix("w1-").split("_")]
    painted = [s for s, weight in enumerate(row) if weight]
    assert len(painted) > 2
    assert painted == list(range(painted[0], painted[-1] + 1))
    assert max(row) - min(row[s] for s in painted) < 1e-3
    panel.get_by_role("button", name="Undo").click()  # the whole drag is one entry of the history
    expect(panel.get_by_role("listitem")).to_have_count(0)
    plot.click(position={"x": 5, "y": 5})  # a later click is not swallowed


def test_the_slider_of_a_weight_moves_on_before_the_translation_is_there(visit_live):
    page, panel = editing(visit_live)
    slider = panel.get_by_role("slider", name="Weight")
    before = float(slider.input_value())
    # A held key is faster than the model.
    moves = """(slider, by) => {
      for (let i = 0; i < 5; i++) {
        slider.value = String(Number(slider.value) + by);
        for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
      }
      return Number(slider.value);
    }"""
    by = 0.01 if before < 0.5 else -0.01
    assert slider.evaluate(moves, by) == pytest.approx(before + 5 * by, abs=1e-6)
    expect(panel.locator(".su-value")).to_have_text(f"{before + 5 * by:.2f}")
    page.wait_for_url(lambda url: "edit=w1-" in url)
    assert float(slider.input_value()) == pytest.approx(before + 5 * by, abs=1e-6)


def _point(page: Page, plot: str, form: str, across: float = 0.0) -> tuple[float, float]:
    """A point that can be painted at this share of the width; it is found as a reader finds it, by the pointer's form.

    At the left edge that is the track of the first word's weight.
    """
    # The untrained models here never write </s>, so what is above the bars is taller than on a real page.
    page.locator(plot).evaluate("plot => plot.scrollIntoView({ block: 'end' })")
    box, before = page.locator(plot).bounding_box(), None
    while box != before:  # editing scrolls the bars into sight
        page.wait_for_timeout(300)
        box, before = page.locator(plot).bounding_box(), box
    assert box
    x, y, inside = box["x"] + 55 + across * box["width"], box["y"], []
    while y < box["y"] + box["height"] and (not inside or inside[-1] > y - 8):
        page.mouse.move(x, y)
        if page.locator(form).count():
            inside.append(y)
        y += 5
    return x, sum(inside) / len(inside)
