"""Files that announce a training while it goes on, so that others can follow, pause or stop it. Does not import torch.

`training.pid` holds the number of the process, which keeps the file locked until it ends, however it ends: if the file
is locked, the process is that training. `status.json` has the update that the training is at, twice a second. Both are
removed at the end.
"""

import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError, parse_json, read_bytes
from attn_core.training.snapshots_file import is_number

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PID, STATUS = "training.pid", "status.json"
OFTEN = 0.5  # seconds between two versions of status.json
PATIENCE = 2.0  # seconds to wait for a lock, which `process` holds for a moment
_LONGEST_STATUS = 10_000  # bytes
CAN_LOCK = fcntl is not None

Announce = Callable[[Callable[[], dict[str, Any]]], None]  # it calls its argument when a new version is due


def silent(status: Callable[[], dict[str, Any]]) -> None:
    """The Announce of a training that nobody follows."""


@contextmanager
def announced(folder: Path, first: bool = True) -> Iterator[Announce]:
    """Announce this process as the one that trains in `folder`; not if it is not the `first` of several.

    Raises CheckpointError if another process trains there.
    """
    if not first:
        yield silent
        return
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    due = 0.0

    def announce(status: Callable[[], dict[str, Any]]) -> None:
        nonlocal due
        if time.monotonic() >= due:
            text, part = json.dumps(status(), allow_nan=False), folder / f".{STATUS}.new"
            with suppress(OSError):  # a full disk must not end the training for a file that only informs
                part.write_text(text, "utf-8")
                part.replace(folder / STATUS)  # not flushed to the disk: nobody needs it after a power cut
            due = time.monotonic() + OFTEN

    handle = _locked(folder)
    try:
        try:
            with suppress(OSError):
                os.ftruncate(handle, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
            yield announce
        finally:
            with suppress(OSError):  # Windows does not remove an open file
                if _is(handle, folder / PID):  # otherwise a failed training has removed its folder, and another began
                    (folder / STATUS).unlink(missing_ok=True)
                    (folder / PID).unlink()
    finally:
        os.close(handle)
        if new:
            with suppress(OSError):  # the training has written something
                folder.rmdir()


def _locked(folder: Path) -> int:
    """The open and locked PID file of `folder`. Raises CheckpointError if another process keeps it locked."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(folder / PID, os.O_RDWR | os.O_CREAT)
        except FileNotFoundError:  # the folder was removed at this moment
            continue
        try:
            _lock(handle, folder)
            if _is(handle, folder / PID):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # the process that had it locked has removed it


def _is(handle: int, path: Path) -> bool:
    """Whether an open file is the one at `path`."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


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
        handle = os.open(folder / PID, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        written = os.read(handle, 20).decode("ascii", "replace").strip()
        return (int(written) or None) if written.isdecimal() else None  # 0 would be this process's group
    except OSError:
        return None
    finally:
        os.close(handle)


def status(folder: Path) -> dict[str, float | None]:
    """The latest status of the training in `folder`; empty if there is none yet, or a damaged one."""
    with suppress(OSError, ValueError):
        values = parse_json(read_bytes(folder / STATUS, _LONGEST_STATUS))
        if isinstance(values, dict):
            return {
                name: value for name, value in values.items() if is_number(value) or (name, value) == ("loss", None)
            }
    return {}
