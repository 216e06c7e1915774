"""The translation on the first page, decoded in advance, so that a new visitor need not wait for torch.

    python -m app.service.first      writes pretrained/first.json; run it after training

The file holds the trace of the first example. The page uses it only while the model's weights, vocabularies and
settings are those it was made from; otherwise the server decodes.
"""

import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.service.catalogue import Shipped, catalogue, first
from app.service.digest import digest
from app.service.request import Request
from attn_core.data.subwords import WORD_START
from attn_core.files import check_file, parse_json, read_bytes, replacing
from attn_core.messages import print_text, visible
from attn_core.program import run_program
from attn_core.registry import load
from attn_core.trace import SCHEMA

NAME = "first.json"
# Shown to a new visitor: its verb comes last in German and early in English. "Mit der Hand" would not say whose hand it
# is, so that a model writes "his" or "her" by chance.
TEXT, LANGUAGES = "Ein Mädchen versucht, mit einem Netz einen Fisch zu fangen.", ("de", "en")
WORD = "catch"  # that verb: the step of it is shown first


def step(trace: dict[str, Any]) -> int:
    """The step of a trace that a new visitor sees: that of WORD, or the first one."""
    written = [step["token"].removeprefix(WORD_START) for step in trace.get("steps", ())]
    return written.index(WORD) if WORD in written else 0


def stored(model: Shipped) -> dict[str, Any] | None:
    """The stored trace of the first example by `model`; None if there is none."""
    path = model.folder.parent / NAME
    try:
        return _read(path, path.stat().st_mtime_ns, model.folder, model.stamp)
    except OSError:
        return None


@lru_cache(maxsize=16)
def _read(path: Path, written: int, folder: Path, stamp: str) -> dict[str, Any] | None:
    """The stored trace of the model in `folder`; read again when `written` or `stamp` changes."""
    try:
        record = parse_json(read_bytes(path))
        if (record["text"], record["model"], record["made_from"]) != (TEXT, folder.name, digest(folder)):
            return None
        # The player reads this schema only.
        return record["trace"] if record["trace"]["schema"] == SCHEMA else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # only a shortcut: without it the page decodes


def write(force: bool = False) -> Path:
    """Decode the first example and write it beside the models.

    Raises ValueError when there is no model, and for a file of that name with something else, unless `force` is set.
    """
    models, _ = catalogue()
    if not models:
        raise ValueError("pretrained/ has no trained model, so there is nothing to decode")
    model = models[first(models)]
    path = model.folder.parent / NAME
    check_file(path, _is_stored, force)
    answer = load("app.service.decode:translate_request")(
        load("app.service.decode:load_model")(model.folder), Request(TEXT)
    )
    record = {"text": TEXT, "model": model.name, "made_from": digest(model.folder), "trace": answer["trace"]}
    with replacing(path) as part:
        part.write_text(json.dumps(record, ensure_ascii=False) + "\n", "utf-8")
    return path


def _is_stored(path: Path) -> bool:
    """Whether a file is one that `write` wrote."""
    try:
        return {"text", "model", "made_from", "trace"} <= parse_json(path.read_text("utf-8")).keys()
    except (OSError, ValueError, AttributeError):
        return False


def main() -> None:
    """Write the file and print its path; with --force, in place of anything."""
    try:
        print_text(f"{write('--force' in sys.argv[1:])}\n")
    except ValueError as error:
        sys.exit(visible(str(error)))


if __name__ == "__main__":
    run_program(main)
