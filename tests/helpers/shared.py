"""Files made once for all workers of a test run (pytest-xdist): the first worker makes a file, the others wait."""

import fcntl
from collections.abc import Callable
from pathlib import Path

folder: Path | None = None  # that all workers of a run share; conftest.py sets it


def once(name: str, make: Callable[[], str]) -> str:
    """The text of this name; `make` makes it if no worker has made it yet."""
    assert folder is not None, "outside a test run there is no folder for the file"
    path = folder / f"{name}.json"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # released when the file is closed, also if the process dies
        if not path.exists():
            text = make()
            part = path.with_suffix(".part")
            part.write_text(text, "utf-8")
            part.replace(path)
    return path.read_text("utf-8")
