"""The player as one script, one page, one widget: complete, safe and without the network."""

import json
import re
import subprocess
import sys

import pytest

from attn_core.trace import dump
from attn_core.trace.reading import parse
from attn_core.web import bundle, embedded, how, html
from tests.web import traces

EXPORTS = {"page": 0, "jupyter": 1, "dashboard": 1, "player": 1}
EXPORTS |= dict.fromkeys(("vectorlab", "sizelab", "windowlab", "pathlab", "reachlab", "byhand", "walk", "reach"), 1)
EXPORTS |= dict.fromkeys(("headlab", "fixedlab", "heads", "fixed"), 1)
EXPORTS |= {"pointerlab": 1, "pointer": 1, "viewlink": 1}
HOSTILE = ["</script><script>alert(1)</script>", "<!--", "<script", "&amp;", "{braces}", "日本語", "\u2028", "'\"\\"]


@pytest.mark.parametrize("adapter", EXPORTS)
def test_a_bundle_is_one_script(adapter):
    script = bundle.module(adapter)
    assert not re.search(r"^\s*import\b", script, re.MULTILINE)
    assert "import(" not in script
    names = re.findall(r"^(?:export )?(?:function|const|let|class) (\w+)", script, re.MULTILINE)
    assert len(names) == len(set(names)), "two modules define the same name"
    assert len(re.findall(r"^export ", script, re.MULTILINE)) == EXPORTS[adapter]


@pytest.mark.parametrize("adapter", EXPORTS)
def test_a_bundle_parses(adapter, node, tmp_path):
    path = tmp_path / "bundle.mjs"
    path.write_text(bundle.module(adapter), encoding="utf-8")
    done = subprocess.run([node, "--check", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_file_reaches_for_the_network_or_for_markup():
    for path in (*bundle.HERE.glob("*.js"), *bundle.HERE.glob("*.css")):
        text = re.sub(r"http://www\.w3\.org/(2000/svg|1998/Math/MathML)", "", path.read_text(encoding="utf-8"))
        for banned in ("http:", "https:", "//cdn", "@import", "fetch(", "innerHTML", "insertAdjacentHTML", "eval("):
            assert banned not in text, (path.name, banned)
        assert len(text.splitlines()) < 400, path.name


def test_the_page_names_no_address():
    page = html(traces.make())
    assert re.findall(r"(?:https?:)?//[\w.-]+\.\w+/?\S*", page.replace("http://www.w3.org/2000/svg", "")) == []
    assert "src=" not in page
    assert re.findall(r'href="([^"]*)"', page) == ["data:,"]


def test_words_cannot_leave_the_script_element():
    made = traces.make(words=(HOSTILE, [*HOSTILE, "</s>"]))
    page = html(made, title="<b>&")
    assert page.count("</script>") == 2  # the trace's and the player's own
    assert "<title>&lt;b&gt;&amp;</title>" in page
    record = re.search(r'id="trace">(.*?)</script>', page, re.DOTALL).group(1)
    assert "<" not in record
    assert "\u2028" not in record
    assert parse(record).source == tuple(HOSTILE)
    assert json.loads(record) == json.loads(dump(made))


def test_a_page_can_be_made_from_the_wire_format():
    made = traces.make()
    assert html(dump(made)) == html(made)
    with pytest.raises(ValueError, match="not a trace"):
        html("{}")


def test_embedded_json_is_the_same_json():
    record = {"words": HOSTILE, "number": 0.1}
    assert json.loads(embedded(record)) == record


def test_settled_settings_become_keywords_of_translate():
    nothing = {"window": None, "half_width": None, "sigma": None}
    settled = {"model": "m", "window": "local-m", "half_width": 3, "sigma": None, "linked": True, "as_trained": False}
    assert how(None) == nothing
    assert how(settled) == {"window": "local-m", "half_width": 3, "sigma": None}
    assert how({**settled, "as_trained": True}) == nothing


def test_importing_the_player_imports_no_host():
    code = (
        "import attn_core.web, sys;"
        "print(sorted({'streamlit', 'altair', 'anywidget', 'traitlets', 'IPython', 'plotly'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_widget_decodes_again_when_a_slider_is_let_go():
    from attn_core.web import widget

    asked = []

    def decode(settings):
        asked.append(settings)
        return traces.make(half_width=settings["half_width"])

    shown = widget(traces.make(half_width=2), decode=decode)
    assert shown.can_decode
    assert shown.trace.settings["half_width"] == 2
    shown.settled = {
        "model": "m",
        "window": "local-p",
        "half_width": 4,
        "sigma": None,
        "linked": True,
        "as_trained": False,
        "asked": 17,
    }
    assert shown.answered == 17
    assert asked == [{"window": "local-p", "half_width": 4, "sigma": None}]
    assert json.loads(shown.trace_json)["settings"]["half_width"] == 4
    assert not widget(traces.make()).can_decode


def test_a_widget_that_cannot_decode_does_not_keep_its_reader_waiting():
    from attn_core.web import widget

    def decode(settings):
        raise ValueError("no such window")

    shown = widget(traces.make(half_width=2), decode=decode)
    settings = {"model": "m", "window": "local-p", "half_width": 4, "sigma": None, "as_trained": False, "asked": 3}
    with pytest.raises(ValueError, match="no such window"):
        shown.settled = settings
    assert shown.answered == 3
    assert shown.trace.settings["half_width"] == 2
