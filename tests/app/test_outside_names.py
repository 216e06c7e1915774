"""Names that every JavaScript object inherits are ordinary text in a link: every page opens, and shows no code."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from app.lab.kit import described
from tests.app.test_hostile_links import parameters

NAMES = ("__proto__", "constructor", "toString", "hasOwnProperty", "valueOf")
MORE = ("with", "race", "normalise", "keep", "gloss", "tour", "with_window", "__proto__", "constructor")


ON_SITE = ["", *(place.path for place, _page in described.pages())]


@pytest.mark.parametrize("path", ON_SITE, ids=lambda path: path or "explorer")
def test_a_page_opens_whatever_inherited_name_a_parameter_has(path, tab):
    """One parameter at a time has one of the names; then all parameters have it."""
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(f"{tab.url}: {error}"))
    tab.on("console", lambda message: message.type == "error" and errors.append(f"{tab.url}: {message.text}"))
    read = (*parameters(path), *(() if path else MORE))
    queries = [{parameter: name} for parameter in read for name in NAMES]
    queries += [dict.fromkeys(read, name) for name in NAMES]
    for query in queries:
        tab.goto(f"{path or 'index'}.html?{urlencode(query)}")
        expect(tab.locator("h1" if path else ".live-output:not(:empty)").first).to_be_visible()
        shown = tab.locator("main").inner_text()
        assert "[native code]" not in shown, query
        assert "could not be loaded" not in shown, query
    assert errors == []
