"""Small untrained models for these tests, in a separate folder of shipped models."""

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
    """Use the tests' models as the shipped ones."""
    monkeypatch.setenv("ATTN_PRETRAINED", str(folder))
    return catalogue.catalogue()[0]
