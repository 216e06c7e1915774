"""Files that are written whole or not at all, and where models lie. Without torch: a list of models is quick."""

import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from attn_core.about import check_about
from attn_core.aliases import MODELS
from attn_core.messages import _
from attn_core.registry import meant

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PART = ".part"  # how the names of temporary files end
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # no room: on the disk, in one's share of it, in a file
ROOT = Path(__file__).resolve().parents[1]  # a clone of the repository, or where packages are installed
INSIDE = Path(__file__).resolve().parent / "pretrained"  # the models inside a wheel
PRETRAINED = INSIDE if INSIDE.is_dir() else ROOT / "pretrained"


FORMAT = 2  # of config.json as written
FORMATS = 1, 2  # that can be read; format 1 has all settings of a model in one flat object


class CheckpointError(ValueError):
    """A folder that holds no model, or a damaged one; the message says which file and what to do."""


class FullDisk(ValueError):
    """A file for which there is no room; the message says which. What was there before is as it was."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends well, and is removed when it does not.

    The new file is on the disk before it gets its name, so that a power cut leaves the old one or the new one. Raises
    FullDisk when there is no room for it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with unfinished(path) as part:
        yield part
        _sync(part)
        part.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())  # as if it had been opened and written
        part.replace(path)
        if os.name == "posix":  # elsewhere a folder cannot be opened
            _sync(path.parent)


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """A temporary file beside `path`, removed when the block ends. While it lasts `remove_leftovers` spares it.

    It lies in a hidden folder of its own, with whatever a library puts beside it while it writes (safetensors does).
    Raises FullDisk when there is no room for it.
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
        raise FullDisk(f"{path} could not be written: {os.strerror(code)}; free some space there") from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """A lock on `path` that ends with the block, or with the process, where the system has such locks."""
    handle = os.open(path, os.O_RDONLY) if fcntl else None
    try:
        if handle is not None:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that killed processes left in `folder`; those that are being written stay."""
    for part in folder.glob(f".*{PART}") if fcntl else ():
        with suppress(OSError):  # BlockingIOError: somebody is writing it
            handle = os.open(part, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            finally:
                os.close(handle)
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:  # of an older version
                part.unlink()


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _system_error(message: str) -> int | None:
    """The number of the system's error in a message of safetensors."""
    found = re.search(r"os error (\d+)", message)
    return int(found[1]) if found else None


def _umask() -> int:
    """The file mode mask of this process, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def pretrained() -> Path:
    """The folder of the shipped models, or the folder in ATTN_PRETRAINED."""
    return Path(os.environ.get("ATTN_PRETRAINED") or PRETRAINED)


TRANSLATOR = "translator"  # the kind of a model whose config.json names none


def shipped(kind: str | None = TRANSLATOR) -> list[str]:
    """The names of the models of one kind in `pretrained()`; with None, of all kinds."""
    folders = sorted(path.parent for path in pretrained().glob("*/config.json"))
    return [folder.name for folder in folders if kind in (None, kind_of(folder))]


def kind_of(folder: Path) -> str:
    """The kind of the model in a folder: a translator, unless its config.json names another kind.

    A model with an unreadable config.json counts as a translator; loading it then raises the error.
    """
    try:
        return str(json.loads((folder / "config.json").read_text("utf-8")).get("kind", TRANSLATOR))
    except (OSError, ValueError, AttributeError, RecursionError):
        return TRANSLATOR


def read_record(folder: Path, kind: str) -> dict[str, Any]:
    """config.json of a model of one kind, whose `name` is a text and whose `about` is as about.py says.

    Raises CheckpointError, which names the file, when it is damaged or of another kind.
    """
    found = kind_of(folder)
    if found != kind:
        message = _("{folder} is a model of kind {found}; expected kind {kind}")
        raise CheckpointError(message.format(folder=folder.name, found=found, kind=kind))
    path = folder / "config.json"
    try:
        record = json.loads(path.read_text("utf-8"))
        if record["format"] not in FORMATS:
            message = _("{path} has format {format}; this version reads formats up to {newest}")
            raise CheckpointError(message.format(path=path, format=record["format"], newest=FORMAT))
        if not isinstance(record["name"], str):
            raise ValueError(f"name must be a text, not {record['name']!r:.60}")
        check_about(record.setdefault("about", {}))
        return record
    except CheckpointError:
        raise
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        message = _("{path} is damaged or belongs to another project ({reason})")
        raise CheckpointError(message.format(path=path, reason=error)) from error


def read_vocabulary(path: Path) -> dict[str, Any]:
    """The JSON object in a vocabulary file. If `tokenizer` is a file name, it is taken from that file in the folder.

    Raises OSError if a file is missing, and ValueError if it holds no JSON object or names a file in another folder.
    """
    record = json.loads(path.read_bytes())
    if not isinstance(record, dict):
        raise ValueError(f"expected a JSON object, not {type(record).__name__}")
    if isinstance(name := record.get("tokenizer"), str):
        if Path(name).name != name:
            raise ValueError(f"tokenizer must be the name of a file in the same folder, not {name!r}")
        other = json.loads(path.with_name(name).read_bytes())
        record["tokenizer"] = other.get("tokenizer") if isinstance(other, dict) else None
    return record


def find(name_or_path: str | Path) -> Path:
    """The folder of a model, by its name if it ships or by its path. Raises CheckpointError if there is none."""
    name = str(name_or_path)
    if name:
        for folder in (pretrained() / name, Path(name), pretrained() / MODELS.get(name, name)):
            if (folder / "config.json").is_file():
                return folder
        if Path(name).is_dir():
            raise CheckpointError(f"{name} holds no config.json, so it is not a model of this project")
        if Path(name).is_file():
            raise CheckpointError(f"{name} is a file; give the folder that holds config.json")
    there = shipped(None)
    raise CheckpointError(f"unknown model {name!r}{meant(name, there)}; shipped models: {', '.join(there) or 'none'}")
