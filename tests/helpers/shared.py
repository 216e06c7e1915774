"""What is made once for all workers of a run (pytest-xdist): the first to need it makes it, the others wait for it."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def folder_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run have in common."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def once(path: Path, make: Callable[[], str]) -> str:
    """The text of a file, which `make` is asked for if nobody has written it yet."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # given back when the file is closed, also by a death
        if not path.exists():
            text = make()
            part = path.with_suffix(".part")
            part.write_text(text, "utf-8")
            part.replace(path)
    return path.read_text("utf-8")
