"""Names that every JavaScript object inherits are ordinary text in a link: every page opens, and shows no code."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from app.lab.kit import described
from tests.app.test_hostile_links import parameters
from tests.helpers.serving import Files
from tests.helpers.visits import patience

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ("__proto__", "constructor", "toString", "hasOwnProperty", "valueOf")
MORE = ("with", "race", "normalise", "keep", "gloss", "tour", "with_window", "__proto__", "constructor")


ON_SITE = ["", *(place.path for place, _page in described.pages())]


@pytest.mark.parametrize("path", ON_SITE, ids=lambda path: path or "explorer")
def test_a_page_opens_whatever_inherited_name_a_parameter_has(path, browser, written_site):
    """One parameter at a time has one of the names; then all parameters have it."""
    server = Files(written_site)
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(patience())
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
    page.on("console", lambda message: message.type == "error" and errors.append(f"{page.url}: {message.text}"))
    read = (*parameters(path), *(() if path else MORE))
    queries = [{parameter: name} for parameter in read for name in NAMES]
    queries += [dict.fromkeys(read, name) for name in NAMES]
    try:
        for query in queries:
            page.goto(f"{server.address}/{path or 'index'}.html?{urlencode(query)}")
            ready = ".live-output:not(:empty)" if not path else "h1"
            expect(page.locator(ready).first).to_be_visible()
            shown = page.locator("main").inner_text()
            assert "[native code]" not in shown, query
            assert "could not be loaded" not in shown, query
    finally:
        context.close()
        server.stop()
    assert errors == []
