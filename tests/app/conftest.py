"""The models of these tests: small untrained ones, shipped in a folder of their own."""

from pathlib import Path

import pytest

from app.service import catalogue
from app.service.catalogue import Shipped
from tests.helpers.shipped import ship


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    return ship(tmp_path_factory.mktemp("pretrained"))


@pytest.fixture
def models(folder, monkeypatch) -> dict[str, Shipped]:
    """The models of the tests are the ones that are shipped."""
    monkeypatch.setenv("ATTN_PRETRAINED", str(folder))
    return catalogue.catalogue()[0]
