"""The folders of models, and their config.json. Does not import torch, so that listing models is fast."""

import os
import re
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError, parse_json, read_bytes
from attn_core.messages import _, meant
from attn_core.models.about import check_about
from attn_core.registry import Unregistered

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parent  # a clone of the repository, or where packages are installed
INSIDE = PACKAGE / "pretrained"  # the models inside a wheel
PRETRAINED = INSIDE if INSIDE.is_dir() else ROOT / "pretrained"

FORMAT = 2  # of config.json
STATE = "state.safetensors"  # the state of a training; see training/run_state.py
TRANSLATOR = "translator"  # the kind of a model if its config.json names none

_own: dict[str, Path] = {}  # by name, the folders of the reader's own translators; see `offer`


def pretrained() -> Path:
    """The folder of the shipped models, or the folder in ATTN_PRETRAINED."""
    return Path(os.environ.get("ATTN_PRETRAINED") or PRETRAINED)


def shipped(kind: str | None = TRANSLATOR) -> list[str]:
    """The names of the models of one kind in `pretrained()`; with None, of all kinds."""
    folders = sorted(path.parent for path in pretrained().glob("*/config.json") if path.is_file())
    return [folder.name for folder in folders if kind in (None, kind_of(folder))]


def offered() -> list[str]:
    """The names of the translators that pages offer: the shipped ones, and the reader's own (`offer`)."""
    return [*shipped(), *_own]


def offer(named: str | Path) -> Path:
    """Offer the translator in a folder beside the shipped ones, with the folder's name; returns its absolute path.

    Nothing changes for a translator that is offered already. Raises CheckpointError if the folder holds no translator,
    or if its name is taken or cannot be part of an address.
    """
    folder = find(named).resolve()
    if kind_of(folder) != TRANSLATOR:
        message = _("{folder} is a model of kind {kind}; the Explorer shows translators only")
        raise CheckpointError(message.format(folder=named, kind=kind_of(folder)))
    if not re.fullmatch(r"\w[\w.-]*", folder.name, re.ASCII):
        message = _("the folder's name {name!r} is part of addresses: rename it, with letters, digits and hyphens only")
        raise CheckpointError(message.format(name=folder.name))
    taken = find(folder.name).resolve() if folder.name in (*shipped(None), *_own) else folder
    if taken != folder:
        message = _("{folder} has the name of the model in {taken}: rename the folder")
        raise CheckpointError(message.format(folder=folder, taken=taken))
    if folder.name not in shipped():
        _own[folder.name] = folder
    return folder


def kind_of(folder: Path) -> str:
    """The kind of the model in a folder: a translator, unless its config.json names another kind.

    A model with an unreadable config.json counts as a translator; loading it then raises the error.
    """
    try:
        return str(parse_json(read_bytes(folder / "config.json"), finite=False).get("kind", TRANSLATOR))
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
        record = parse_json(read_bytes(path), finite=False)
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


def not_registered(path: Path, about: dict[str, Any], error: Unregistered) -> CheckpointError:
    """The error for a config.json at `path` that needs a part of a reader's own, which no script has registered."""
    options = " ".join(f"--load {script}" for script in about.get("load", ()))
    trained = options and _(" (it was trained with {options})").format(options=options)
    message = _(
        "{path} needs the {axis} {name!r}, which is not registered here: give the script that registers it with "
        "--load{trained}; in Python, import it before you load the model"
    )
    return CheckpointError(message.format(path=path, axis=error.axis, name=error.name, trained=trained))


def find(name_or_path: str | Path) -> Path:
    """The folder of a model, given its name in `pretrained()`, its path, or its name if it is the reader's own.

    Raises CheckpointError if there is none.
    """
    name = str(name_or_path)
    if name in _own:
        return _own[name]
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
