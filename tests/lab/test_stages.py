"""The stages of the Window page in a browser: dragging, keys, and the display."""

import re
from dataclasses import replace
from typing import Any

import pytest
import torch
from playwright.sync_api import Page, expect

from attn_core.attention.settings import GAUSSIANS
from attn_core.trace import Focus, Trace
from tests.browser import traces
from tests.helpers.browser import pull
from tests.helpers.javascript import press, settle
from tests.helpers.numbers import written
from tests.lab import stages

MEMORY = torch.randn(6, 4, generator=torch.Generator().manual_seed(1))


def trace_of(window: str = "local-p", **how: Any) -> Trace:
    """A trace with a memory, so that context vectors have a norm."""
    made = traces.make(window, **how)
    return replace(made, memory=replace(made.memory, states=MEMORY[: len(made.source)]))


def columns(page: Page) -> float:
    """Pixels per source word: the ends of the window with D = 2 are five words apart."""
    lo, hi = (page.locator(f".wl-grip-{end}").bounding_box() for end in ("lo", "hi"))
    return (hi["x"] - lo["x"]) / 5


def values(page: Page) -> list[float]:
    """p_t, D and sigma as displayed."""
    return [float(text) for text in page.locator(".wl .ap-value").all_inner_texts()]


def numbers(page: Page, name: str) -> list[float]:
    return [float(text.replace("<", "")) for text in page.locator(f'[data-name="{name}"]').all_inner_texts()]


# The window by hand.


def middle_trace() -> Trace:
    """p_t = 2.4 and D = 2 at the second step, so that no end is clipped (0 to 4 of 6 words)."""
    made = trace_of(half_width=2)
    word = made.words[1]
    look = word.step.looks[0]
    distance = torch.arange(6) - 2.4
    inside = torch.tensor([True] * 5 + [False])
    bell = torch.exp(-(distance**2) / 2) * inside
    align = look.scores.masked_fill(~inside, -torch.inf).softmax(-1)
    changed = replace(look, focus=Focus(inside, bell, torch.tensor(2.4)), alignment=align, weights=align * bell)
    word = replace(word, step=replace(word.step, looks=(changed,)))
    return replace(made, words=(made.words[0], word, *made.words[2:]))


def test_the_lab_starts_from_what_the_model_had(lab):
    made = middle_trace()
    page = lab("window", stages.window_data(made, step=1))
    assert values(page) == [2.4, 2, 1]
    look = made.words[1].step.looks[0]
    kept = look.weights.sum().item()
    assert numbers(page, "sum") == pytest.approx([kept, 1, 1], abs=0.006)
    assert numbers(page, "missing") == pytest.approx([1 - kept, 0, 0], abs=0.006)
    context = (look.weights @ made.memory.states).norm().item()
    assert numbers(page, "length")[0] == pytest.approx(context, abs=0.006)
    assert page.locator(".wl-ways tbody code").all_inner_texts() == list(GAUSSIANS)
    expect(page.locator(".wl-note")).to_contain_text("2.40")
    expect(page.locator(".wl-moved")).to_have_count(0)


def test_dragging_the_tag_moves_the_center_and_the_window_with_it(lab):
    made = middle_trace()
    page = lab("window", stages.window_data(made, step=1))
    column = columns(page)
    before = numbers(page, "sum")[0]
    pull(page.locator(".wl-grip-center"), column, hold=True)
    assert values(page) == pytest.approx([3.4, 2, 1], abs=0.03)
    expect(page.locator(".wl-moved")).to_have_count(1)
    assert page.locator(".wl-slot:not(.wl-off)").all_inner_texts() == ["1", "2", "3", "4", "5"]
    assert numbers(page, "sum")[0] != before
    page.mouse.move(1270, 300)  # beyond the sentence: p_t stays in 0 .. S
    settle(page)
    assert values(page)[0] == 6
    page.mouse.up()
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert values(page) == [2.4, 2, 1]
    assert numbers(page, "sum")[0] == before


def test_dragging_an_end_changes_d_and_sigma_follows(lab):
    page = lab("window", stages.window_data(middle_trace(), step=1))
    column = columns(page)
    pull(page.locator(".wl-grip-hi"), -column)
    assert values(page) == [2.4, 1, 0.5]
    pull(page.locator(".wl-grip-lo"), -2 * column)
    assert values(page) == [2.4, 3, 1.5]


def test_dragging_the_dot_unlinks_sigma(lab):
    page = lab("window", stages.window_data(middle_trace(), step=1))
    column = columns(page)
    link = page.get_by_role("button", name="σ = D / 2")
    expect(link).to_have_attribute("aria-pressed", "true")
    pull(page.locator(".wl-grip-sigma"), column)
    assert values(page) == pytest.approx([2.4, 2, 2], abs=0.03)
    expect(link).to_have_attribute("aria-pressed", "false")
    link.click()
    settle(page)
    assert values(page) == [2.4, 2, 1]


