"""A player below a box for a sentence: the models that it may be translated with, one after the other."""

import json

import pytest
from playwright.sync_api import Page, expect

from attn_core.trace import dump
from attn_core.web import bundle
from tests.web import traces

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><meta charset="utf-8"><style>{style}</style><div id="host"></div>
<script type="module">
{script}
const traces = {traces};
window.asked = [];
window.calls = [];
createLive(document.getElementById("host"), {{
  trace: traces.slow, models: ["slow", "quick"].map((name) => ({{ name, languages: ["German", "English"] }})),
  serve: (model) => new Promise((resolve, reject) => {{
    window.asked.push(model);
    const answer = {{ text: `by ${{model}}`, trace: traces[model], reading: {{ known: ["hund"], unknown: [] }} }};
    window.calls.push({{ answer: () => resolve(answer), reject }});
  }}),
}});
</script>"""


@pytest.fixture
def page(visit) -> Page:
    """Two models, which the host translates with: a call waits in `window.calls` until a test answers it."""
    made = {
        name: json.loads(dump(traces.make(seed=seed))) | {"model": name} for seed, name in enumerate(("slow", "quick"))
    }
    script = bundle.module(bundle.PLAYER.parent / "hosts" / "live.js")
    return visit(PAGE.format(style=bundle.style(), script=script, traces=json.dumps(made)))


def asked(page: Page, *models: str) -> None:
    page.wait_for_function("models => String(window.asked) === String(models)", arg=list(models))


@pytest.mark.parametrize("late", ["calls[0].answer()", "calls[0].reject(new Error('gone'))"])
def test_a_late_answer_of_the_model_before_is_not_shown(page, late):
    asked(page, "slow")
    page.get_by_label("Model").select_option("quick")
    asked(page, "slow", "quick")
    page.evaluate("calls[1].answer()")
    expect(page.locator(".live-output")).to_have_text("by quick")
    page.evaluate(late)
    page.evaluate("new Promise((done) => setTimeout(done))")  # after all that the answer led to
    expect(page.locator(".live-output")).to_have_text("by quick")
    expect(page.locator(".live-note")).to_be_empty()
