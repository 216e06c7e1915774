"""Atomic file writing, reading of files that others wrote, and the errors of files."""

import errno
import json
import math
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PART = ".part"  # suffix of temporary files
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # disk full, quota exceeded, file too large


class CheckpointError(ValueError):
    """The folder holds no model, or a damaged one; the message names the file and what to do."""


class FullDisk(ValueError):
    """The disk has no room for a file; the message names it. An existing file of that name is unchanged."""


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """The contents of a regular file, or its first `most` bytes.

    Raises CheckpointError for a pipe, a device or a folder, whose reading could wait or go on for ever, and OSError for
    a file that is missing or cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise CheckpointError(f"{path} is not a regular file")
    with os.fdopen(handle, "rb") as file:
        return file.read() if most is None else file.read(most)


def parse_json(text: str | bytes, *, finite: bool = True) -> Any:
    """The value of a JSON text in UTF-8.

    Raises ValueError for text that is not JSON or is nested too deeply, and, if all numbers must be `finite`, for NaN,
    Infinity and 1e400, which `json.loads` accepts.
    """
    try:
        return json.loads(text, parse_constant=_finite, parse_float=_finite) if finite else json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply to be read") from None


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:60]} is not a finite number")
    return value


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside `path`, renamed to `path` if the block succeeds and removed if it raises.

    The file is flushed to the disk before it is renamed, so that a power cut leaves either the old file or the new one.
    Raises FullDisk if there is no room for it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with unfinished(path) as part:
        yield part
        _sync(part)
        part.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())  # as `open` would have set it
        part.replace(path)
        if os.name == "posix":  # other systems cannot open a folder
            _sync(path.parent)


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """A temporary file beside `path`, removed when the block ends. Until then, `remove_leftovers` leaves it alone.

    It is in a hidden folder of its own, together with any files that a library creates beside it (safetensors does).
    Raises FullDisk if there is no room for it.
    """
    try:
        folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=PART))
        try:
            with _locked(folder):
                part = folder / path.name
                part.touch()
                yield part
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except (OSError, SafetensorError) as error:
        code = error.errno if isinstance(error, OSError) else _system_error(str(error))
        if code not in FULL:
            raise
        raise FullDisk(f"{path} could not be written: {os.strerror(code)}; free some disk space") from error


@contextmanager
def making(folder: Path) -> Iterator[None]:
    """Create `folder`; if the block fails, remove it and its new parent folders."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for one in new:
            with suppress(OSError):  # not empty
                one.rmdir()
        raise


def replace_folder(folder: Path, part: Path) -> None:
    """Move the folder `part`, which is beside `folder`, to `folder`.

    An older `folder` is deleted last, and moved back on failure, so an interruption does not lose both.
    """
    old = part.with_name(f"{part.name}.old")
    if folder.exists():
        folder.rename(old)
    try:
        part.rename(folder)
    finally:
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
        elif old.exists():
            old.rename(folder)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock on `path` until the block or the process ends, if the system supports file locks."""
    handle = os.open(path, os.O_RDONLY) if fcntl else None
    try:
        if handle is not None:
            with suppress(OSError):  # the file system has no locks
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that killed processes left in `folder`, but not files that are being written."""
    for part in folder.glob(f".*{PART}") if fcntl else ():
        with suppress(OSError):  # BlockingIOError: another process is writing it
            handle = os.open(part, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            finally:
                os.close(handle)
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:  # left by an older version
                part.unlink()


def _sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _system_error(message: str) -> int | None:
    """The errno in an error message of safetensors; None if there is none."""
    found = re.search(r"os error (\d+)", message)
    return int(found[1]) if found else None


def _umask() -> int:
    """The umask of this process, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
