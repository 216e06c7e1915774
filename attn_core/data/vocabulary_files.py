"""The files of vocabularies: source.json and target.json of a model, and those that models beside each other share."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError, parse_json, replacing
from attn_core.messages import _

SHARED = "../vocabularies/"  # from the folder of a model: where it shares vocabularies with the models beside it


def read_vocabulary(path: Path) -> dict[str, Any]:
    """The JSON object in a vocabulary file. If `tokenizer` is the name of a file, it is read from there.

    That file is in the same folder, or among the vocabularies that the models beside this one share (`share`). Raises
    OSError if the file is missing, CheckpointError if the one that it names is, and ValueError if it holds no JSON
    object or names a file elsewhere.
    """
    record = parse_json(path.read_bytes(), finite=False)
    if not isinstance(record, dict):
        raise ValueError(_("expected a JSON object, not {kind}").format(kind=type(record).__name__))
    if isinstance(name := record.get("tokenizer"), str):
        if Path(name).name != name.removeprefix(SHARED):
            raise ValueError(
                _("tokenizer must be the name of a file in the same folder or in {shared}, not {name!r}").format(
                    shared=SHARED, name=name
                )
            )
        other = parse_json(_shared(path, name), finite=False)
        record["tokenizer"] = other.get("tokenizer") if isinstance(other, dict) else None
    return record


def share(folder: Path) -> None:
    """Store the vocabularies of the model in `folder` once for all models beside it, in the folder `vocabularies`.

    Does nothing where the models have no such folder. Raises as `Tokenizer.load`.
    """
    shared = folder / SHARED
    if not shared.is_dir():
        return
    for path in (folder / "target.json", folder / "source.json"):  # the former may name the latter
        record = parse_json(path.read_bytes(), finite=False)
        if str(record["tokenizer"]).startswith(SHARED):
            continue
        record = read_vocabulary(path)
        compact = (",", ":")  # indented, the shipped vocabularies would be two thirds larger
        text = json.dumps({"tokenizer": record["tokenizer"]}, ensure_ascii=False, separators=compact) + "\n"
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        name = f"{record['kind']}-{digest}.json"
        if not (shared / name).is_file():
            with replacing(shared.resolve() / name) as part:
                part.write_text(text, encoding="utf-8")
        with replacing(path) as part:
            part.write_text(json.dumps(record | {"tokenizer": SHARED + name}, indent=1) + "\n", encoding="utf-8")


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
