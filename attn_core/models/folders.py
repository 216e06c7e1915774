"""The folders of models, and their config.json. Does not import torch, so that listing models is fast."""

import os
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError, parse_json
from attn_core.messages import _, meant
from attn_core.models.about import check_about

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parent  # a clone of the repository, or where packages are installed
INSIDE = PACKAGE / "pretrained"  # the models inside a wheel
PRETRAINED = INSIDE if INSIDE.is_dir() else ROOT / "pretrained"

FORMAT = 2  # of config.json
STATE = "state.safetensors"  # the state of a training; see training/run_state.py
TRANSLATOR = "translator"  # the kind of a model if its config.json names none


def pretrained() -> Path:
    """The folder of the shipped models, or the folder in ATTN_PRETRAINED."""
    return Path(os.environ.get("ATTN_PRETRAINED") or PRETRAINED)


def shipped(kind: str | None = TRANSLATOR) -> list[str]:
    """The names of the models of one kind in `pretrained()`; with None, of all kinds."""
    folders = sorted(path.parent for path in pretrained().glob("*/config.json"))
    return [folder.name for folder in folders if kind in (None, kind_of(folder))]


def kind_of(folder: Path) -> str:
    """The kind of the model in a folder: a translator, unless its config.json names another kind.

    A model with an unreadable config.json counts as a translator; loading it then raises the error.
    """
    try:
        return str(parse_json((folder / "config.json").read_bytes(), finite=False).get("kind", TRANSLATOR))
    except (OSError, ValueError, AttributeError):
        return TRANSLATOR


def read_record(folder: Path, kind: str) -> dict[str, Any]:
    """The contents of config.json of a model of one kind; the types of `name` and the entries of `about` are checked.

    Raises CheckpointError, naming the file, if it is damaged or of another kind.
    """
    found = kind_of(folder)
    if found != kind:
        message = _("{folder} is a model of kind {found}; expected kind {kind}")
        raise CheckpointError(message.format(folder=folder.name, found=found, kind=kind))
    path = folder / "config.json"
    try:
        record = parse_json(path.read_bytes(), finite=False)
        if record["format"] != FORMAT:
            message = _("{path} has format {format}; this version reads format {known}")
            raise CheckpointError(message.format(path=path, format=record["format"], known=FORMAT))
        if not isinstance(record["name"], str):
            raise ValueError(_("name must be a string, not {name!r:.60}").format(name=record["name"]))
        check_about(record.setdefault("about", {}))
        return record
    except CheckpointError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = _("{path} is damaged or belongs to another project ({reason})")
        raise CheckpointError(message.format(path=path, reason=error)) from error


def find(name_or_path: str | Path) -> Path:
    """The folder of a model, given its name in `pretrained()` or its path. Raises CheckpointError if there is none."""
    name = str(name_or_path)
    if name:
        for folder in (pretrained() / name, Path(name)):
            if (folder / "config.json").is_file():
                return folder
        if (Path(name) / STATE).is_file():
            message = _(
                "{name} holds no model yet, because its training has not finished an epoch: continue it with the same "
                "train command and --resume"
            )
            raise CheckpointError(message.format(name=name))
        if Path(name).is_dir():
            raise CheckpointError(
                _("{name} holds no config.json, so it is not a model of this project").format(name=name)
            )
        if Path(name).is_file():
            raise CheckpointError(_("{name} is a file; give the folder that contains config.json").format(name=name))
    if "+" in name:
        message = _("no model has the name {name}; an ensemble (names joined by +) cannot be used here")
        raise CheckpointError(message.format(name=name))
    hint = meant(name, shipped(None)) or _(
        ": no shipped model (python -m attn_core models lists them) and no folder has this name"
    )
    raise CheckpointError(_("unknown model {name!r}{hint}").format(name=name, hint=hint))
