"""Parts of the lab on separate pages, and small models."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.helpers.javascript import pages
from tests.lab import stages


@pytest.fixture
def lab(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a part of the lab (stages.STAGES) with its data."""
    with pages(browser, tmp_path) as open_page:
        yield lambda part, data, *sizes, **context: open_page(stages.page(part, data), ".ap", *sizes, **context)


@pytest.fixture
def untrained(untrained_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use small untrained translators as the shipped ones."""
    monkeypatch.setenv("ATTN_PRETRAINED", str(untrained_models))
