"""Open pages of a dashboard in a browser; used by the fixtures `dashboard` and `visit` of conftest.py."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Browser, Page


def patience() -> int:
    """Timeout in ms for something that should appear at once; it grows with the load of the machine."""
    return round(20_000 * (1 + os.getloadavg()[0] / (os.cpu_count() or 1)))


@contextmanager
def visits(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """A function that opens a page; no page may have logged an error at the end, but for those that a test `provokes`.

    `page.sent` collects the messages that the page has sent to the server.
    """
    contexts, errors = [], []

    def open_page(
        path: str = "",
        ready: str = ".ap-count",
        query: dict[str, str] | None = None,
        width: int = 1280,
        height: int = 720,
        script: str = "",
        cards: bool = True,
        provokes: str = "",
        level: str | None = "workbench",
        **context: Any,
    ) -> Page:
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **context))
        contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.sent = []  # type: ignore[attr-defined]
        page.set_default_timeout(patience())
        page.on("pageerror", lambda error: errors.append(str(error)))

        def hear(message: Any) -> None:
            line = f"{message.text} ({message.location['url']})"
            if message.type == "error" and not (provokes and provokes in line):
                errors.append(line)

        def count(frame: bytes | str) -> None:
            page.sent.append(frame)  # type: ignore[attr-defined]

        page.on("console", hear)
        page.on("websocket", lambda opened: opened.on("framesent", count))
        page.goto(f"{address}/{path}?{urlencode(at_level(query or {}, None if path else level))}")
        page.locator(ready).first.wait_for()
        if path and cards:
            page.locator(".st-key-cards_list").wait_for()
        idle(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors, errors


def at_level(query: Mapping[str, Any], level: str | None) -> dict[str, Any]:
    """The query of a link to the Explorer at a level, unless it names one or a stop of the tour."""
    return dict(query) if level is None or query.keys() & {"level", "tour"} else {**query, "level": level}


def idle(page: Page) -> None:
    """Wait until no script runs. The icon of a running script appears late: without it one may run all the same."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()


def query(page: Page) -> dict[str, str]:
    """The parameters of a page's address."""
    return dict(parse_qsl(urlsplit(page.url).query))


def address_says(page: Page, **wanted: str) -> None:
    """Wait until the address has these parameters."""
    page.wait_for_function(
        "wanted => { const said = new URLSearchParams(location.search);"
        " return Object.entries(wanted).every(([name, value]) => said.get(name) === value); }",
        arg=wanted,
    )


def unfold(page: Page) -> None:
    """Show all settings of the Explorer, of which a newcomer first sees some."""
    page.get_by_role("button", name="More settings").click()
