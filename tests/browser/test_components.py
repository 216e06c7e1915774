"""Components of pages (drawn_components.js): templates, errors shown in their place, parts drawn when they change."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from attn_core.browser import bundle
from tests.helpers.visits import patience

SCRIPT = bundle.module(Path(__file__).with_name("drawn_components.js"))


@pytest.fixture
def drawn(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page with components, each drawn by a script of its own; the errors of the page are in `page.errors`."""
    contexts = []

    def open_page(*names: str) -> Page:
        scripts = [
            f'<div id="{i}"></div><script type="module">{SCRIPT}; draw("{name}", document.getElementById({i}))</script>'
            for i, name in enumerate(names)
        ]
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.set_default_timeout(patience())
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and page.errors.append(message.text))
        page.set_content(f'<!doctype html><meta charset="utf-8">{"".join(scripts)}')
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_a_component_that_throws_is_replaced_by_its_message(drawn):
    page = drawn("step and counter")
    page.get_by_role("button").click()
    page.evaluate("step.value = 1")
    expect(page.locator(".step")).to_have_text("step 1")
    page.evaluate("step.value = 2")
    expect(page.get_by_role("alert")).to_contain_text("no step <b>2</b>")
    assert page.locator(".step").count() == 0
    page.get_by_role("button").click()
    expect(page.get_by_role("button")).to_have_text("pressed 2")
    (error,) = page.errors
    assert "no step <b>2</b>" in error


@pytest.mark.parametrize(("name", "problem"), [("broken at first", "no model"), ("broken in an effect", "no canvas")])
def test_a_component_that_throws_at_first_leaves_the_others(drawn, name, problem):
    page = drawn(name)
    expect(page.get_by_role("alert")).to_contain_text(problem)
    page.get_by_role("button").click()
    expect(page.get_by_role("button")).to_have_text("pressed 1")


def test_new_children_are_tried_again_after_an_error(drawn):
    page = drawn("step and number")
    for step in (2, 3):
        page.evaluate("(number) => { step.value = number; }", step)
        expect(page.get_by_role("alert")).to_contain_text(f"no step <b>{step}</b>")
    page.evaluate("step.value = 1")
    expect(page.locator(".step")).to_have_text("step 1")
    assert page.get_by_role("alert").count() == 0


def test_a_part_is_drawn_again_only_when_one_of_its_values_is_another(drawn):
    page = drawn("half a step")
    for step in range(1, 6):
        page.evaluate("(number) => { step.value = number; }", step)
    expect(page.locator("p")).to_have_text("2")
    assert page.evaluate("draws") == [0, 1, 2]
    assert page.errors == []


def test_elements_of_a_keyed_list_move_with_their_words(drawn):
    page = drawn("words")
    page.evaluate("() => { for (const word of document.querySelectorAll('li')) word.mark = word.textContent; }")
    page.evaluate("words.value = ['läuft', 'ein', 'hund']")
    expect(page.locator("li").first).to_have_text("läuft")
    assert page.evaluate("[...document.querySelectorAll('li')].map((word) => word.mark)") == ["läuft", "ein", "hund"]


@pytest.mark.quick
def test_words_are_never_markup(drawn):
    page = drawn("markup")
    expect(page.locator("p")).to_have_text("<img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 0


def test_a_template_may_have_several_lines_and_roots(drawn):
    page = drawn("several roots")
    assert page.locator("h2").all_inner_texts() == ["a", "b"]
    assert page.locator("p").all_inner_texts() == ["one twothreefour", "one twothree"]


def test_two_scripts_draw_in_one_page(drawn):
    page = drawn("counter", "counter")
    page.get_by_role("button").last.click()
    assert page.get_by_role("button").all_inner_texts() == ["pressed 0", "pressed 1"]
    assert page.errors == []


def test_removing_a_tree_ends_its_effects(drawn):
    page = drawn("ending")
    expect(page.locator("p")).to_be_visible()
    page.evaluate("remove()")
    expect(page.locator("p")).to_have_count(0)
    page.wait_for_function("countEnded() === 1")
    assert page.errors == []
