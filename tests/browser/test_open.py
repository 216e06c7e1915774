"""No window, score, order or attention type is spelt in the page: what a class registers appears by itself."""

import re
from pathlib import Path

import pytest

from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS
from attn_core.models.settings import ORDERS
from tests.browser.test_bundle import ROOT

FOLDERS = (
    "attn_core/browser/engine",
    "attn_core/browser/player",
    "attn_core/browser/hosts",
    "app/explorer",
    "app/shell",
)
DATA = {"app/shell/stops.js"}  # the tour opens certain models
NAMES = {name for registry in (WINDOWS, SCORES, ORDERS, ATTENTION_TYPES) for name in registry}
SCRIPTS = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.js"))]


def spelt(text: str) -> set[str]:
    """The registered names that are whole strings, and those with a hyphen anywhere."""
    return {
        name
        for name in NAMES
        if re.search(rf"""(["'`]){re.escape(name)}\1""", text) or ("-" in name and re.search(rf"\b{name}\b", text))
    }


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_registered_name_is_spelt(path: Path):
    found = spelt(path.read_text("utf-8"))
    assert not found or str(path.relative_to(ROOT)) in DATA


def test_a_spelt_name_is_found():
    assert spelt('if (window === "local-p") shown.push(`dot`); // hard-argmax') == {"local-p", "dot", "hard-argmax"}
    assert spelt("list.concat(other); const soft = 'softer';") == set()
    assert len(SCRIPTS) > 100
