"""The Explorer's panels as components: what they draw from their props, where the focus goes, and what they report."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from attn_core.browser import bundle
from tests.helpers.javascript import pages
from tests.helpers.serving import ROOT

EXPLORER, SHELL = ROOT / "app" / "explorer", ROOT / "app" / "shell"
IMPORTS = f"""
import {{ html }} from "{(bundle.PLAYER / "dom" / "html.js").as_posix()}";
import {{ render }} from "{(bundle.VENDOR / "preact.js").as_posix()}";
import {{ Header }} from "{(EXPLORER / "header.js").as_posix()}";
import {{ Numbers }} from "{(SHELL / "numbers" / "numbers.js").as_posix()}";
const here = document.getElementById("here");
window.actions = [];
const dispatch = (action) => window.actions.push(action);
""".lstrip()


@pytest.fixture
def drawn(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str], Page]]:
    """Open a page with a script that draws into #here, again with other props by its function `draw`."""
    with pages(browser, tmp_path) as open_page:

        def draw(script: str) -> Page:
            path = tmp_path / "drawn.js"
            path.write_text(IMPORTS + script, encoding="utf-8")
            here = '<!doctype html><meta charset="utf-8"><div id="here" class="ap-root"></div>'
            return open_page(f'{here}<script type="module">{bundle.module(path)}</script>', "#here > *")

        yield draw


HEADER = """
const Panel = ({ open }) => (open ? html`<button>Close</button>` : null);
let props = {
  title: "Title", about: "About", ending: "", stop: null, isComparing: false, isEditing: false, canEdit: true,
};
window.draw = (change) => {
  props = { ...props, ...change };
  const open = props.isComparing || props.isEditing;
  const more = html`<${Panel} open=${open} /><input aria-label="Elsewhere" />`;
  render(html`<${Header} ...${props} dispatch=${dispatch} />${more}`, here);
};
draw({});
"""


@pytest.mark.parametrize(("began", "button"), [("isComparing", "Compare"), ("isEditing", "Edit attention")])
def test_a_panel_that_its_own_button_ends_gives_the_focus_back(drawn, began, button):
    page = drawn(HEADER)
    page.evaluate(f"draw({{ {began}: true }})")
    page.get_by_role("button", name="Close").focus()
    page.evaluate(f"draw({{ {began}: false }})")
    expect(page.get_by_role("button", name=button)).to_be_focused()
    page.evaluate(f"draw({{ {began}: true }})")
    page.get_by_label("Elsewhere").focus()
    page.evaluate(f"draw({{ {began}: false }})")
    expect(page.get_by_label("Elsewhere")).to_be_focused()


def test_a_comparison_that_ends_in_story_leaves_the_focus_on_a_button_that_is_there(drawn):
    page = drawn(HEADER)
    page.evaluate("draw({ level: 'story', isComparing: true })")
    expect(page.get_by_role("button", name="Compare")).to_have_count(0)
    page.get_by_role("button", name="Close").focus()
    page.evaluate("draw({ isComparing: false })")
    expect(page.get_by_role("button", name="Workbench")).to_be_focused()


NUMBERS = """
const name = (n) => ({ names: [], value: n, shape: [], op: "sum", ref: { frame: "step.0", node: n, index: [0] } });
const asks = [];
const source = (target) => ({
  trace: { source: ["ein"], target, steps: [{ looks: [] }] }, how: {},
  graphs: { steps: [{ window: null, type: "soft", live: {}, quantities: {}, cases: [] }], windows: {}, quantities: {} },
  async ask(number) {
    asks.push(number);
    if (number.step > 1) throw new Error("no such step");
    const term = { op: "add", terms: [{ leaf: name(2) }, { leaf: name(3) }] };
    return { number: name(10 + (number.step ?? number.node)), kind: "formula", term };
  },
});
Object.assign(window, { asks, one: source(["a", "b"]), other: source(["c"]) });
let props = { asked: null, source: window.one, step: 0, onClose: () => { dispatch("closed"); draw({ asked: null }); } };
window.draw = (change) => {
  props = { ...props, ...change };
  render(html`<input aria-label="Elsewhere" /><${Numbers} ...${props} />`, here);
};
draw({});
"""


def test_an_opened_number_follows_the_step_and_the_translation(drawn):
    page = drawn(NUMBERS)
    panel = page.get_by_role("region", name="Where a number comes from")
    expect(panel).to_be_hidden()
    page.get_by_label("Elsewhere").focus()
    page.evaluate("draw({ asked: { step: 0, rank: 0 } })")
    value = panel.locator(".no-main")
    expect(value).to_have_text("10")
    expect(panel).to_be_focused()
    panel.locator(".no-number").first.click()
    expect(value).to_have_text("12")
    expect(panel).to_be_focused()  # the button that had the focus is gone
    expect(panel.get_by_role("listitem")).to_have_count(2)
    page.evaluate("draw({ step: 1 })")
    expect(panel.get_by_role("listitem").first).to_contain_text("11")
    assert page.evaluate("asks.at(-1)") == {"frame": "step.1", "node": 2, "index": [0]}
    page.evaluate("draw({ source: window.other })")  # which has one step
    expect(panel.get_by_role("listitem").first).to_contain_text("10")
    page.keyboard.press("Backspace")
    expect(panel.get_by_role("listitem")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.get_by_label("Elsewhere")).to_be_focused()
    assert page.evaluate("actions") == ["closed"]


def test_the_panel_closes_without_a_translation_and_shows_why_a_number_has_no_parts(drawn):
    page = drawn(NUMBERS)
    panel = page.get_by_role("region", name="Where a number comes from")
    page.evaluate("draw({ asked: { step: 2, rank: 0 } })")
    expect(panel).to_contain_text("This number cannot be taken apart: no such step")
    page.evaluate("draw({ asked: { step: 1, rank: 0 } })")
    expect(panel.locator(".no-main")).to_have_text("11")
    expect(page.locator("#here")).to_have_class("ap-root no-beside")
    page.evaluate("draw({ source: null })")
    expect(panel).to_be_hidden()
    expect(page.locator("#here")).to_have_class("ap-root")
    assert page.evaluate("actions") == ["closed"]
