"""The files of a model as the engine in a page takes them (browser/engine/types.d.ts, Files)."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from attn_core.data.language import LANGUAGES, language_name
from attn_core.data.vocabulary_files import PARTS, SHARED, read_vocabulary
from attn_core.export.facts import notes, types, worded
from attn_core.files import CheckpointError, parse_json
from attn_core.messages import _, print_message
from attn_core.models import folders
from attn_core.models.config import ModelConfig
from attn_core.models.folders import TRANSLATOR, find, kind_of
from attn_core.registry import Unregistered, load

GRAPHS = "browser.json"
WEIGHTS = "model.safetensors"
LIST = "files.json"  # beside the files that a page fetches: what `sized` returns, by their names
# How a server sends the files of a model, at an address that changes with them.
HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
# Weights hardly get smaller, and Streamlit would compress them again for every reader: a fifth of a second each.
AS_THEY_ARE = {"Content-Encoding": "identity"}
OWN_MODEL = "--model"  # the option that names a reader's own translator
_EXPORTED = "attn_core.export.document:exported"  # torch comes with it


@dataclass(frozen=True)
class ModelFiles:
    """What a page needs to run a model."""

    record: dict[str, Any]  # LiveModel in browser/hosts/types.d.ts; of other kinds than translators only graphs
    weights: bytes


def model_files(name_or_path: str | Path) -> ModelFiles:
    """The files of a model, which is exported first if its folder has no browser.json.

    Raises CheckpointError if a file is missing or damaged.
    """
    folder = find(name_or_path)
    try:
        weights = (folder / WEIGHTS).read_bytes()
    except OSError as error:
        message = _("{path} cannot be read ({reason})").format(path=folder / WEIGHTS, reason=error)
        raise CheckpointError(message) from error
    if kind_of(folder) != TRANSLATOR:
        graphs = _graphs(folder)
        return ModelFiles({"graphs": graphs | {"quantities": named(graphs)}}, weights)
    source, target = (_vocabulary(folder / f"{side}.json") for side in ("source", "target"))
    if target.get("tokenizer") == source.get("tokenizer"):
        target["tokenizer"] = "source.json"
    name = LANGUAGES.get(source["lang"])
    graphs = _graphs(folder)
    if not isinstance(rules := graphs.pop("rules", None), dict):
        message = _("{path} is damaged: it has no rules; write it again with `export {name} --to browser`")
        raise CheckpointError(message.format(path=folder / GRAPHS, name=folder.name))
    record = {
        "rules": rules,
        "graphs": _worded(graphs),
        "source": source,
        "target": target,
        "label": _("{language} sentence").format(language=_(name)) if name else _("Sentence"),
        "languages": [language_name(one["lang"]) for one in (source, target)],
    }
    return ModelFiles(record, weights)


def offer(named: str | Path) -> None:
    """Offer a reader's own translator in a folder beside the shipped ones (`--model DIR`).

    If it is not exported, its browser.json is written into the folder, as by `export`.

    Raises ValueError if the folder holds no translator that can be read, and OSError if it cannot be written to.
    """
    folder = folders.offer(named)
    record = folders.read_record(folder, TRANSLATOR)
    path = folder / "config.json"
    try:
        ModelConfig.from_json(record["model"])
    except Unregistered as error:
        raise folders.not_registered(path, record["about"], error) from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        message = _("{path} is damaged or belongs to another project ({reason})")
        raise CheckpointError(message.format(path=path, reason=error)) from error
    if not (folder / GRAPHS).is_file():
        message = _("{folder} is not exported for the browser yet: writing its {file}")
        print_message(message.format(folder=named, file=GRAPHS))
        load("attn_core.export.document:write")(folder)


def sized(content: bytes) -> tuple[int, str]:
    """The size and SHA-256 of a file, by which a page knows that it has all of it (browser/hosts/file-check.js)."""
    return len(content), sha256(content).hexdigest()


def _graphs(folder: Path) -> dict[str, Any]:
    path = folder / GRAPHS
    if path.is_file():
        return _read(path)
    return parse_json(load(_EXPORTED)(folder))


def _worded(graphs: dict[str, Any]) -> dict[str, Any]:
    """The graphs with the texts of their windows, attention types, quantities and order, in the reader's language."""
    windows = {name: worded(name, facts) for name, facts in graphs.get("windows", {}).items()}
    kinds = types(dict.fromkeys(step["type"] for step in graphs.get("steps", [])))
    more = notes(graphs.get("settings", {}), len(graphs.get("diagrams", [])))
    return (
        graphs | {"windows": windows, "types": kinds, "quantities": named(graphs)} | ({"notes": more} if more else {})
    )


def named(graphs: dict[str, Any]) -> dict[str, Any]:
    """The quantities of the graphs, with their names in the reader's language."""
    return {
        name: about | {part: _(about[part]) for part in ("name", "element") if part in about}
        for name, about in graphs.get("quantities", {}).items()
    }


def _vocabulary(path: Path) -> dict[str, Any]:
    """A vocabulary without what only the tokenizers library needs; one that is the model's other one keeps its name."""
    record = _read(path)
    for part in PARTS:
        if str(record.get(part)).startswith(SHARED):
            record[part] = read_vocabulary(path)[part]
    inner = record.get("tokenizer")
    if isinstance(inner, dict):
        model = inner.get("model") or {}
        record["tokenizer"] = {"model": {name: model.get(name) for name in ("vocab", "merges") if name in model}}
    return record


def _read(path: Path) -> dict[str, Any]:
    try:
        record = parse_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise CheckpointError(_("{path} cannot be read ({reason})").format(path=path, reason=error)) from error
    if not isinstance(record, dict):
        raise CheckpointError(_("{path} is damaged: it holds no JSON object").format(path=path))
    return record
