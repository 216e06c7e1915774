"""The first picture, decoded beforehand, so that a new visitor need not wait for torch.

    python -m app.service.first      writes pretrained/first.json from the model that is shipped; run it after training

It holds what `decode.made` gives for the first example. The page uses it only while the model's weights, vocabularies
and settings are those it was made from; otherwise the page decodes.
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
    """The sentence that a new visitor sees."""
    return next((pair.de for pair in captions() if pair.id == OPENING), captions()[0].de)


def first_view(models: dict[str, Shipped]) -> View:
    """What a new visitor sees."""
    return View(example(), first(models))


def shipped_answer(model: Shipped, asked: View) -> Answer | None:
    """The answer that ships for what is `asked`, if there is one."""
    record = _shipped(model)
    if not record or asked != View(record["text"], record["model"]):
        return None
    return record["answer"]


def shipped_formulas(model: Shipped) -> dict[str, list[str]]:
    """The formulas of the model that the first picture is of; empty for any other."""
    return _shipped(model).get("formulas", {})


def _shipped(model: Shipped) -> dict[str, Any]:
    path = model.folder.parent / NAME
    try:
        return _read(path, path.stat().st_mtime_ns, model.folder, model.stamp)
    except OSError:
        return {}


@lru_cache(maxsize=16)
def _read(path: Path, written: int, folder: Path, stamp: str) -> dict[str, Any]:
    """What ships of the model in `folder`; read again when `written` or `stamp` says that a file is new."""
    try:
        record = json.loads(path.read_text("utf-8"))
        if record["model"] != folder.name or record["made_from"] != _digest(folder):
            return {}
        if record["trace"]["schema"] != SCHEMA:  # an older version wrote it, and the player reads this one's
            return {}
        trace = json.dumps(record["trace"], ensure_ascii=False)
        return {
            "text": record["text"],
            "model": record["model"],
            "answer": Answer(trace, record["translation"]),
            "formulas": {axis: list(lines) for axis, lines in record["formulas"].items()},
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # it is a shortcut; the page can do without


def _digest(folder: Path) -> str:
    """Of all that a translation depends on; what config.json says beside the settings may be written anew."""
    parts = [(folder / name).read_bytes() for name in ("model.safetensors", "source.json", "target.json")]
    config = json.loads((folder / "config.json").read_text("utf-8"))["model"]
    parts.append(json.dumps(config, sort_keys=True).encode())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def write() -> Path:
    """Decode the first example and write it beside the models. Raises ValueError when there is no model."""
    models, _ = catalogue()
    if not models:
        raise ValueError("no trained model is there yet: pretrained/ is empty, so there is no first picture to make")
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
