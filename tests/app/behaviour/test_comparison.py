"""Two translations side by side, and one for each value of a setting."""

import re

import pytest
from playwright.sync_api import expect

from attn_core import translate
from tests.helpers.explorer import ExplorerPage, Name, Says

TEXT = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."
GLOBAL, DOT, LOCAL_P, LOCAL_M = (
    "luong-general-global",
    "luong-dot-global",
    "luong-general-local-p",
    "luong-general-local-m",
)


def _expect_compared(explorer: ExplorerPage, *traces) -> None:
    """The maps of the comparison are those of the traces, in this order."""
    maps = explorer.comparison.get_by_role("img", name=re.compile("^Attention weights of "))
    expect(maps).to_have_count(len(traces))
    for shown, trace in zip(maps.all(), traces, strict=True):
        name = f"Attention weights of {trace.model}: {' '.join(trace.target)}"
        expect(shown).to_have_accessible_name(name)


def test_a_second_model_translates_the_same_sentence(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": GLOBAL})
    expect(explorer.comparison).to_be_hidden()
    explorer.button(Name.COMPARE).click()
    expect(explorer.button(Name.COMPARE)).to_have_attribute("aria-pressed", "true")
    explorer.choose(Name.COMPARE_WITH, LOCAL_P)
    one, other = (translate(model(name), TEXT) for name in (GLOBAL, LOCAL_P))
    _expect_compared(explorer, one, other)
    only = Says.ONLY_DIFFERENCE.format(setting="Window (global | local-p)")
    expect(explorer.comparison.get_by_text(only)).to_be_visible()
    expect(explorer.heatmap).to_be_hidden()  # it is in the comparison
    explorer.expect_link({"text": TEXT, "model": GLOBAL, "with": LOCAL_P})
    explorer.sentence.fill("Alle Kinder lachen.")
    _expect_compared(explorer, *(translate(model(name), "Alle Kinder lachen.") for name in (GLOBAL, LOCAL_P)))
    explorer.button(Name.END_COMPARISON).press("Enter")
    expect(explorer.comparison).to_be_hidden()
    expect(explorer.button(Name.COMPARE)).to_be_focused()
    expect(explorer.heatmap).to_be_visible()
    explorer.expect_in_link(**{"with": None})


def test_the_words_and_the_attention_that_differ_are_counted(explorer: ExplorerPage, model):
    one, other = translate(model(LOCAL_P), TEXT), translate(model(LOCAL_P), TEXT, half_width=1)
    explorer.open({"text": TEXT, "model": LOCAL_P, "with": LOCAL_P, "with_D": 4})
    expect(explorer.comparison.get_by_role("status")).to_have_text(
        "All words are the same. Where the words agree, 0% of the attention differs on average."
    )
    explorer.slider(Name.D).fill("1")
    _expect_compared(explorer, other, one)
    assert one.target != other.target
    expect(explorer.comparison.get_by_role("status")).to_have_text(
        re.compile(r"^\d+ words? differs?\. Where the words agree, \d+% of the attention differs on average\.$")
    )


def test_the_two_sides_are_swapped(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": LOCAL_P, "D": 2, "with": GLOBAL})
    one, other = translate(model(LOCAL_P), TEXT, half_width=2), translate(model(GLOBAL), TEXT)
    _expect_compared(explorer, one, other)
    explorer.button(Name.SWAP).click()
    _expect_compared(explorer, other, one)
    explorer.expect_translated(model(GLOBAL), other)
    explorer.expect_link({"text": TEXT, "model": GLOBAL, "with": LOCAL_P, "with_D": 2})


def test_play_moves_the_marked_row_of_both_maps(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": GLOBAL, "with": DOT})
    maps = explorer.comparison.get_by_role("img", name=re.compile("^Attention weights of "))
    expect(maps).to_have_count(2)
    before = [one.screenshot() for one in maps.all()]
    explorer.button(Name.PLAY).click()
    expect(explorer.step_slider).not_to_have_value("0")
    explorer.button(Name.PAUSE).click()
    assert all(one.screenshot() != old for one, old in zip(maps.all(), before, strict=True))
    explorer.go_to(0)
    explorer.page.mouse.move(0, 0)
    explorer.page.wait_for_timeout(300)
    assert [one.screenshot() for one in maps.all()] == before


@pytest.mark.parametrize("way", ["click", "tap"])
def test_pressing_a_row_of_a_map_leads_to_its_step_and_shows_a_cell(tab, model, way):
    explorer = tab(has_touch=way == "tap")
    explorer.open({"text": TEXT, "model": GLOBAL, "with": DOT})
    last = len(translate(model(GLOBAL), TEXT).target) - 1
    shown = explorer.comparison.get_by_role("img", name=re.compile("^Attention weights of ")).first
    shown.scroll_into_view_if_needed()
    box = shown.bounding_box()
    getattr(shown, way)(position={"x": box["width"] / 2, "y": box["height"] - 6})
    explorer.expect_step(last)
    numbers = explorer.comparison.get_by_text("</s> ← ")
    expect(numbers).to_be_visible()
    explorer.page.wait_for_timeout(100)
    expect(numbers).to_be_visible()  # a finger leaves nothing


@pytest.mark.parametrize(
    ("axis", "menu", "names"),
    [
        ("window", "Window", [GLOBAL, LOCAL_M, LOCAL_P]),
        ("score", "Score", [GLOBAL, DOT, "luong-concat-global"]),
    ],
)
def test_a_race_has_one_translation_for_each_value(explorer: ExplorerPage, model, axis, menu, names):
    explorer.open({"text": TEXT, "model": GLOBAL, "with": DOT})
    explorer.choose(Name.COMPARE_WITH, f"{menu}: all trained values")
    explorer.expect_in_link(**{"race": axis, "with": None})
    found = {name: translate(model(name), TEXT) for name in names}
    maps = explorer.comparison.get_by_role("img", name=re.compile("^Attention weights of "))
    for name, trace in found.items():
        expected = f"Attention weights of {name}: {' '.join(trace.target)}"
        expect(explorer.comparison.get_by_role("img", name=expected, exact=True)).to_be_visible()
    count = maps.count()
    same = sum(trace.target == found[GLOBAL].target for name, trace in found.items() if name != GLOBAL)
    said = re.compile(rf"^Same words as the first translation: (\d+) of {count - 1}\.$")
    expect(explorer.comparison.get_by_role("status")).to_have_text(said)
    shown = int(said.search(explorer.comparison.get_by_role("status").inner_text())[1])
    if count == len(names):
        assert shown == same
    expect(explorer.button(Name.SWAP)).to_be_hidden()


def test_a_comparison_ends_with_the_languages_of_its_model(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": GLOBAL, "with": DOT})
    expect(explorer.comparison).to_be_visible()
    explorer.choose(Name.LANGUAGES, "English → German")
    expect(explorer.notices).to_contain_text(Says.COMPARISON_ENDED)
    expect(explorer.comparison).to_be_hidden()
    explorer.expect_in_link(**{"with": None})


def test_a_second_model_that_fails_is_named_and_the_first_one_goes_on(explorer: ExplorerPage, model):
    explorer.expected_errors |= {DOT}
    explorer.page.route(f"**/models/{DOT}-*.safetensors", lambda route: route.fulfill(status=404))
    explorer.open({"text": TEXT, "model": GLOBAL, "with": DOT})
    explorer.expect_translated(model(GLOBAL), translate(model(GLOBAL), TEXT))
    expect(explorer.comparison.get_by_role("status")).to_contain_text(Says.FAILED.format(reason=""))
    explorer.choose(Name.COMPARE_WITH, LOCAL_P)
    _expect_compared(explorer, *(translate(model(name), TEXT) for name in (GLOBAL, LOCAL_P)))
