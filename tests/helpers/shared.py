"""Files made once for all workers of a test run (pytest-xdist): the first worker makes a file, the others wait."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def folder_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder shared by all workers of this run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def once(path: Path, make: Callable[[], str]) -> str:
    """The text of the file at `path`; `make` creates it if the file does not exist yet."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # released when the file is closed, also if the process dies
        if not path.exists():
            text = make()
            part = path.with_suffix(".part")
            part.write_text(text, "utf-8")
            part.replace(path)
    return path.read_text("utf-8")
