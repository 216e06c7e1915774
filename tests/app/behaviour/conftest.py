"""A site with some of the shipped models, a tab for it, and the same models in Python."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from playwright.sync_api import Browser, ConsoleMessage

from app.site import page as site_page
from attn_core.models import folders
from attn_core.models.checkpoint import load
from attn_core.models.translator import Translator
from tests.helpers.explorer import ExplorerPage
from tests.helpers.serving import Files
from tests.helpers.visits import patience

MODELS = (
    "bahdanau-everyday",
    "bahdanau",
    "bahdanau-general",
    "bahdanau-local-p",
    "bahdanau-en-de",
    "everyday-de-en",
    "fixed-vector",
    "luong-base-long",
    "luong-dot-global",
    "luong-general-global",
    "luong-general-global-feed",
    "luong-general-global-heads",
    "luong-concat-global",
    "luong-general-local-m",
    "luong-general-local-p",
    "luong-general-local-p-feed",
    "luong-concat-local-p",
    "transformer",
)
MISSING = "/share.json"  # which only a dashboard has


@pytest.fixture(scope="session")
def models_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shipped models of these tests, and the stored first translation."""
    folder = tmp_path_factory.mktemp("pretrained")
    for name in MODELS:
        (folder / name).symlink_to(folders.find(name))
    (folder / "first.json").symlink_to(folders.find(MODELS[0]).parent / "first.json")
    return folder


@pytest.fixture(scope="session")
def model() -> Callable[[str], Translator]:
    """A shipped model by its name."""
    return cache(lambda name: load(folders.find(name)))


@pytest.fixture(scope="session")
def site(models_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with the Explorer only: the evidence of the lab's cards takes half a minute."""
    folder = tmp_path_factory.mktemp("written") / "site"
    no_cards = mock.patch("app.site.lab.all_cards", return_value=defaultdict(str))
    no_lab = mock.patch("app.lab.kit.described.pages", return_value=[])
    with mock.patch.dict(os.environ, ATTN_PRETRAINED=str(models_folder)), no_cards, no_lab:
        site_page.write(folder)
    server = Files(folder)
    yield f"{server.address}/"
    server.stop()


@pytest.fixture
def tab(browser: Browser, site: str) -> Iterator[Callable[..., ExplorerPage]]:
    """Open a tab for the site; in the end, no page logged an error that its test did not provoke.

    The arguments are those of Playwright's contexts. Without a service worker, a test can answer a page's requests.
    """
    contexts, opened = [], []

    def new_tab(width: int = 1280, height: int = 720, **context: Any) -> ExplorerPage:
        given = {"viewport": {"width": width, "height": height}, "service_workers": "block"} | context
        contexts.append(browser.new_context(**given))
        page = contexts[-1].new_page()
        page.set_default_timeout(patience())
        explorer, errors = ExplorerPage(page, site), []
        opened.append((explorer, errors))
        page.on("pageerror", lambda error: errors.append(str(error)))

        def hear(message: ConsoleMessage) -> None:
            if message.type == "error":
                errors.append(f"{message.text} ({message.location['url']})")

        page.on("console", hear)
        return explorer

    yield new_tab
    for context in contexts:
        context.close()
    for explorer, errors in opened:
        expected = {MISSING, *explorer.expected_errors}
        assert [error for error in errors if not any(part in error for part in expected)] == []


@pytest.fixture
def explorer(tab: Callable[..., ExplorerPage]) -> ExplorerPage:
    """A tab for the site, with no page yet."""
    return tab()
