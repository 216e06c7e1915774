"""Atomic writing of files and folders, what it may replace, reading of others' files, and the errors of files."""

import errno
import hashlib
import json
import math
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PART, OLD = ".part", ".old"  # suffixes of temporary files and folders, and of a folder that is being replaced
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # disk full, quota exceeded, file too large
FILE_MANAGER_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})  # file managers write these into every folder
LONGEST_NAME = 200  # bytes of a name in that of a temporary file; file systems allow 255 in all

Recognise = Callable[[Path], bool]  # whether this package wrote the file
Foreign = Callable[[Path], list[str]]  # the entries of a folder that this package did not write


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
    if math.isfinite(value := float(digits)):
        return value
    raise ValueError(f"{digits[:60]} is not a finite number")


class Unreplaceable(ValueError):
    """Writing to a path would destroy what is there; the message names the path, what it is and what to do."""


def what_is(path: Path) -> str:
    """A description of what a path is, such as "a file" or "a symbolic link"; empty if there is nothing."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):  # ValueError: a NUL character
        return ""
    kinds = {
        stat.S_ISREG: "a file",
        stat.S_ISDIR: "a folder",
        stat.S_ISLNK: "a symbolic link",
        stat.S_ISFIFO: "a pipe",
        stat.S_ISSOCK: "a socket",
    }
    return next((name for test, name in kinds.items() if test(mode)), "a device")


def real_path(path: str | Path) -> Path:
    """A path without links. Unlike Path.resolve, it raises no error for a loop of links: it stays as it is."""
    return Path(os.path.realpath(path))


def check_parents(path: Path) -> None:
    """Raise Unreplaceable if `path` cannot be created because something that is no folder is in its way."""
    if "\0" in str(path):
        raise Unreplaceable(f"{str(path)!r} has a NUL character, which no file name can have")
    for parent in path.absolute().parents:
        if found := what_is(parent):
            if not parent.is_dir():
                leads = " that leads to no folder" if found == "a symbolic link" else ""
                raise Unreplaceable(f"{path} cannot be created: {parent} is {found}{leads}")
            return


def check_file(path: Path, recognise: Recognise, force: bool = False) -> None:
    """Raise Unreplaceable if a command must not write a file to `path`.

    It may if nothing is there, or an empty file, or one that `recognise` finds to be written by this package; with
    `force`, any regular file. Links, devices, pipes and folders are never replaced.
    """
    check_parents(path)
    _check_regular(path)
    if force or not what_is(path) or not path.stat().st_size or recognise(path):
        return
    raise Unreplaceable(
        f"{path} was not written by this command, so it is not replaced; choose another file, or replace it with "
        "--force (in Python, force=True)"
    )


def check_folder(folder: Path, foreign: Foreign, force: bool = False) -> None:
    """Raise Unreplaceable if a command must not replace `folder`.

    It may if nothing is there, or a folder without `foreign` entries. With `force` there may be such entries, which
    `replacing_folder` then keeps. Links and files are never replaced by a folder.
    """
    check_parents(folder)
    found = what_is(folder)
    if found not in ("", "a folder"):
        raise Unreplaceable(f"{folder} is {found}, which is not replaced by a folder; choose another name")
    entries = foreign(folder) if found else []
    if entries and not force:
        raise Unreplaceable(
            f"{folder} contains {entries[0]}, which this command did not write; choose another folder, or write into "
            "it with --force (in Python, force=True), which replaces only files of the same names"
        )
    for entry in entries:
        if (kind := what_is(folder / entry)) not in ("a file", "a folder", "a symbolic link"):
            raise Unreplaceable(f"{folder / entry} is {kind}, so {folder} is not replaced; choose another folder")


def entries_except(folder: Path, known: Callable[[str], bool]) -> list[str]:
    """The entries below `folder`, as paths relative to it, that are not `known` regular files.

    A subfolder is entered if `known` accepts its path with a slash at the end; otherwise it is an entry itself. Links
    and special files are always entries.
    """
    entries: list[str] = []

    def visit(path: str) -> None:
        for one in sorted(os.scandir(folder / path), key=lambda entry: entry.name):
            below = f"{path}{one.name}"
            if one.is_dir(follow_symlinks=False):
                if known(f"{below}/"):
                    visit(f"{below}/")
                elif not _is_temporary(one.name):
                    entries.append(below)
            elif not one.is_file(follow_symlinks=False) or not (
                known(below) or one.name in FILE_MANAGER_FILES or _is_temporary(one.name)
            ):
                entries.append(below)

    visit("")
    return entries


def _check_regular(path: Path) -> None:
    """Raise Unreplaceable if something other than a regular file is at `path`."""
    found = what_is(path)
    if found == "a folder":
        raise Unreplaceable(f"{path} is a folder; expected the name of a file")
    if found not in ("", "a file"):
        raise Unreplaceable(f"{path} is {found}, which is never replaced; give the name of a regular file")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside `path`, renamed to `path` if the block succeeds and removed if it raises.

    The file is flushed to the disk before it is renamed, so that a power cut leaves either the old file or the new one.
    Raises FullDisk if there is no room for it, and Unreplaceable if `path` is a link, a folder or a special file.
    """
    check_parents(path)
    _check_regular(path)
    with making(path.parent), unfinished(path) as part:
        yield part
        _sync(part)
        _check_regular(path)
        part.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())  # as `open` would have set it
        part.replace(path)
        if os.name == "posix":  # other systems cannot open a folder
            _sync(path.parent)


