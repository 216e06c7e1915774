"""Files that announce a training while it goes on, so that others can follow, pause or stop it. Does not import torch.

`training.pid` holds the number of the process, which keeps the file locked until it ends, however it ends: if the file
is locked, the process is that training. `status.json` has the update that the training is at, twice a second. Both are
removed at the end.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PID, STATUS = "training.pid", "status.json"
OFTEN = 0.5  # seconds between two versions of status.json
PATIENCE = 2.0  # seconds to wait for a lock, which `process` holds for a moment
CAN_LOCK = fcntl is not None

Announce = Callable[[Callable[[], dict[str, Any]]], None]  # it calls its argument when a new version is due


@contextmanager
def announced(folder: Path, first: bool = True) -> Iterator[Announce]:
    """Announce this process as the one that trains in `folder`; not if it is not the `first` of several.

    Raises CheckpointError if another process trains there.
    """
    if not first:
        yield lambda status: None
        return
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    due = 0.0

    def announce(status: Callable[[], dict[str, Any]]) -> None:
        nonlocal due
        if time.monotonic() >= due:
            part = folder / f".{STATUS}.new"
            part.write_text(json.dumps(status(), allow_nan=False), "utf-8")
            part.replace(folder / STATUS)  # not flushed to the disk: nobody needs it after a power cut
            due = time.monotonic() + OFTEN

    handle = os.open(folder / PID, os.O_RDWR | os.O_CREAT)
    try:
        _lock(handle, folder)
        try:
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
            yield announce
        finally:
            for name in (STATUS, PID):
                with suppress(OSError):  # Windows does not remove an open file
                    (folder / name).unlink()
    finally:
        os.close(handle)
        if new:
            with suppress(OSError):  # the training has written something
                folder.rmdir()


def _lock(handle: int, folder: Path) -> None:
    """Lock an open file until it is closed. Raises CheckpointError if another process keeps it locked."""
    until = time.monotonic() + PATIENCE
    while CAN_LOCK:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise CheckpointError(
                    f"another process is training in {folder}: wait until it ends, or choose another folder"
                ) from None
            time.sleep(0.02)
        except OSError:  # the file system has no locks
            return


def process(folder: Path) -> int | None:
    """The number of the process that trains in `folder`; None if there is none, or on a system without file locks."""
    if not CAN_LOCK:
        return None
    try:
        handle = os.open(folder / PID, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        written = os.read(handle, 20).decode().strip()
        return int(written) if written.isdecimal() else None
    except OSError:
        return None
    finally:
        os.close(handle)


def status(folder: Path) -> dict[str, Any]:
    """The latest status of the training in `folder`; empty if there is none yet."""
    with suppress(OSError, ValueError):
        return json.loads((folder / STATUS).read_text("utf-8"))
    return {}
