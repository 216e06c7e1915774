"""The files of vocabularies: source.json and target.json of a model, and those that models beside each other share."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError, parse_json, replacing
from attn_core.messages import _

PARTS = ("tokenizer", "truecase")  # of a vocabulary file, which may be in files of their own
SHARED = "../vocabularies/"  # from the folder of a model: where it shares vocabularies with the models beside it


def read_vocabulary(path: Path) -> dict[str, Any]:
    """The JSON object in a vocabulary file. If one of PARTS is the name of a file, it is read from there.

    That file is in the same folder, or among the vocabularies that the models beside this one share (`share`). Raises
    OSError if the file is missing, CheckpointError if the one that it names is, and ValueError if it holds no JSON
    object or names a file elsewhere.
    """
    record = parse_json(path.read_bytes(), finite=False)
    if not isinstance(record, dict):
        raise ValueError(_("expected a JSON object, not {kind}").format(kind=type(record).__name__))
    for part in PARTS:
        if isinstance(name := record.get(part), str):
            if Path(name).name != name.removeprefix(SHARED):
                raise ValueError(
                    _("{part} must be the name of a file in the same folder or in {shared}, not {name!r}").format(
                        part=part, shared=SHARED, name=name
                    )
                )
            other = parse_json(_shared(path, name), finite=False)
            record[part] = other.get(part) if isinstance(other, dict) else None
    return record


def set_truecase(path: Path, table: dict[str, Any]) -> None:
    """Write the table of a `Truecaser` into a vocabulary file, in place of an earlier one."""
    record = parse_json(path.read_bytes(), finite=False) | {"truecase": table}
    with replacing(path) as new:
        new.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def share(folder: Path) -> None:
    """Store the vocabularies of the model in `folder` once for all models beside it, in the folder `vocabularies`.

    Does nothing where the models have no such folder. Raises as `Tokenizer.load`.
    """
    if not (folder / SHARED).is_dir():
        return
    for path in (folder / "target.json", folder / "source.json"):  # the former may name the latter
        record = parse_json(path.read_bytes(), finite=False)
        own = [part for part in PARTS if part in record and not str(record[part]).startswith(SHARED)]
        if not own:
            continue
        whole = read_vocabulary(path)
        for part in own:
            kind = whole["kind"] if part == "tokenizer" else part
            record[part] = SHARED + _write_shared(folder / SHARED, kind, {part: whole[part]})
        with replacing(path) as new:
            new.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _write_shared(folder: Path, kind: str, record: dict[str, Any]) -> str:
    """Write a file for several models unless it exists; returns its name."""
    compact = (",", ":")  # indented, the shipped vocabularies would be two thirds larger
    text = json.dumps(record, ensure_ascii=False, separators=compact) + "\n"
    name = f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.json"
    if not (folder / name).is_file():
        with replacing(folder.resolve() / name) as part:
            part.write_text(text, encoding="utf-8")
    return name


def _shared(path: Path, name: str) -> bytes:
    """The file called `name` in the vocabulary file at `path`. Raises CheckpointError if it is missing."""
    other = path.parent / name
    try:
        return other.read_bytes()
    except FileNotFoundError as error:
        advice = _("copy it from where this model comes from")
        if name.startswith(SHARED):
            advice = _(
                "models share their vocabularies: copy the folder {folder} too; it is beside the original model, and "
                "belongs beside this one"
            ).format(folder=Path(SHARED).name)
        message = _("{path} needs the file {other}, which is missing; {advice}")
        raise CheckpointError(message.format(path=path, other=os.path.normpath(other), advice=advice)) from error