@contextmanager
def replacing_folder(folder: Path, foreign: Foreign, force: bool = False) -> Iterator[Path]:
    """A temporary folder beside `folder`, put in its place if the block succeeds and removed if it raises.

    An interruption leaves the old folder or the new one; if the process is killed in between, the next writing to
    `folder` restores it. With `force`, the `foreign` entries of the old folder are copied to the new one, except for
    those that have the name of a new file. Raises FullDisk, and Unreplaceable as `check_folder` does.
    """
    check_folder(folder, foreign, force)
    with making(folder.parent), _naming_full_disk(folder), _temporary(folder) as part:
        yield part
        check_folder(folder, foreign, force)
        part.chmod(folder.stat().st_mode if folder.exists() else 0o777 & ~_umask())
        for entry in foreign(folder) if folder.exists() else ():
            _keep(folder / entry, part / entry)
        _replace_folder(folder, part)


def _keep(entry: Path, copy: Path) -> None:
    """Copy an entry of a folder that is being replaced, unless the new folder has a file of that name."""
    if what_is(copy):
        if what_is(entry) != "a file":
            raise Unreplaceable(f"{entry} is {what_is(entry)}, which no file replaces; choose another folder")
        return
    copy.parent.mkdir(parents=True, exist_ok=True)
    if what_is(entry) == "a folder":
        shutil.copytree(entry, copy, symlinks=True)
    else:
        shutil.copy2(entry, copy, follow_symlinks=False)


def _replace_folder(folder: Path, part: Path) -> None:
    """Move the folder `part`, which is beside `folder`, to `folder`.

    An older `folder` is deleted last, and moved back on failure, so an interruption does not lose both.
    """
    old = part.with_name(f"{part.name}{OLD}")
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
def unfinished(path: Path) -> Iterator[Path]:
    """A temporary file beside `path`, removed when the block ends. Until then, `remove_leftovers` leaves it alone.

    It is in a hidden folder of its own, together with any files that a library creates beside it (safetensors does).
    Temporary files for `path` that killed processes have left are removed. Raises FullDisk if there is no room for it.
    """
    with _naming_full_disk(path), _temporary(path) as folder:
        part = folder / path.name
        part.touch()
        yield part


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """A locked and hidden folder beside `path`, removed when the block ends."""
    with suppress(FileNotFoundError):
        os.lstat(path)  # a name that is too long is an error before the block, not at its end
    _restore(path)
    remove_leftovers(path.parent, path.name)
    while True:
        try:
            folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{_stem(path.name)}.", suffix=PART))
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from error
        with _locked(folder):
            if not folder.exists():  # another process took it for a leftover before it was locked
                continue
            try:
                yield folder
            except OSError as error:
                names = [str(name) for name in (error.filename, error.filename2) if name is not None]
                if any(name.startswith(str(folder)) for name in names):  # the reader knows only `path`
                    raise OSError(error.errno, error.strerror, str(path)) from error
                raise
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        return


