"""Small untrained models for these tests, in a separate folder of shipped models."""

import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from playwright.sync_api import Browser, Page

from app.service import catalogue, first
from app.service.catalogue import Shipped
from app.site import page
from attn_core.models import folders
from tests.helpers.engine import unchecked
from tests.helpers.serving import Files
from tests.helpers.shipped import export, ship
from tests.helpers.visits import patience

SITE_MODELS = ("luong-general-local-p", "fixed-vector")  # of the site, beside two of those that pages can run


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    return ship(tmp_path_factory.mktemp("pretrained"))


@pytest.fixture
def models(folder, monkeypatch) -> dict[str, Shipped]:
    """Use the tests' models as the shipped ones."""
    monkeypatch.setenv("ATTN_PRETRAINED", str(folder))
    return catalogue.catalogue()[0]


@pytest.fixture(scope="session")
def site_models(tmp_path_factory, live_models) -> Path:
    """A folder with small translators and pointer networks that are exported, and the stored first translation."""
    folder = ship(tmp_path_factory.mktemp("pretrained"), *SITE_MODELS)
    for name in ("bahdanau", "transformer", *folders.shipped("pointer"), *folders.shipped("series")):
        (folder / name).symlink_to(live_models / name)
    for name in SITE_MODELS:
        export(folder / name, as_built=False)
    with unchecked(), mock.patch.dict(os.environ, ATTN_PRETRAINED=str(folder)):
        first.write()
    return folder


@pytest.fixture(scope="session")
def written_site(site_models, tmp_path_factory) -> Path:
    """The folder of a site with these models."""
    out = tmp_path_factory.mktemp("written") / "site"
    with mock.patch.dict(os.environ, ATTN_PRETRAINED=str(site_models)):
        page.write(out)
    return out


@pytest.fixture(scope="module")
def site_address(written_site) -> Iterator[str]:
    server = Files(written_site)
    yield f"{server.address}/"
    server.stop()


@pytest.fixture
def tab(browser: Browser, site_address: str) -> Iterator[Page]:
    """A tab in which relative addresses are pages of the site."""
    context = browser.new_context(service_workers="block", base_url=site_address)
    page = context.new_page()
    page.set_default_timeout(patience())
    yield page
    context.close()
