"""Pages with the player on them, and node for its arithmetic."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from attn_core.trace import Trace, dump
from attn_core.web import bundle, html
from tests.web import labs

PURE = (
    *("arithmetic", "colors", "equation", "headmath", "layout", "pathgraph", "pieces", "plane", "pointernet"),
    *("pointerplane", "rows", "scorefunctions", "settings", "treatments", "vectors"),
)

HOST = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>{style}</style><div id="host"></div>
<script type="application/json" id="trace">{trace}</script>
<script type="module">
{script}
window.settled = [];
window.player = createPlayer(document.getElementById("host"), {{
  trace: JSON.parse(document.getElementById("trace").textContent),
  options: {options},
  onSettle: (settings) => window.settled.push(settings),
}});
</script>"""


@contextmanager
def pages(browser: Browser, folder: Path) -> Iterator[Callable[..., Page]]:
    """A function that opens a page of a text, once `ready` is there; all must end without an error on their console."""
    contexts, errors = [], []

    def open_page(text: str, ready: str, width: int = 1280, height: int = 900, **context: Any) -> Page:
        path = folder / f"{len(contexts)}.html"
        path.write_text(text, encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **context))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(path.as_uri())
        page.locator(ready).first.wait_for()
        settle(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open pages with a player."""
    with pages(browser, tmp_path) as open_page:
        yield lambda text, *sizes, **context: open_page(text, ".ap-count", *sizes, **context)


@pytest.fixture
def handout(visit: Callable[..., Page]) -> Callable[..., Page]:
    """The page that a teacher hands out."""
    return lambda trace, **context: visit(html(trace), **context)


@pytest.fixture
def hosted(visit: Callable[..., Page]) -> Callable[..., Page]:
    """The player in a page that could decode again: what it asks for lies in `window.settled`."""

    def open_page(trace: Trace, options: dict | None = None, **context: Any) -> Page:
        text = HOST.format(
            style=bundle.style(),
            script=bundle.module(bundle.PLAYER / "player.js"),
            trace=dump(trace).replace("<", r"\u003c"),
            options=json.dumps(options or {}),
        )
        return visit(text, **context)

    return open_page


@pytest.fixture
def lab(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a part of the lab (labs.STAGES) with its data."""
    with pages(browser, tmp_path) as open_page:
        yield lambda part, data, *sizes, **context: open_page(labs.page(part, data), ".ap", *sizes, **context)


@pytest.fixture(scope="session")
def run_js(node: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Any], Any]:
    """Evaluate `expression` of `input` under node; `js` holds what the player's pure modules export."""
    folder = tmp_path_factory.mktemp("js")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for path in bundle.PLAYER.glob("*.js"):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    imports = ", ".join(f"...(await import('./{name}.js'))" for name in PURE)

    def run(expression: str, value: Any) -> Any:
        script = (
            f"import {{ readFileSync }} from 'node:fs'; const js = {{ {imports} }};"
            f"const input = JSON.parse(readFileSync(0)); console.log(JSON.stringify({expression}));"
        )
        (folder / "main.js").write_text(script, encoding="utf-8")
        done = subprocess.run(
            [node, "main.js"], cwd=folder, input=json.dumps(value), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def settle(page: Page) -> None:
    """Two frames: what was asked for has been drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
    settle(page)
