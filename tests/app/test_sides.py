"""The components of a comparison and of the editing by themselves: what they show, and the actions they report."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from attn_core.browser import bundle
from tests.helpers.javascript import pages

EXPLORER = Path(__file__).parents[2] / "app" / "explorer"
SCRIPT = f"""
import {{ html }} from "{(bundle.PLAYER / "dom" / "html.js").as_posix()}";
import {{ render }} from "{(bundle.VENDOR / "preact.js").as_posix()}";
import {{ Comparison }} from "{(EXPLORER / "compare" / "comparison.js").as_posix()}";
import {{ Editing }} from "{(EXPLORER / "surgery" / "editing.js").as_posix()}";
window.actions = [];
const dispatch = (action) => window.actions.push(action);
window.draw = (name, props) => render(
  html`<${{ {{ Comparison, Editing }}[name] }} ...${{props}} dispatch=${{dispatch}} />`,
  document.querySelector(".ap"),
);
document.body.classList.add("ready");
""".lstrip()
PAGE = (
    '<!doctype html><meta charset="utf-8"><style>{style}</style><body><div class="ap-root"><div class="ap"></div></div>'
)


@pytest.fixture
def draw(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Draw a component with props in one page, again in the same place at each call."""
    script = tmp_path / "drawn.js"
    script.write_text(SCRIPT, encoding="utf-8")
    page = PAGE.format(style=bundle.style(EXPLORER / "compare" / "compare.css", EXPLORER / "surgery" / "surgery.css"))
    with pages(browser, tmp_path) as open_page:
        opened = open_page(f'{page}<script type="module">{bundle.module(script)}</script>', ".ready")

        def draw_component(name: str, props: dict[str, Any]) -> Page:
            opened.evaluate("([name, props]) => window.draw(name, props)", [name, props])
            return opened

        yield draw_component


def reported(page: Page) -> list[Any]:
    """The actions since the last look at them."""
    return page.evaluate("window.actions.splice(0)")


def row(*weights: float) -> dict[str, Any]:
    return {"center": None, "span": None, "scores": [], "alignment": [], "gaussian": [], "weights": list(weights)}


def side(name: str, *words: str) -> dict[str, Any]:
    labels = [{"text": word, "differs": False} for word in words]
    rows = [row(0.75, 0.25) for _ in words]
    return {
        "name": name,
        "title": name,
        "source": ["x", "y"],
        "target": words,
        "unknown": [],
        "rows": rows,
        "labels": labels,
    }


MAPS = {
    "sides": [side("one", "a", "b", "c"), side("other", "a", "b", "c")],
    "differences": None,
    "steps": [0, None, 2],
    "summary": "All words are the same.",
    "legend": "Click a row to go to that step.",
}
COMPARISON = {
    "options": [],
    "apart": "Only difference: X",
    "apartTitle": "x",
    "boards": MAPS,
    "problem": None,
    "several": False,
    "step": 0,
    "theme": "light",
}
WAITING = COMPARISON | {"boards": None, "apart": "", "apartTitle": ""}


def test_the_maps_stay_until_the_next_translations_or_a_failure(draw):
    maps = draw("Comparison", WAITING).get_by_role("img")
    expect(maps).to_have_count(0)
    page = draw("Comparison", COMPARISON)
    expect(maps).to_have_count(2)
    draw("Comparison", WAITING)
    expect(maps).to_have_count(2)
    expect(page.get_by_text("Only difference: X")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("All words are the same.")
    draw("Comparison", COMPARISON | {"problem": "It failed."})
    expect(maps).to_have_count(0)
    expect(page.get_by_role("status")).to_have_text("It failed.")
    draw("Comparison", WAITING)
    expect(maps).to_have_count(0)


def test_a_cell_shows_its_numbers_and_its_row_leads_to_its_step(draw):
    page = draw("Comparison", COMPARISON)
    canvas = page.get_by_role("img").first
    box = canvas.bounding_box()
    canvas.hover(position={"x": box["width"] / 2, "y": box["height"] - 6})
    expect(page.get_by_text("c ← y: 0.25 | 0.25")).to_be_visible()
    height = 24  # of a row, where there are few
    for rows_from_below in range(3):
        canvas.click(position={"x": box["width"] / 2, "y": box["height"] - 6 - rows_from_below * height})
    steps = [action["step"] for action in reported(page)]
    assert steps == [2, 0, 0]  # the second row has no step: the one before it
    page.mouse.move(0, 0)
    expect(page.get_by_text("Click a row to go to that step.")).to_be_visible()


def test_the_maps_follow_the_width_of_the_page(draw):
    page = draw("Comparison", COMPARISON)
    canvas = page.get_by_role("img").first
    wide = canvas.bounding_box()["width"]
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_function("wide => document.querySelector('canvas').clientWidth < wide", arg=wide)
    assert canvas.bounding_box()["width"] <= page.locator("figure").first.bounding_box()["width"]


STEP = {"token": "a", "top": [["a", -0.1], ["b", -2.0]], "center": None, "window": [0, 2]}
LOOK = {"layer": 0, "head": 0, **{part: [0.5, 0.3, 0.2] for part in ("scores", "alignment", "gaussian", "weights")}}
TRACE = {
    "model": "m",
    "settings": {"beam": 1},
    "source": ["x", "y", "z"],
    "target": ["a", "a"],
    "unknown": [],
    "steps": [STEP | {"t": t, "looks": [LOOK]} for t in range(2)],
}
EDITING = {
    "trace": TRACE,
    "unedited": None,
    "edits": [],
    "at": {"step": 1, "layer": None, "head": None},
    "stroke": None,
    "canUndo": False,
    "canRedo": False,
}
WORDS = [{"kind": "word", "step": step, "word": "b"} for step in (0, 1)]


def test_the_slider_is_of_the_word_that_was_chosen_or_painted_last(draw):
    page = draw("Editing", EDITING)
    menu = page.get_by_role("combobox", name="Weight of")
    menu.select_option("y")
    expect(page.get_by_role("slider", name="Weight")).to_have_value("0.3")
    draw("Editing", EDITING | {"stroke": {"position": 2, "start": None}})
    expect(menu).to_have_value("2")
    menu.select_option("x")
    expect(page.get_by_role("slider", name="Weight")).to_have_value("0.5")
    draw("Editing", EDITING | {"stroke": {"position": 2, "start": None}})  # painted again
    expect(menu).to_have_value("2")


def test_the_focus_stays_in_the_list_of_edits_while_it_has_some(draw):
    shown = EDITING | {"canUndo": True}
    page = draw("Editing", shown | {"edits": WORDS})
    remove = page.get_by_role("button", name="Remove: ")
    remove.nth(1).focus()
    draw("Editing", shown | {"edits": WORDS[:1]})
    expect(remove).to_be_focused()
    draw("Editing", shown)
    expect(page.get_by_role("button", name="Undo")).to_be_focused()


def test_the_player_scrolls_to_the_bars_only_where_the_reader_began(draw):
    frame = draw("Editing", EDITING).locator(".ap")
    expect(frame).to_have_class("ap su-scrolled")
    page = draw("Editing", EDITING | {"edits": WORDS})
    expect(frame).to_have_class("ap su-scrolled")
    page.evaluate("document.querySelector('.ap').remove()")
    page.evaluate("document.querySelector('.ap-root').innerHTML = '<div class=\"ap\"></div>'")
    draw("Editing", EDITING | {"edits": WORDS})  # by a link
    expect(frame).to_have_class("ap")