def test_sliders_answer_keys_and_the_edges_are_told(lab):
    page = lab("window", stages.window_data(middle_trace(), step=1))
    page.get_by_label("Centre p_t").focus()
    press(page, "End")
    assert values(page)[0] == 6
    expect(page.get_by_label("Edges")).to_contain_text("3 of 5 positions lie beyond the sentence")
    expect(page.locator(".wl-off")).to_have_count(3)
    page.get_by_label("Half-width D").focus()
    press(page, "Home")
    assert values(page)[1:] == [0, 0]
    assert numbers(page, "sum") == [1, 1, 1]  # one word in view, and nothing to favour
    page.locator(".wl-rule label").nth(1).click()  # |s - p| <= D: no word is within 0 of S
    settle(page)
    assert numbers(page, "sum") == [0, 0, 0]
    for key in ("End", "ArrowLeft"):  # the only position lies beyond the sentence; then there is none
        page.get_by_label("Centre p_t").press(key)
        expect(page.get_by_label("Edges")).to_contain_text("No word is in the window: all weights and the context")
        expect(page.locator(".wl-plot")).to_have_attribute("aria-label", re.compile("no word in the window; all .* 0$"))


def test_the_rules_for_the_center_are_told_apart(lab):
    page = lab("window", stages.window_data(middle_trace(), step=1))
    expect(page.get_by_label("Edges")).to_contain_text("only the rule with pₜ rounded down includes “ein” (0)")
    lo = page.locator(".wl-grip-lo").bounding_box()["x"]
    page.locator(".wl-rule label").nth(1).click()
    settle(page)
    assert page.locator(".wl-grip-lo").bounding_box()["x"] > lo


@pytest.mark.quick
def test_steps_are_chosen_by_words_and_keys(lab):
    made = middle_trace()
    page = lab("window", stages.window_data(made))
    expect(page.locator(".ap-count")).to_have_text("step 1 of 7")
    page.locator(".wl").focus()
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator(".ap-now")).to_have_text("runs")
    page.get_by_role("button", name="dog", exact=True).click()
    settle(page)
    assert values(page)[0] == 2.4


def test_a_sigma_of_the_models_own_is_not_linked(lab):
    page = lab("window", stages.window_data(trace_of(sigma=1.7)))
    assert values(page)[1:] == [2, 1.7]
    pull(page.locator(".wl-grip-sigma"), 60)
    assert values(page)[2] > 1.8
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert values(page)[1:] == [2, 1.7]


def test_a_model_without_a_window_gets_one_that_goes_by_the_clock(lab):
    page = lab("window", stages.window_data(trace_of("global"), step=3))
    assert values(page) == [3, 2, 1]
    expect(page.locator(".wl-note")).to_contain_text("that of local-m")


def test_the_table_holds_the_numbers_of_the_hand(lab):
    made = middle_trace()
    page = lab("window", stages.window_data(made, step=1))
    page.get_by_text("The same numbers as a table").click()
    look = made.words[1].step.looks[0]
    best = look.weights.argmax().item()
    cells = page.locator(".ap-table tbody tr").nth(best).locator("td")
    expect(cells).to_have_count(5 + len(GAUSSIANS))
    expect(cells.nth(1)).to_have_text(made.source[best])
    expect(cells.nth(2)).to_have_text(written(look.scores[best].item(), 4))
    expect(cells.nth(5)).to_have_text(f"{look.weights[best]:.4f}")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_part_is_wider_than_the_screen(lab, width):
    parts = {
        "window": stages.window_data(trace_of()),
        "path": stages.path_data("groundhog", "feeding, local-p"),
        "reach": stages.reach_data("schnee", "snow"),
    }
    for part, data in parts.items():
        page = lab(part, data, width=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, part


# The reach of a window.


def test_the_word_that_is_needed_and_what_lies_outside_are_told(lab):
    data = stages.reach_data("schnee", "a")  # wanted at step 0, at place 5: local-m with D = 2 sees 0 to 2
    page = lab("reach", data)
    expect(page.locator(".ap-now")).to_have_text("a")
    first, last = page.locator(".rl-run").nth(0), page.locator(".rl-run").nth(2)
    expect(first).to_contain_text("0: outside the window")
    scores = torch.tensor(data["runs"][0]["trace"]["steps"][0]["looks"][0]["scores"])
    outside = scores.softmax(-1)[3:].sum().item()
    shown = first.locator('[data-name="outside"]').inner_text()
    assert float(shown.replace("<", "")) == pytest.approx(outside, abs=0.006)
    expect(last.locator('[data-name="outside"]')).to_have_text("0")
    page.locator(".ap-word").nth(5).click()
    settle(page)
    expect(first).not_to_contain_text("0: outside the window")