@contextmanager
def _naming_full_disk(path: Path) -> Iterator[None]:
    """Turn the errors of a full disk into FullDisk, which names `path`."""
    try:
        yield
    except (OSError, SafetensorError) as error:
        code = error.errno if isinstance(error, OSError) else _system_error(str(error))
        if code not in FULL:
            raise
        raise FullDisk(f"{path} could not be written: {os.strerror(code)}; free some disk space") from error


@contextmanager
def making(folder: Path) -> Iterator[None]:
    """Create `folder`; if the block fails, remove it and its new parent folders."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for one in new:
            with suppress(OSError):  # not empty
                one.rmdir()
        raise


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock on `path` until the block or the process ends, if the system supports file locks."""
    handle = None
    if fcntl:
        with suppress(FileNotFoundError):  # the caller finds that it is gone
            handle = os.open(path, os.O_RDONLY)
    try:
        if handle is not None:
            with suppress(OSError):  # the file system has no locks
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        if handle is not None:
            os.close(handle)


@contextmanager
def _holding_leftover(path: Path) -> Iterator[None]:
    """Hold the lock of a temporary file or folder. Raises OSError if another process is writing it."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _stem(name: str) -> str:
    """A name as it is in the names of its temporary files: itself, or a digest if it is long."""
    encoded = os.fsencode(name)
    return name if len(encoded) <= LONGEST_NAME else hashlib.sha256(encoded).hexdigest()[:16]


def _is_temporary(name: str, of: str | None = None) -> bool:
    """Whether a name is that of a temporary file, or of one for the file or folder called `of`."""
    stem = ".+" if of is None else re.escape(_stem(of))
    return re.fullmatch(rf"\.{stem}\.[a-z0-9_]{{6,8}}{re.escape(PART)}({re.escape(OLD)})?", name, re.DOTALL) is not None


def _restore(folder: Path) -> None:
    """Finish what a process that was killed while replacing `folder` left undone.

    Its old version gets its name back, or is deleted if the new one has already taken its place.
    """
    for old in sorted(folder.parent.iterdir()) if fcntl and folder.parent.is_dir() else ():
        if not (old.name.endswith(OLD) and _is_temporary(old.name, folder.name)):
            continue
        part = old.with_name(old.name.removesuffix(OLD))
        with suppress(OSError), _holding_leftover(part if part.exists() else old):
            if what_is(folder):
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.rename(folder)


def remove_leftovers(folder: Path, of: str | None = None) -> None:
    """Remove the temporary files that killed processes left in `folder`, but not files that are being written.

    Only those for the file or the folder called `of`, if it is given.
    """
    for part in sorted(folder.iterdir()) if fcntl and folder.is_dir() else ():
        if not _is_temporary(part.name, of) or part.name.endswith(OLD) or part.with_name(f"{part.name}{OLD}").exists():
            continue  # a replaced folder is left to `_restore`
        with suppress(OSError), _holding_leftover(part):  # BlockingIOError: another process is writing it
            shutil.rmtree(part, ignore_errors=True)


def _sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _system_error(message: str) -> int | None:
    """The errno in an error message of safetensors; None if there is none."""
    return int(found[1]) if (found := re.search(r"os error (\d+)", message)) else None


def _umask() -> int:
    """The umask of this process, which can only be read by setting it."""
    os.umask(mask := os.umask(0o077))
    return mask
