"""The Explorer's panels as components: what they draw from their props, where the focus goes, and what they report."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from attn_core.web import bundle
from tests.helpers.javascript import pages
from tests.helpers.serving import ROOT

pytestmark = pytest.mark.browser

EXPLORER = ROOT / "app" / "explorer"
IMPORTS = f"""
import {{ html }} from "{(bundle.PLAYER / "dom" / "html.js").as_posix()}";
import {{ render }} from "{(bundle.VENDOR / "preact.js").as_posix()}";
import {{ Head }} from "{(EXPLORER / "head.js").as_posix()}";
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


HEAD = """
const Panel = ({ open }) => (open ? html`<button>Close</button>` : null);
let props = { title: "Title", about: "About", ending: "", stop: null, comparing: false, editing: false, canEdit: true };
window.draw = (change) => {
  props = { ...props, ...change };
  const open = props.comparing || props.editing;
  const more = html`<${Panel} open=${open} /><input aria-label="Elsewhere" />`;
  render(html`<${Head} ...${props} dispatch=${dispatch} />${more}`, here);
};
draw({});
"""


def test_the_head_reports_what_its_buttons_begin_and_end(drawn):
    page = drawn(HEAD)
    compare, edit = (page.get_by_role("button", name=name) for name in ("Compare", "Edit attention"))
    for button in (compare, edit):
        expect(button).to_have_attribute("aria-pressed", "false")
        button.click()
    page.evaluate("draw({ comparing: true, editing: true })")
    for button in (compare, edit):
        expect(button).to_have_attribute("aria-pressed", "true")
        button.click()
    types = ["comparison begun", "editing begun", "comparison ended", "editing ended"]
    assert page.evaluate("actions") == [{"type": one} for one in types]
    page.evaluate("draw({ canEdit: false })")
    expect(edit).to_have_count(0)


@pytest.mark.parametrize(("began", "button"), [("comparing", "Compare"), ("editing", "Edit attention")])
def test_a_panel_that_its_own_button_ends_gives_the_focus_back(drawn, began, button):
    page = drawn(HEAD)
    page.evaluate(f"draw({{ {began}: true }})")
    page.get_by_role("button", name="Close").focus()
    page.evaluate(f"draw({{ {began}: false }})")
    expect(page.get_by_role("button", name=button)).to_be_focused()
    page.evaluate(f"draw({{ {began}: true }})")
    page.get_by_label("Elsewhere").focus()
    page.evaluate(f"draw({{ {began}: false }})")
    expect(page.get_by_label("Elsewhere")).to_be_focused()


def test_the_focus_follows_the_links_of_the_tour(drawn):
    page = drawn(HEAD)
    page.get_by_role("link", name="Take the tour").focus()
    page.keyboard.press("Enter")
    page.evaluate("draw({ stop: 1 })")
    following, back = (page.get_by_role("link", name=name, exact=True) for name in ("Next", "Back"))
    expect(following).to_be_focused()
    expect(back).to_be_hidden()
    page.keyboard.press("Enter")
    page.evaluate("draw({ stop: 2 })")
    expect(following).to_be_focused()
    back.focus()
    page.keyboard.press("Enter")
    page.evaluate("draw({ stop: 1 })")
    expect(following).to_be_focused()  # there is no stop before the first
    page.get_by_role("link", name="End the tour").click()
    stops = [{"type": "tour stop chosen", "stop": stop} for stop in (1, 2, 1)]
    assert page.evaluate("actions") == [*stops, {"type": "tour left"}]
