"""The Pointer page on a server: releasing a point sends the inputs, and links contain them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.lab.pointer import networks
from app.lab.pointer import page as pointer
from attn_core.synthetic.pointer import load, point

pytestmark = pytest.mark.browser


@pytest.fixture
def open_page(visit: Callable[..., Page]) -> Callable[..., Page]:
    return lambda **how: visit("pointer", ready=".pt-square", height=1000, **how)


@pytest.mark.slow
def test_nothing_is_sent_before_a_hand_lets_go_and_then_the_model_decodes(open_page):
    page = open_page()
    badge = page.locator(".pt .ap-badge")
    expect(badge).to_have_text("decoded")
    sent = len(page.sent)
    box = page.get_by_role("button", name=re.compile("^point 1: ")).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 25, y - 40, steps=5)
    expect(badge).to_have_text("preview")
    assert len(page.sent) == sent
    page.mouse.up()
    expect(badge).to_have_text("decoded")
    page.wait_for_function("new URLSearchParams(location.search).has('points')")
    asked = networks.read(page.evaluate("new URLSearchParams(location.search).get('points')"), "hull", 25)
    assert asked[1:] == pointer.START["hull"][1:]
    assert asked[0] != pointer.START["hull"][0]
    places = point(load(networks.models()["hull"]), asked).settings["pointed"]
    wanted = ["end" if place == 0 else str(place) for place in places]
    assert page.locator(".pt-walk .ap-word").all_inner_texts() == wanted


def test_a_link_brings_task_rule_and_inputs(open_page):
    numbers = [[0.9], [0.1], [0.5]]
    page = open_page(query={"pointer_task": "Sort numbers", "points": networks.written(numbers)})
    expect(page.get_by_role("button", name=re.compile("^number 3: 0.500"))).to_be_visible()
    expect(page.locator(".pt .ap-badge")).to_have_text("decoded")
    page.get_by_role("radio", name="Convex hull").check(force=True)
    expect(page.get_by_role("button", name=re.compile("^point 1: "))).to_be_visible()
    page.wait_for_function("!new URLSearchParams(location.search).has('points')")
