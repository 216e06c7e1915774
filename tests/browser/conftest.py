"""Pages with the player on them, and node for its arithmetic."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from attn_core.browser import bundle, html
from attn_core.export import facts
from attn_core.trace import Trace, dump
from tests.helpers import tokenizers
from tests.helpers.engine import PROBE
from tests.helpers.javascript import Script, pages
from tests.helpers.shipped import export, ship

LOCAL_P = "luong-general-local-p"
HOSTED = Path(__file__).with_name("hosted.js")
HOST = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>{style}</style><div id="host"></div>
<script type="application/json" id="trace">{trace}</script>
<script type="module">
{script}
const trace = JSON.parse(document.getElementById("trace").textContent);
hostPlayer(document.getElementById("host"), {{ trace, options: {options} }});
</script>"""


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open pages with a player."""
    with pages(browser, tmp_path) as open_page:
        yield lambda text, *sizes, **context: open_page(text, ".ap-count", *sizes, **context)


@pytest.fixture
def handout(visit: Callable[..., Page]) -> Callable[..., Page]:
    """Open the self-contained page of a trace, as a teacher hands it out."""
    return lambda trace, **context: visit(html(trace), **context)


@pytest.fixture
def hosted(visit: Callable[..., Page]) -> Callable[..., Page]:
    """Open the player in a page that can decode again (hosted.js)."""

    def open_page(trace: Trace, options: dict | None = None, **context: Any) -> Page:
        text = HOST.format(
            style=bundle.style(),
            script=bundle.module(HOSTED),
            trace=dump(trace).replace("<", r"\u003c"),
            options=json.dumps(facts.windows_and_types() | (options or {})),
        )
        return visit(text, **context)

    return open_page


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two small translators, local-p and fixed-vector, with their files for the browser."""
    found = ship(tmp_path_factory.mktemp("models"), LOCAL_P, "fixed-vector")
    for name in (LOCAL_P, "fixed-vector"):
        export(found / name, as_built=False)
    return found


@pytest.fixture(scope="session")
def probe(open_script: Callable[[Path], Script]) -> Script:
    """The functions of engine_probe.js."""
    return open_script(PROBE)


@pytest.fixture(scope="session")
def in_page(open_script: Callable[[Path], Script]) -> Script:
    """The functions of tokenizer_probe.js."""
    return open_script(tokenizers.PROBE)
