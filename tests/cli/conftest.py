"""The models and texts that tests of the commands share."""

from pathlib import Path

import pytest

from tests.helpers.support import BAHDANAU
from tests.helpers.terminal import lines, saved

SOURCES = ("a b c", "d e f g a", "b x", "g", "c c b a d e")
REFERENCES = ("n o p", "q r s", "t y", "u v n o", "p q")


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "local", score="general", window="local-p", half_width=2)


@pytest.fixture(scope="module")
def reads_eos(tmp_path_factory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "eos", **BAHDANAU, source_eos=True)


@pytest.fixture
def texts(tmp_path) -> tuple[Path, Path]:
    return lines(tmp_path / "test.de", *SOURCES), lines(tmp_path / "test.en", *REFERENCES)
