"""The Pointer page on a server: nothing is sent while points move, and links contain them."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from app.lab.pointer import data as pointer
from attn_core.synthetic.pointer import load, point
from tests.helpers.browser import pull


@pytest.fixture
def open_page(visit_live: Callable[..., Page]) -> Callable[..., Page]:
    return lambda **how: visit_live("pointer", ready=".pt-square", height=1000, **how)


def inputs_of(page: Page) -> list[list[float]]:
    page.wait_for_function("new URLSearchParams(location.search).has('points')")
    (text,) = parse_qs(urlsplit(page.url).query)["points"]
    return [[float(value) for value in one.split("-")] for one in text.split("_")]


def test_the_network_answers_in_the_page_and_the_address_has_the_points(open_page):
    page = open_page()
    sent = len(page.sent)
    pull(page.get_by_role("button", name=re.compile("^point 1: ")), 25, -40)
    moved = inputs_of(page)
    assert moved[1:] == pointer.START["hull"][1:]
    assert moved[0] != pointer.START["hull"][0]
    places = point(load(pointer.models()["hull"]), moved).settings["pointed"]
    wanted = ["end" if place == 0 else str(place) for place in places]
    assert page.locator(".pt-walk .ap-word").all_inner_texts() == wanted
    plain = point(load("plain-hull"), moved).settings["pointed"]
    said = " → ".join("end" if place == 0 else str(place) for place in plain)
    expect(page.locator(".pt-plain")).to_contain_text(f"{said}: ")
    page.get_by_role("button", name="15", exact=True).click()
    expect(page.locator(".pt-plain")).to_contain_text("cannot answer: it has words for 10 positions, and there are 15")
    assert len(page.sent) == sent


def test_a_link_brings_task_rule_and_inputs(open_page):
    page = open_page(query={"pointer_task": "sort", "pointer_rule": "permutation", "points": "0.9_0.1_0.5"})
    expect(page.get_by_role("button", name=re.compile("^number 3: 0.500"))).to_be_visible()
    expect(page.get_by_role("radio", name="each exactly once")).to_be_checked()
    page.get_by_role("radio", name="Convex hull").check(force=True)
    expect(page.get_by_role("button", name=re.compile("^point 1: "))).to_be_visible()
    page.wait_for_function("!new URLSearchParams(location.search).has('points')")


def test_points_that_nobody_can_have_drawn_are_reported(open_page):
    page = open_page(query={"points": "nonsense", "pointer_task": "nobody"})
    expect(page.locator(".live-note")).to_contain_text("The points in this link are not valid")
    expect(page.get_by_role("button", name=re.compile("^point 8: "))).to_be_visible()


def test_a_link_without_points_reopens_the_empty_square(open_page):
    page = open_page()
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function("new URLSearchParams(location.search).get('points') === ''")
    again = open_page(query={"points": ""})
    expect(again.locator(".pt-verdict")).to_contain_text("Click the square to add")
    expect(again.get_by_role("button", name=re.compile("^point 1: "))).to_have_count(0)
