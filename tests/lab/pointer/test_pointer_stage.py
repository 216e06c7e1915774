"""The Pointer page's stage in a browser: drawing points, and the display of the network's choices."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from attn_core.synthetic.pointer import PointerNet, point
from tests.helpers.browser import pull, swipe
from tests.helpers.javascript import press, settle
from tests.helpers.numbers import number
from tests.lab import stages
from tests.synthetic.test_pointer import net

POINTS = [[0.2, 0.2], [0.8, 0.3], [0.5, 0.9], [0.5, 0.45]]
NUMBERS = [[0.6], [0.2], [0.9]]


def halved(model: PointerNet) -> PointerNet:
    for parameter in model.parameters():
        parameter.copy_(parameter.half())
    return model


@pytest.fixture
def visit(lab: Callable[..., Page]) -> Callable[..., Page]:
    """Open the stage with a network and inputs."""
    return lambda model, inputs, **context: lab("pointer", stages.pointer_data(model, inputs), **context)


def grip(page: Page, i: int) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^(point|number) {i}: "))


def shown(page: Page) -> list[list[float]]:
    """The displayed inputs."""
    names = [one.get_attribute("aria-label") for one in page.locator(".pt-grip:not([hidden])").all()]
    return [[float(value) for value in name.split(": ")[1].split(", ")] for name in names]


def walk(page: Page) -> list[str]:
    return page.locator(".pt-walk .ap-word").all_inner_texts()


def bars(page: Page) -> list[float]:
    """The weights of the step as a screen reader gets them, with four decimals or two digits."""
    spoken = page.locator(".pt-picture .ap-plot").get_attribute("aria-label")
    return [float(part.split()[-1]) for part in spoken.removeprefix("Weights: ").split(", ")]


def said(model: PointerNet, inputs: list[list[float]], constraint: str = "none") -> list[str]:
    places = point(model, inputs, constraint=constraint).settings["pointed"]
    words = [f"{one[0]:.3f}" for one in inputs] if len(inputs[0]) == 1 else [str(i + 1) for i in range(len(inputs))]
    return ["end" if place == 0 else words[place - 1] for place in places]


def test_a_step_shows_the_weights_of_the_record(visit):
    model = halved(net())
    page, trace = visit(model, POINTS), point(model, POINTS)
    assert walk(page) == said(model, POINTS)
    page.locator(".ap-table").evaluate("table => table.parentElement.open = true")
    for t, word in enumerate(trace.words):
        page.locator(".pt-walk .ap-word").nth(t).click()
        settle(page)
        assert bars(page) == pytest.approx(word.step.looks[0].weights.tolist(), abs=1e-4)
        assert bars(page)[trace.settings["pointed"][t]] == max(bars(page))
    numbers = [row.locator("td").first.inner_text() for row in page.locator(".ap-table tbody tr").all()]
    assert numbers == [str(t + 1) for t in range(len(trace.words))]


@pytest.mark.parametrize(("problem", "inputs"), [("hull", POINTS), ("sort", NUMBERS)])
def test_a_hand_moves_an_input_and_the_network_follows_it_in_the_browser(visit, problem, inputs):
    model = halved(net(3, problem=problem))
    page = visit(model, inputs)
    pull(grip(page, 2), 30, -60, hold=True)
    moved = shown(page)
    assert moved[1][-1] > inputs[1][-1] + 0.05
    assert [one for i, one in enumerate(moved) if i != 1] == [one for i, one in enumerate(inputs) if i != 1]
    assert walk(page) == said(model, moved)
    assert bars(page) == pytest.approx(point(model, moved).words[0].step.looks[0].weights.tolist(), abs=1e-4)
    assert page.evaluate("window.heard") == []
    page.mouse.up()
    assert page.evaluate("window.heard") == [moved]


def test_the_picture_of_a_step_has_the_numbers_of_its_columns(visit):
    model = halved(net())
    page, look = visit(model, POINTS), point(model, POINTS).words[0].step.looks[0]
    gutter, plot = page.locator(".pt-picture .ap-gutter"), page.locator(".pt-picture .ap-plot")
    assert gutter.bounding_box()["height"] == plot.locator("canvas").bounding_box()["height"]
    box = plot.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 12, box["y"] + 20)  # the last column
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("step 1 of 5, position 4 (from 0)")
    scores, weights = (number(tip.locator(f"[data-name={name}]").inner_text()) for name in ("scores", "weights"))
    assert (scores, weights) == pytest.approx((look.scores[4].item(), look.weights[4].item()), abs=6e-4)
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 20)
    expect(page.get_by_role("button", name="Remove 4")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(tip).to_be_hidden()
    expect(page.locator(".pt-step")).to_be_hidden()


def test_a_constraint_is_obeyed_at_once(visit):
    model = halved(net(std=1.5))
    page = visit(model, POINTS)
    for constraint in ("permutation", "distinct", "none"):
        page.evaluate("constraint => window.stage.constrain(constraint)", constraint)
        settle(page)
        assert walk(page) == said(model, POINTS, constraint)


def test_points_come_by_click_and_by_key_and_go(visit):
    page = visit(halved(net()), POINTS[:2])
    expect(page.locator(".pt-verdict")).to_have_text("Click the square to add 1 more point.")
    square = page.locator(".pt-square").bounding_box()
    page.mouse.click(square["x"] + square["width"] / 2, square["y"] + square["width"] / 4)
    settle(page)
    assert shown(page)[2] == [pytest.approx(0.5, abs=0.01), pytest.approx(0.79, abs=0.01)]
    assert page.locator(".pt-walk .ap-word").count() > 0
    page.get_by_role("button", name="Add").press("Enter")
    settle(page)
    assert len(shown(page)) == 4
    press(page, "Shift+ArrowLeft")
    press(page, "Delete")
    assert len(shown(page)) == 3
    page.get_by_role("button", name="Clear").click()
    settle(page)
    assert shown(page) == []
    page.get_by_role("button", name="10", exact=True).click()
    settle(page)
    assert len(shown(page)) == 10
    before = shown(page)
    page.get_by_role("button", name="Shuffle").click()
    settle(page)
    assert sorted(shown(page)) == sorted(before)
    assert shown(page) != before
    assert page.evaluate("window.heard.length") >= 5


def test_arrow_keys_are_reported_once_they_rest(visit):
    page = visit(halved(net()), POINTS)
    grip(page, 4).focus()
    press(page, "ArrowUp", "ArrowUp", "ArrowLeft")
    page.wait_for_function("window.heard.length === 1")
    assert shown(page)[3] == [0.48, 0.49]


def test_keys_and_buttons_step_and_play(visit):
    model = halved(net())
    page, steps = visit(model, POINTS), len(point(model, POINTS).words)
    assert steps > 2
    scrub = page.get_by_label("Decoding step")
    page.locator(".pt").focus()
    for keys, step in ((["End"], steps - 1), (["ArrowLeft"], steps - 2), (["Home"], 0), (["ArrowRight"], 1)):
        press(page, *keys)
        assert scrub.input_value() == str(step)
        now = page.locator(".pt-walk .ap-word").nth(step)
        expect(now).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="Last step").click()
    page.get_by_role("button", name="Play").click()  # after the end it starts again
    page.wait_for_function("document.querySelector('.ap-scrub').value === '1'")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for()


def until(done: Callable[[], bool], act: Callable[[], None], page: Page) -> None:
    """Repeat a touch until it has an effect: a browser cancels a touch that a busy machine answers too late."""
    for _ in range(20):
        if done():
            return
        act()
        settle(page)
    assert done()


def test_a_finger_draws_on_a_phone(visit):
    page = visit(halved(net()), POINTS, width=390, height=844, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390

    def drag():
        box = grip(page, 3).bounding_box()
        assert min(box["width"], box["height"]) >= 44
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        swipe(page, (x, y), (x + 20, y + 30), (x + 40, y + 60))

    until(lambda: shown(page)[2][0] > POINTS[2][0] + 0.05, drag, page)

    def tap():
        square = page.locator(".pt-square").bounding_box()
        page.touchscreen.tap(square["x"] + square["width"] / 2, square["y"] + square["width"] * 0.85)

    until(lambda: len(shown(page)) > 4, tap, page)
    assert shown(page)[4] == [pytest.approx(0.5, abs=0.01), pytest.approx(0.15, abs=0.07)]
