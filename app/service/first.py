"""The translation on the first page, decoded in advance, so that a new visitor need not wait for torch.

    python -m app.service.first      writes pretrained/first.json; run it after training

The file holds the result of `decode.made` for the first example. The page uses it only while the model's weights,
vocabularies and settings are those it was made from; otherwise the page decodes.
"""

import hashlib
import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.service.answer import Answer
from app.service.catalogue import Shipped, catalogue, first
from app.service.view import View
from attn_core.aliases import SCHEMA
from attn_core.data.captions import captions
from attn_core.files import replacing
from attn_core.registry import load

NAME = "first.json"
OPENING = "fish-hand"  # of our captions: its verb comes last in German and early in English


def example() -> str:
    """The sentence shown to a new visitor."""
    return next((pair.de for pair in captions() if pair.id == OPENING), captions()[0].de)


def first_view(models: dict[str, Shipped]) -> View:
    """The view shown to a new visitor."""
    return View(example(), first(models))


def shipped_answer(model: Shipped, asked: View) -> Answer | None:
    """The stored answer for the view `asked`, None if there is none."""
    record = _shipped(model)
    if not record or asked != View(record["text"], record["model"]):
        return None
    return record["answer"]


def shipped_formulas(model: Shipped) -> dict[str, list[str]]:
    """The stored formulas of the model on the first page; empty for any other model."""
    return _shipped(model).get("formulas", {})


def _shipped(model: Shipped) -> dict[str, Any]:
    path = model.folder.parent / NAME
    try:
        return _read(path, path.stat().st_mtime_ns, model.folder, model.stamp)
    except OSError:
        return {}


@lru_cache(maxsize=16)
def _read(path: Path, written: int, folder: Path, stamp: str) -> dict[str, Any]:
    """The stored answer for the model in `folder`; read again when `written` or `stamp` changes."""
    try:
        record = json.loads(path.read_text("utf-8"))
        if record["model"] != folder.name or record["made_from"] != _digest(folder):
            return {}
        if record["trace"]["schema"] != SCHEMA:  # of an older version, which the player cannot read
            return {}
        trace = json.dumps(record["trace"], ensure_ascii=False)
        return {
            "text": record["text"],
            "model": record["model"],
            "answer": Answer(trace, record["translation"]),
            "formulas": {axis: list(lines) for axis, lines in record["formulas"].items()},
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # only a shortcut: without it the page decodes


def _digest(folder: Path) -> str:
    """A digest of everything a translation depends on; the card in config.json is left out."""
    parts = [(folder / name).read_bytes() for name in ("model.safetensors", "source.json", "target.json")]
    config = json.loads((folder / "config.json").read_text("utf-8"))["model"]
    parts.append(json.dumps(config, sort_keys=True).encode())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def write() -> Path:
    """Decode the first example and write it beside the models. Raises ValueError when there is no model."""
    models, _ = catalogue()
    if not models:
        raise ValueError("pretrained/ has no trained model, so there is nothing to decode")
    view = first_view(models)
    model = models[view.model]
    loaded = load("app.service.decode:loaded")(model.folder)
    new = load("app.service.decode:made")(loaded, view)
    record = {
        "text": view.text,
        "model": view.model,
        "made_from": _digest(model.folder),
        "translation": new.text,
        "formulas": load("attn_core.explain.step_graph:formulas")(model.config),
        "trace": json.loads(new.trace),
    }
    path = model.folder.parent / NAME
    with replacing(path) as part:
        part.write_text(json.dumps(record, ensure_ascii=False) + "\n", "utf-8")
    return path


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{write()}\n")
    except ValueError as error:
        sys.exit(str(error))
