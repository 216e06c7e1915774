"""The widget's JavaScript with a stub of JupyterLab's model object."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from attn_core.trace import dump
from attn_core.web import bundle, hosts
from tests.helpers.javascript import settle
from tests.web import traces

LAB = """<!doctype html><meta charset="utf-8"><style>{style}</style>
<body data-jp-theme-light="false"><div id="cell"></div>
<script type="module">
{script}
const values = {values};
const heard = {{}};
window.kernel = {{
  get: (name) => values[name],
  set: (name, value) => {{ values[name] = value; heard[`change:${{name}}`]?.(); }},
  on: (event, action) => {{ heard[event] = action; }},
  off: (event) => {{ delete heard[event]; }},
  save_changes: () => {{ window.saved = (window.saved ?? 0) + 1; }},
}};
window.heard = heard;
window.leave = widget.render({{ model: window.kernel, el: document.getElementById("cell") }});
</script>"""


@pytest.mark.browser
def test_a_cell_shows_the_trace_and_tells_the_kernel_what_was_settled(visit):
    values = {"trace_json": dump(traces.make()), "theme": "auto", "can_decode": True, "settled": None, "answered": 0}
    script = bundle.module(Path(hosts.__file__).with_name("jupyter.js")).replace("export default {", "const widget = {")
    page = visit(LAB.format(style=bundle.style(), script=script, values=json.dumps(values)))
    assert page.locator(".ap-root").get_attribute("data-theme") == "dark"  # as JupyterLab's attribute states
    page.get_by_label("Half-width D").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("window.saved === 1")
    assert page.evaluate("kernel.get('settled').half_width") == 3
    expect(page.locator(".ap-badge")).to_have_text("preview: states frozen")
    page.evaluate("(text) => kernel.set('trace_json', text)", dump(traces.make(half_width=3)))
    page.evaluate("kernel.set('answered', kernel.get('settled').asked)")
    settle(page)
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    page.locator(".ap").focus()
    page.keyboard.press("ArrowRight")
    page.evaluate("kernel.set('theme', 'light')")
    settle(page)
    assert page.locator(".ap-root").get_attribute("data-theme") == "light"
    expect(page.locator(".ap-count")).to_have_text("word 2 of 7")
    page.evaluate("kernel.set('can_decode', false)")
    page.get_by_label("Half-width D").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ap-note")).to_have_text("no model available to decode again")
    assert page.evaluate("window.saved") == 1
    page.evaluate("leave()")
    assert page.locator(".ap-root").count() == 0
    assert page.evaluate("Object.keys(heard)") == []
