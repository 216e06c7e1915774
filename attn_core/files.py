"""Files that are written whole or not at all, and where models lie. Without torch: a list of models is quick."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attn_core.aliases import MODELS
from attn_core.messages import _
from attn_core.registry import meant

ROOT = Path(__file__).resolve().parents[1]  # a clone of the repository, or where packages are installed
INSIDE = Path(__file__).resolve().parent / "pretrained"  # the models inside a wheel
PRETRAINED = INSIDE if INSIDE.is_dir() else ROOT / "pretrained"


FORMAT = 2  # of config.json as written
FORMATS = 1, 2  # that can be read; format 1 has all settings of a model in one flat object


class CheckpointError(ValueError):
    """A folder that holds no model, or a damaged one; the message says which file and what to do."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends well, and is removed when it does not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())  # as if it had been opened and written
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


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
    """config.json of a model of one kind. Raises CheckpointError if it is damaged or of another kind."""
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
