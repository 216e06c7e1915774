"""Components of the pages: templates, the guard that shows an error in its place, parts drawn when they change."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from attn_core.web import bundle
from tests.helpers.visits import patience

pytestmark = pytest.mark.browser

IMPORTS = f"""
import {{ html, Guarded, Part }} from "{(bundle.PLAYER / "dom" / "html.js").as_posix()}";
import {{ Fragment, render }} from "{(bundle.VENDOR / "preact.js").as_posix()}";
import {{ useEffect, useState }} from "{(bundle.VENDOR / "hooks.js").as_posix()}";
import {{ effect, signal }} from "{(bundle.VENDOR / "signals-core.js").as_posix()}";
""".lstrip()


@pytest.fixture
def drawn(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a page with scripts that draw into #here; the errors of the page are in `page.errors`."""
    contexts = []

    def draw(*scripts: str, html: str = '<div id="here"></div>') -> Page:
        parts = []
        for place, script in enumerate(scripts):
            path = tmp_path / f"drawn-{len(contexts)}-{place}.js"
            path.write_text(IMPORTS + script, encoding="utf-8")
            parts.append(f'<script type="module">{bundle.module(path)}</script>')
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.set_default_timeout(patience())
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and page.errors.append(message.text))
        page.set_content(f'<!doctype html><meta charset="utf-8">{html}{"".join(parts)}')
        return page

    yield draw
    for context in contexts:
        context.close()


COUNTED = """
const here = document.getElementById("here");
const steps = signal(0);
window.steps = steps;
function Counter() {
  const [count, setCount] = useState(0);
  return html`<button onClick=${() => setCount(count + 1)}>pressed ${count}</button>`;
}
function Step({ step }) {
  if (step > 1) throw new Error(`no step <b>${step}</b>`);
  return html`<p class="step">step ${step}</p>`;
}
const drawAlways = (template) => effect(() => render(template(steps.value), here));
"""


def test_a_component_that_throws_is_replaced_by_its_message(drawn):
    page = drawn(
        COUNTED + "drawAlways((step) => html`<${Guarded}><${Step} step=${step} /><//><${Guarded}><${Counter} /><//>`);"
    )
    page.get_by_role("button").click()
    page.evaluate("steps.value = 1")
    expect(page.locator(".step")).to_have_text("step 1")
    page.evaluate("steps.value = 2")
    expect(page.get_by_role("alert")).to_have_text("This part of the page cannot be shown: no step <b>2</b>.")
    assert page.locator(".step").count() == 0
    page.get_by_role("button").click()
    expect(page.get_by_role("button")).to_have_text("pressed 2")
    (error,) = page.errors
    assert "no step <b>2</b>" in error


def test_a_component_that_throws_at_first_leaves_the_others(drawn):
    broken = 'function Broken() { throw "no model"; }\n'
    page = drawn(COUNTED + broken + "render(html`<${Guarded}><${Broken} /><//><${Guarded}><${Counter} /><//>`, here);")
    expect(page.get_by_role("alert")).to_have_text("This part of the page cannot be shown: no model.")
    page.get_by_role("button").click()
    expect(page.get_by_role("button")).to_have_text("pressed 1")


def test_an_error_in_an_effect_is_caught(drawn):
    broken = 'function Broken() { useEffect(() => { throw new Error("no canvas"); }); return html`<p>drawn</p>`; }\n'
    page = drawn(COUNTED + broken + "render(html`<${Guarded}><${Broken} /><//><${Counter} />`, here);")
    expect(page.get_by_role("alert")).to_have_text("This part of the page cannot be shown: no canvas.")
    expect(page.get_by_role("button")).to_have_text("pressed 0")


def test_new_children_are_tried_again_after_an_error(drawn):
    page = drawn(COUNTED + "drawAlways((step) => html`<p>${step} of 3</p><${Guarded}><${Step} step=${step} /><//>`);")
    page.evaluate("steps.value = 2")
    expect(page.get_by_role("alert")).to_contain_text("no step <b>2</b>")
    page.evaluate("steps.value = 3")
    expect(page.get_by_role("alert")).to_contain_text("no step <b>3</b>")
    page.evaluate("steps.value = 1")
    expect(page.locator(".step")).to_have_text("step 1")
    assert page.get_by_role("alert").count() == 0


def test_a_part_is_drawn_again_only_when_one_of_its_values_is_another(drawn):
    page = drawn(
        COUNTED
        + "window.draws = [];\nfunction Half({ step, here }) { draws.push(step); return html`<p>${step}</p>`; }\n"
        "drawAlways((step) => html`<${Part} of=${Half} step=${Math.floor(step / 2)} here=${here} />`);"
    )
    for step in range(1, 6):
        page.evaluate("(step) => { steps.value = step; }", step)
    expect(page.locator("p")).to_have_text("2")
    assert page.evaluate("draws") == [0, 1, 2]
    assert page.errors == []


def test_elements_of_a_keyed_list_move_with_their_words(drawn):
    page = drawn(
        'const here = document.getElementById("here");\n'
        'const words = signal(["ein", "hund", "läuft"]);\nwindow.words = words;\n'
        "effect(() => render(html`<ul>${words.value.map((word) => html`<li key=${word}>${word}</li>`)}</ul>`, here));"
    )
    page.evaluate("() => { for (const word of document.querySelectorAll('li')) word.mark = word.textContent; }")
    page.evaluate("words.value = ['läuft', 'ein', 'hund']")
    expect(page.locator("li").first).to_have_text("läuft")
    assert page.evaluate("[...document.querySelectorAll('li')].map((word) => word.mark)") == ["läuft", "ein", "hund"]


def test_words_are_never_markup(drawn):
    page = drawn(
        'const word = "<img src=x onerror=alert(1)>";\n'
        'render(html`<p title=${word}>${word}</p>`, document.getElementById("here"));'
    )
    expect(page.locator("p")).to_have_text("<img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 0


def test_a_template_may_have_several_lines_and_roots(drawn):
    page = drawn(
        "function Named({ name, children }) {\n  return html`\n    <h2>${name}</h2>\n    <p class=${name}>\n"
        "      one two\n      <b>three</b>\n\n      ${children}\n    </p>\n  `;\n}\n"
        'render(html`<${Named} name="a">four<//><${Named} ...${{ name: "b" }} />`, document.getElementById("here"));'
    )
    assert page.locator("h2").all_inner_texts() == ["a", "b"]
    assert page.locator("p").all_inner_texts() == ["one twothreefour", "one twothree"]


def test_two_scripts_draw_in_one_page(drawn):
    both = '<div id="here"></div><div id="there"></div>'
    script = COUNTED + "render(html`<${Counter} />`, here);"
    page = drawn(script, script.replace('"here"', '"there"'), html=both)
    page.locator("#there button").click()
    assert page.get_by_role("button").all_inner_texts() == ["pressed 0", "pressed 1"]
    assert page.errors == []


def test_removing_a_tree_ends_its_effects(drawn):
    page = drawn(
        "window.ended = 0;\nfunction Ended() {\n  useEffect(() => () => { window.ended += 1; }, []);\n"
        "  return html`<${Fragment}><p>part</p><//>`;\n}\n"
        'window.here = document.getElementById("here");\nwindow.remove = () => render(null, here);\n'
        "render(html`<${Ended} />`, here);"
    )
    expect(page.locator("p")).to_be_visible()
    page.evaluate("remove()")
    expect(page.locator("p")).to_have_count(0)
    page.wait_for_function("ended === 1")
    assert page.errors == []
