"""The parts of the lab in a browser: dragging, keys, and the display."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from attn_core.attention.settings import GAUSSIANS
from attn_core.trace import Focus, Trace
from tests.browser import traces
from tests.helpers.javascript import press, settle
from tests.helpers.numbers import written
from tests.lab import stages

pytestmark = pytest.mark.browser

MEMORY = torch.randn(6, 4, generator=torch.Generator().manual_seed(1))


@pytest.fixture
def visit(lab: Callable[..., Page]) -> Callable[..., Page]:
    return lab


def trace_of(window: str = "local-p", **how: Any) -> Trace:
    """A trace with a memory, so that context vectors have a norm."""
    made = traces.make(window, **how)
    return replace(made, memory=replace(made.memory, states=MEMORY[: len(made.source)]))


def drag(page: Page, grip: Locator, by: float) -> None:
    """Drag a handle by `by` pixels, without releasing it."""
    box = grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=5)
    settle(page)


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


def test_the_lab_starts_from_what_the_model_had(visit):
    made = middle_trace()
    page = visit("window", stages.window_data(made, step=1))
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


def test_dragging_the_tag_moves_the_center_and_the_window_with_it(visit):
    made = middle_trace()
    page = visit("window", stages.window_data(made, step=1))
    column = columns(page)
    before = numbers(page, "sum")[0]
    drag(page, page.locator(".wl-grip-center"), column)
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


def test_dragging_an_end_changes_d_and_sigma_follows(visit):
    page = visit("window", stages.window_data(middle_trace(), step=1))
    column = columns(page)
    drag(page, page.locator(".wl-grip-hi"), -column)
    page.mouse.up()
    assert values(page) == [2.4, 1, 0.5]
    drag(page, page.locator(".wl-grip-lo"), -2 * column)
    page.mouse.up()
    assert values(page) == [2.4, 3, 1.5]


@pytest.mark.slow
def test_dragging_the_dot_unlinks_sigma(visit):
    page = visit("window", stages.window_data(middle_trace(), step=1))
    column = columns(page)
    link = page.get_by_role("button", name="σ = D / 2")
    expect(link).to_have_attribute("aria-pressed", "true")
    drag(page, page.locator(".wl-grip-sigma"), column)
    page.mouse.up()
    assert values(page) == pytest.approx([2.4, 2, 2], abs=0.03)
    expect(link).to_have_attribute("aria-pressed", "false")
    link.click()
    settle(page)
    assert values(page) == [2.4, 2, 1]


def test_sliders_answer_keys_and_the_edges_are_told(visit):
    page = visit("window", stages.window_data(middle_trace(), step=1))
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


@pytest.mark.slow
def test_the_rules_for_the_center_are_told_apart(visit):
    page = visit("window", stages.window_data(middle_trace(), step=1))
    expect(page.get_by_label("Edges")).to_contain_text("only the rule with pₜ rounded down includes “ein” (0)")
    lo = page.locator(".wl-grip-lo").bounding_box()["x"]
    page.locator(".wl-rule label").nth(1).click()
    settle(page)
    assert page.locator(".wl-grip-lo").bounding_box()["x"] > lo


def test_steps_are_chosen_by_words_and_keys(visit):
    made = middle_trace()
    page = visit("window", stages.window_data(made))
    expect(page.locator(".ap-count")).to_have_text("step 1 of 7")
    page.locator(".wl").focus()
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator(".ap-now")).to_have_text("runs")
    page.get_by_role("button", name="dog", exact=True).click()
    settle(page)
    assert values(page)[0] == 2.4


@pytest.mark.slow
def test_a_sigma_of_the_models_own_is_not_linked(visit):
    page = visit("window", stages.window_data(trace_of(sigma=1.7)))
    assert values(page)[1:] == [2, 1.7]
    drag(page, page.locator(".wl-grip-sigma"), 60)
    page.mouse.up()
    assert values(page)[2] > 1.8
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert values(page)[1:] == [2, 1.7]


def test_a_model_without_a_window_gets_one_that_goes_by_the_clock(visit):
    page = visit("window", stages.window_data(trace_of("global"), step=3))
    assert values(page) == [3, 2, 1]
    expect(page.locator(".wl-note")).to_contain_text("that of local-m")


def test_the_table_holds_the_numbers_of_the_hand(visit):
    made = middle_trace()
    page = visit("window", stages.window_data(made, step=1))
    page.get_by_text("The same numbers as a table").click()
    look = made.words[1].step.looks[0]
    best = look.weights.argmax().item()
    cells = page.locator(".ap-table tbody tr").nth(best).locator("td")
    expect(cells).to_have_count(5 + len(GAUSSIANS))
    expect(cells.nth(1)).to_have_text(made.source[best])
    expect(cells.nth(2)).to_have_text(written(look.scores[best].item(), 4))
    expect(cells.nth(5)).to_have_text(f"{look.weights[best]:.4f}")


@pytest.mark.quick(1)
@pytest.mark.parametrize("width", [390, 1280])
def test_no_part_is_wider_than_the_screen(visit, width):
    parts = {
        "window": stages.window_data(trace_of()),
        "path": stages.path_data("groundhog", "feeding, local-p"),
        "reach": stages.reach_data("schnee", "snow"),
    }
    for part, data in parts.items():
        page = visit(part, data, width=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, part


# The computation paths.


def test_boxes_hold_the_shapes_and_the_numbers_of_the_step(visit):
    data = stages.path_data("groundhog", "feeding, local-p")
    page = visit("path", data)
    for diagram, path in zip(page.locator(".pl").all(), data["paths"], strict=True):
        for node in path["nodes"]:
            box = diagram.locator(f'[data-node="{node["id"]}"]')
            expect(box.locator(".pl-shape")).to_have_text(" × ".join(map(str, node["shape"])) or "number")
        found = path["steps"][1]["values"]
        length = sum(value**2 for value in found["context"]) ** 0.5
        expect(diagram.locator('[data-node="context"] .pl-say')).to_have_text(f"|·| {length:.2f}")
        diagram.locator('[data-node="context"]').click()
        expect(diagram.locator(".pl-numbers")).to_contain_text(written(found["context"][0], 4))
    center = data["paths"][1]["steps"][1]["values"]["center"]
    expect(page.locator('[data-node="center"] .pl-say')).to_have_text(f"{center:.2f}")


def test_a_path_is_walked_in_its_order(visit):
    page = visit("path", stages.path_data("groundhog", "global"))
    orders = page.locator(".pl-order")
    assert orders.nth(0).locator("button").all_inner_texts() == ["si−1", "αi", "ci", "ti", "yi", "si"]
    assert orders.nth(1).locator("button").all_inner_texts() == ["ht−1", "ht", "at", "ct", "h̃t", "yt"]
    inputs = orders.nth(0).locator(".pl-inputs").all_inner_texts()
    assert [text.count("ti") for text in inputs] == [0, 0, 0, 1, 0]
    assert inputs[3] == "from ti"
    first = page.locator(".pl").nth(0)
    forward = first.get_by_role("button", name="Next computation")
    for node in ("previous", "weights", "context"):
        forward.click()
        expect(first.locator(".pl-node.pl-now")).to_have_attribute("data-node", node)
    expect(first.locator(".pl-later")).to_have_count(3)
    assert {line.get_attribute("data-edge") for line in first.locator(".pl-into").all()} == {
        "weights>context",
        "memory>context",
    }
    first.get_by_role("button", name="Play").click()
    expect(first.locator(".pl-node.pl-now")).to_have_attribute("data-node", "next")
    play = first.get_by_role("button", name="Play")
    expect(play).to_have_attribute("title", "Play (Space)")
    link = first.locator(".pl-order button").nth(1)
    link.press("Enter")
    expect(link).to_have_class(re.compile("pl-now"))
    expect(link).to_be_focused()  # the line was built again


def test_keys_play_and_step_the_path_that_was_used_last(visit):
    page = visit("path", stages.path_data("groundhog", "global"), 1280, 720)
    bahdanau, luong = page.locator(".pl").all()
    expect(bahdanau.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)
    page.keyboard.press("ArrowRight")  # nothing has the focus: the first path in sight takes the keys
    expect(bahdanau.locator(".pl-now[data-node]")).to_have_attribute("data-node", "previous")
    page.keyboard.press("Space")
    expect(bahdanau).to_have_class(re.compile("pl-playing"))
    expect(bahdanau.get_by_role("button", name="Pause")).to_have_attribute("title", "Pause (Space)")
    expect(bahdanau.locator(".pl-now[data-node]")).to_have_attribute("data-node", "weights")
    page.keyboard.press("Space")
    expect(bahdanau).not_to_have_class(re.compile("pl-playing"))
    page.keyboard.press("ArrowLeft")
    expect(bahdanau.locator(".pl-now[data-node]")).to_have_attribute("data-node", "previous")
    bahdanau.get_by_role("button", name="Play").click()
    luong.get_by_role("button", name="Play").click()  # one path plays at a time
    expect(luong).to_have_class(re.compile("pl-playing"))
    expect(bahdanau).not_to_have_class(re.compile("pl-playing"), timeout=1500)  # long before its end
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(luong).not_to_have_class(re.compile("pl-playing"))
    expect(bahdanau).not_to_have_class(re.compile("pl-playing"))


@pytest.mark.slow
def test_querying_with_the_new_state_is_a_cycle_in_bahdanau_only(visit):
    page = visit("path", stages.path_data("groundhog", "global"))
    bahdanau, luong = page.locator(".pl").all()
    bahdanau.get_by_role("button", name="Try").click()
    expect(bahdanau.locator(".pl-verdict")).to_contain_text("A cycle")
    assert bahdanau.locator(".pl-need").all_inner_texts() == ["αi needs si", "ci needs αi", "si needs ci"]
    expect(bahdanau.locator(".pl-node.pl-ring")).to_have_count(3)
    expect(bahdanau.locator(".pl-arrow.pl-ring")).to_have_count(3)
    expect(bahdanau.locator('[data-node="context"]')).to_contain_text("cannot be computed")
    luong.get_by_role("button", name="Try").click()
    expect(luong.locator(".pl-verdict")).to_have_text("This order is possible:")
    expect(luong.locator(".pl-node.pl-ring")).to_have_count(0)
    expect(luong.locator('[data-node="context"] .pl-say')).to_be_empty()  # not computed by a model
    assert luong.locator(".pl-order button").all_inner_texts() == ["ht−1", "at", "ct", "ht", "h̃t", "yt"]
    bahdanau.get_by_role("button", name="Back to").click()
    expect(bahdanau.locator(".pl-ring")).to_have_count(0)
    expect(bahdanau.locator('[data-node="context"]')).to_contain_text("|·|")


@pytest.mark.slow
def test_nothing_is_known_of_what_another_query_would_make(visit):
    page = visit("path", stages.path_data("groundhog", "feeding, local-p"))
    luong = page.locator(".pl").nth(1)
    shades = "(box) => [...box.querySelectorAll('.pl-word')].map((word) => word.style.background)"
    assert len(set(luong.locator('[data-node="memory"]').evaluate(shades))) > 1
    luong.get_by_role("button", name="Try").click()
    for node in ("center", "weights", "context", "readout", "output"):
        expect(luong.locator(f'[data-node="{node}"] .pl-say')).to_be_empty()
    expect(luong.locator('[data-node="state"]')).to_contain_text("|·|")  # it does not wait for the look
    assert len(set(luong.locator('[data-node="memory"]').evaluate(shades))) == 1
    luong.locator('[data-node="center"]').click()
    expect(luong.locator(".pl-equation")).to_contain_text("ht−1")


@pytest.mark.slow
def test_without_numbers_the_boxes_promise_none(visit):
    data = stages.path_data("groundhog", "global")
    bare = data["paths"][0] | {"bare": True, "steps": [step | {"values": {}} for step in data["paths"][0]["steps"]]}
    page = visit("path", data | {"paths": [bare, data["paths"][1]]})
    expect(page.locator(".pl-panel").nth(0)).to_contain_text("shapes only")
    expect(page.locator(".pl-panel").nth(1)).to_contain_text("one thin bar for each number")


def test_input_feeding_is_an_arrow_where_the_model_has_it(visit):
    page = visit("path", stages.path_data("feeding", "global"))
    on, off = page.locator(".pl").all()
    expect(on.locator('[data-edge="fed>state"]')).to_have_count(1)
    expect(on.locator('[data-node="fed"] .pl-say')).to_contain_text("|·|")
    expect(off.locator('[data-edge="fed>state"]')).to_have_count(0)
    expect(off.locator('[data-node="fed"]')).to_contain_text("off in this model")


@pytest.mark.slow
def test_a_step_is_chosen_for_both(visit):
    data = stages.path_data("groundhog", "global")
    page = visit("path", data)
    words = [page.locator(".pl").nth(i).locator(".ap-word") for i in (0, 1)]
    words[0].nth(2).click()
    for one in words:
        expect(one.nth(2)).to_have_attribute("aria-current", "step")
    expect(page.locator(".pl").nth(1).locator('[data-node="word"] .pl-say')).to_have_text(
        data["paths"][1]["steps"][1]["token"]
    )
    words[0].nth(0).click()
    expect(page.locator(".pl").nth(1).locator('[data-node="previous"]')).to_contain_text("from the encoder")


@pytest.mark.slow
def test_the_other_path_goes_to_its_step_for_the_same_word(visit):
    data = stages.path_data("groundhog", "global", step=0)
    pairs = [[{"word": "ein", "step": step} for step in steps] for steps in ([2] * 6, [0, 3, 0, None, 0, 0])]
    pairs[0][4] = None  # empty window
    page = visit("path", data | {"pairs": pairs})
    words = [page.locator(".pl").nth(i).locator(".ap-word") for i in (0, 1)]
    said = [[step["token"] for step in path["steps"]] for path in data["paths"]]
    expect(words[1].nth(2)).to_have_attribute("aria-current", "step")
    expect(page.locator(".pl-note")).to_contain_text(
        f"When {data['paths'][0]['model']} produces “{said[0][0]}”, its largest weight is on “ein”"
    )
    expect(page.locator(".pl-note")).to_contain_text(f"the one that writes “{said[1][2]}” gives “ein” the most weight.")
    words[1].nth(1).click()
    expect(words[0].nth(3)).to_have_attribute("aria-current", "step")
    words[1].nth(3).click()
    expect(words[0].nth(3)).to_have_attribute("aria-current", "step")
    expect(page.locator(".pl-note")).to_contain_text("has no “ein”; its step with the same number is shown")
    words[0].nth(4).click()
    expect(words[1].nth(4)).to_have_attribute("aria-current", "step")
    expect(page.locator(".pl-note")).to_be_hidden()


# The reach of a window.


def test_the_word_that_is_needed_and_what_lies_outside_are_told(visit):
    data = stages.reach_data("schnee", "a")  # wanted at step 0, at place 5: local-m with D = 2 sees 0 to 2
    page = visit("reach", data)
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
