"""Files made once for all workers of a test run (pytest-xdist): the first worker makes a file, the others wait."""

import fcntl
from collections.abc import Callable
from pathlib import Path

folder = Path()  # conftest.py sets it to a folder that all workers of a run share


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
