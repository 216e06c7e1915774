"""Open parts of the lab on separate pages, and run their arithmetic in node."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.helpers.javascript import CORE, evaluator, pages
from tests.lab import stages

PURE = (
    *("heads/measures", "../../attn_core/browser/engine/dice", "../shell/equation", "kit/steps", "paths/graph"),
    *("pointer/net", "pointer/parts", "pointer/plane", "series/past"),
    *("kit/windowing", "window/treatments"),
    *(f"score/{name}" for name in ("state/context", "state/link", "state/scores", "state/state", "plane/drawing")),
    "../../attn_core/browser/engine/score",
)


@pytest.fixture
def lab(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a part of the lab (stages.STAGES) with its data."""
    with pages(browser, tmp_path) as open_page:
        yield lambda part, data, *sizes, **context: open_page(stages.page(part, data), ".ap", *sizes, **context)


@pytest.fixture(scope="session")
def run_js(node: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Any], Any]:
    """Evaluate a JavaScript expression of `input` in node; `js` holds the exports of core and stages."""
    modules = (*CORE, *(stages.LAB / f"{name}.js" for name in PURE))
    return evaluator(node, tmp_path_factory.mktemp("js"), modules)
