"""The widget's JavaScript with a stub of JupyterLab's model object."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from attn_core.browser import bundle, hosts, widget
from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of, translate
from attn_core.export import facts
from attn_core.models.checkpoint import load
from attn_core.trace import dump
from tests.browser import traces
from tests.browser.conftest import LOCAL_P
from tests.helpers.engine import unchecked
from tests.helpers.javascript import settle
from tests.helpers.shipped import LUONG, ship_one
from tests.helpers.windows import registered

LAB = """<!doctype html><meta charset="utf-8"><style>{style}</style>
<body data-jp-theme-light="false"><div id="cell"></div>
<script type="module">
{script}
const values = {values};
for (const model of values.models) {{ // the kernel's bytes come as part of a larger buffer
  const letters = atob(model.weights);
  model.weights = new DataView(Uint8Array.from("1234" + letters, (letter) => letter.charCodeAt(0)).buffer, 4);
}}
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


FIRST, SECOND = (pair.de for pair in captions()[:2])


def cell(shown: Any) -> str:
    """A page with the widget `shown`, which has the values of its traitlets."""
    names = ("trace_json", "theme", "known", "text")
    values = {name: getattr(shown, name) for name in names}
    values["models"] = [one | {"weights": b64encode(one["weights"]).decode()} for one in shown.models]
    script = bundle.module(Path(hosts.__file__).with_name("jupyter.js")).replace("export default {", "const widget = {")
    return LAB.format(style=shown._css, script=script, values=json.dumps(values).replace("<", r"\u003c"))


def test_a_cell_shows_a_recording_in_the_theme_of_the_notebook(visit):
    page = visit(cell(widget(traces.make())))
    assert page.locator(".ap-root").get_attribute("data-theme") == "dark"  # as JupyterLab's attribute states
    expect(page.get_by_label("Half-width D")).to_have_count(0)
    page.locator(".ap").focus()
    page.keyboard.press("ArrowRight")
    page.evaluate("kernel.set('theme', 'light')")
    settle(page)
    assert page.locator(".ap-root").get_attribute("data-theme") == "light"
    expect(page.locator(".ap-count")).to_have_text("step 2 of 7")
    page.evaluate("(text) => kernel.set('trace_json', text)", dump(traces.make("local-m")))
    page.evaluate("known => kernel.set('known', known)", facts.of_trace(traces.make("local-m").settings))
    expect(page.locator(".ap-window-text")).to_contain_text("one word per step")
    page.evaluate("leave()")
    assert page.locator(".ap-root").count() == 0
    assert page.evaluate("Object.keys(heard)") == []


def test_a_cell_with_a_model_translates_also_after_the_kernel_has_ended(visit, exported):
    model = load(exported / LOCAL_P)
    shown = widget(translate(model, FIRST), models=[exported / LOCAL_P, exported / "fixed-vector"], text=FIRST)
    page = visit(cell(shown))
    output, box = page.locator(".live-output"), page.get_by_label("German sentence")
    expect(output).to_have_text(text_of(model, translate(model, FIRST)))
    expect(box).to_have_value(FIRST)
    page.evaluate("() => { kernel.save_changes = () => { throw new Error('the kernel is dead'); }; }")
    box.fill(SECOND)
    expect(output).to_have_text(text_of(model, translate(model, SECOND)))
    page.get_by_label("Half-width D").fill("0")
    expect(output).to_have_text(text_of(model, translate(model, SECOND, half_width=0)))
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    other = load(exported / "fixed-vector")
    page.get_by_label("Model").select_option("fixed-vector")
    expect(output).to_have_text(text_of(other, translate(other, SECOND)))
    page.evaluate("leave()")
    assert page.locator(".live").count() == 0


def test_a_trace_that_the_kernel_assigns_takes_the_place_of_what_was_typed(visit, exported):
    model = load(exported / LOCAL_P)
    shown = widget(translate(model, FIRST), models=[exported / LOCAL_P, exported / "fixed-vector"], text=FIRST)
    page = visit(cell(shown))
    output, box = page.locator(".live-output"), page.get_by_label("German sentence")
    expect(output).to_have_text(text_of(model, translate(model, FIRST)))
    other = load(exported / "fixed-vector")
    shown.trace = translate(other, SECOND, beam=3)
    page.evaluate("text => kernel.set('trace_json', text)", shown.trace_json)
    expect(output).to_have_text(text_of(other, translate(other, SECOND, beam=3)))
    expect(box).to_have_value(" ".join(word for word in shown.trace.source if word != "</s>"))
    expect(page.get_by_label("Model").locator("option:checked")).to_have_text("fixed-vector")
    expect(page.get_by_label("Beam")).to_have_value("3")


def test_where_the_engine_cannot_run_the_trace_is_a_recording(visit, exported):
    model = load(exported / LOCAL_P)
    shown = widget(translate(model, FIRST), models=[exported / LOCAL_P])
    shown.models = [shown.models[0] | {"weights": b"damaged"}]
    page = visit(cell(shown))
    expect(page.locator(".live-note")).to_contain_text("The translation failed")
    expect(page.get_by_label("Half-width D")).to_be_hidden()
    page.locator(".ap").press("ArrowRight")
    expect(page.locator(".ap-count")).to_contain_text("step 2 of")


@pytest.mark.parametrize(
    ("window", "slider", "live"),
    [("backwards", "Half-width D in words", {"half_width": 0}), ("lopsided", "Words in view before p_t", {"left": 3})],
)
def test_a_window_registered_in_a_script_has_sliders_in_the_widget_of_its_model(visit, tmp_path, window, slider, live):
    with registered(), unchecked():
        model = load(ship_one(tmp_path, window, LUONG | {"window": window}))
        shown = widget(model, FIRST)  # exports the model first
        page = visit(cell(shown))
        output = page.locator(".live-output")
        expect(output).to_have_text(text_of(model, translate(model, FIRST)))
        sliders = page.locator(".ap-sliders input")
        assert sliders.count() == 2  # D and sigma, or two half-widths
        for value, settings in ((str(*live.values()), live), ("1", dict.fromkeys(live, 1))):
            page.get_by_label(slider).fill(value)
            expect(output).to_have_text(text_of(model, translate(model, FIRST, live=settings)))
        expect(page.locator(".ap-badge")).to_have_text("decoded")
        page.get_by_label("Keep words and states").check()
        expect(page.locator(".ap-badge")).to_have_text("words and states kept")
        expect(output).to_have_text(text_of(model, translate(model, FIRST)))
