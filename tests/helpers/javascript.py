"""Run the project's JavaScript in node and in pages without a server."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from attn_core.web import bundle
from tests.helpers.visits import patience

CORE = tuple(sorted((bundle.PLAYER / "core").glob("*.js")))


@contextmanager
def pages(browser: Browser, folder: Path) -> Iterator[Callable[..., Page]]:
    """A function that opens an HTML text and waits for `ready`; no page may have logged an error at the end."""
    contexts, errors = [], []

    def open_page(text: str, ready: str, width: int = 1280, height: int = 900, **context: Any) -> Page:
        path = folder / f"{len(contexts)}.html"
        path.write_text(text, encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **context))
        page = contexts[-1].new_page()
        page.set_default_timeout(patience())
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


def evaluator(node: str, folder: Path, modules: tuple[Path, ...]) -> Callable[[str, Any], Any]:
    """A function that evaluates a JavaScript expression of `input` in node; `js` holds the exports of `modules`."""
    for place, path in enumerate(modules):
        (folder / f"{place}.mjs").write_text(bundle.module(path), encoding="utf-8")
    imports = ", ".join(f"...(await import('./{place}.mjs'))" for place in range(len(modules)))

    def run(expression: str, value: Any) -> Any:
        script = (
            f"import {{ readFileSync }} from 'node:fs'; const js = {{ {imports} }};"
            f"const input = JSON.parse(readFileSync(0)); console.log(JSON.stringify({expression}));"
        )
        (folder / "main.mjs").write_text(script, encoding="utf-8")
        done = subprocess.run(
            [node, "main.mjs"], cwd=folder, input=json.dumps(value), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def settle(page: Page) -> None:
    """Wait two frames, until the last change is drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
    settle(page)
