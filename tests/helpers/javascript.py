"""Run the project's JavaScript in node and in pages without a server."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page

from attn_core.browser import bundle
from tests.helpers.visits import patience

MODULES = Path(__file__).with_name("modules.mjs")
CALL = MODULES.with_name("call.mjs")
IN_PAGE = MODULES.with_name("in_page.js").read_text("utf-8")


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


class ScriptError(Exception):
    """An error that a function of a script threw; its note has the stack."""


@dataclass(frozen=True)
class Script:
    """The exported functions of a script, called in node, where scripts import the modules of pages as they are."""

    node: str
    data: Path  # the folder JS_DATA of modules.mjs
    path: Path

    def __call__(self, name: str, *values: Any) -> Any:
        """What the function of this name returns."""
        return self.each(name, [values])[0]

    def each(self, name: str, calls: Iterable[Sequence[Any]]) -> list[Any]:
        """What the function returns for each list of arguments."""
        done = self.run(str(CALL), str(self.path), name, input=json.dumps(list(calls)))
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        if result["error"]:
            error = ScriptError(result["error"]["message"])
            error.add_note(result["error"]["stack"])
            raise error
        return result["answers"]

    def failure(self, name: str, *values: Any) -> str:
        """The message of the error that a call throws; empty if it throws none."""
        try:
            self(name, *values)
        except ScriptError as error:
            return str(error)
        return ""

    def run(self, *command: str, input: str = "") -> subprocess.CompletedProcess[str]:
        """Run node with these arguments."""
        environment = os.environ | {"JS_DATA": str(self.data)}
        whole = [self.node, "--import", MODULES.as_uri(), *command]
        return subprocess.run(whole, env=environment, input=input, capture_output=True, text=True, check=False)


@contextmanager
def standalone(path: Path) -> Iterator[Script]:
    """A script for a program that is not a test, with the modules that the bundler generates and no other data."""
    node = shutil.which("node")
    if node is None:
        sys.exit("node is needed and was not found")
    with TemporaryDirectory() as folder:
        write_generated(Path(folder))
        yield Script(node, Path(folder), path)


def write_generated(folder: Path) -> None:
    """Write the modules that the bundler generates."""
    for name, text in bundle.generated().items():
        (folder / name).write_text(text, "utf-8")


def call_in_page(page: Page, name: str, *values: Any) -> Any:
    """What a function of in_page.js returns in the page."""
    return page.evaluate(f"(values) => {{ {IN_PAGE}\nreturn {name}(...values); }}", values)


def assert_apart(texts: Iterable[dict[str, Any]], gap: float = 0) -> None:
    """Assert that centred texts (recordTexts of in_page.js) are more than `gap` pixels from others on their line."""
    for left, right in pairwise(sorted(texts, key=lambda text: (text["y"], text["x"]))):
        room = right["x"] - left["x"]
        assert left["y"] != right["y"] or room > (left["width"] + right["width"]) / 2 + gap, (left, right)


def settle(page: Page) -> None:
    """Wait two frames, until the last change is drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
    settle(page)
