"""How the files and folders that this package writes are recognised, so that nothing else is replaced.

A file is recognised by its contents. A folder is recognised by one of its files, and its other files by their names.
Does not import torch.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from attn_core.data.vocabulary_files import SHARED
from attn_core.files import Unreplaceable, check_file, check_parents, entries_except, what_is
from attn_core.models.folders import STATE
from attn_core.registry import load

CONFIG, ONNX, DESCRIPTION = "config.json", "onnx", "model.json"
TABLE = b"attn_core"  # the name of the record in the metadata of a table of traces
TAUGHT = "taught"  # the folder of a teacher's translations, in that of a training; see training/teacher.py
HEADER = 100_000_000  # bytes, the limit of safetensors

# The files of a trained model, all in its folder.
MODEL_FILES = frozenset(
    {
        *(CONFIG, "model.safetensors", "source.json", "target.json", "README.md", "browser.json"),
        *("metrics.jsonl", "snapshots.json"),
    }
)
# The other files of a training, and those of `build` in its folder.
TRAINING_FILES = frozenset(
    {
        *(STATE, "training.pid", "status.json", ".status.json.new", "build.log"),
        *("corpus/", "corpus/train.arrow", "corpus/train.json", "text/", "8-bits/"),
        *(f"8-bits/{name}" for name in MODEL_FILES),
    }
)
_TEXT = re.compile(r"text/[^/]+\.[^/.]+")  # the sentences of test sets, see cli/build.py
_TAUGHT = re.compile(rf"{TAUGHT}/([^/]+\.(tsv|json)|\.[^/]+\.part(/.*)?)?")  # the last are temporary files


def check_name(name: str, what: str) -> None:
    """Raise ValueError if `name`, the name of `what`, could not be that of a folder in a given place."""
    wrong = ""
    if not name.strip():
        wrong = "it is empty"
    elif name in (".", ".."):
        wrong = "it stands for another folder"
    elif "/" in name or "\\" in name or re.match(r"[A-Za-z]:", name):
        wrong = "it is a path"
    elif not name.isprintable():
        wrong = "it has a control character or one that cannot be printed"
    elif name != name.strip() or name.startswith("."):
        wrong = "it starts with a dot, or starts or ends with a space"
    elif name == Path(SHARED).name:
        wrong = "the vocabularies that models share are there"
    elif len(name.encode("utf-8", "surrogateescape")) > 200:
        wrong = "it is longer than 200 bytes"
    if wrong:
        raise ValueError(
            f"{what} {name!r:.80} cannot be the name of a folder: {wrong}; use letters, digits and hyphens"
        )


def is_browser_export(path: Path) -> bool:
    """Whether a file is a model's browser.json, or the description of its ONNX files."""
    return _has(_json(path), "format", "kind", "settings", "copies")


def is_config(path: Path) -> bool:
    """Whether a file is a model's config.json."""
    return _has(_json(path), "format", "name", "model", "train")


def is_card(path: Path) -> bool:
    """Whether a file is the card of a model, by the library in its header."""
    header = _start(path, 20_000).decode("utf-8", "replace").split("\n---\n")[0]
    return header.startswith("---\n") and '\nlibrary_name: "attn_core"' in header


def are_traces(path: Path) -> bool:
    """Whether the first line of a file other than null is a trace."""
    with suppress(OSError, ValueError, RecursionError), _opened(path) as file:
        for line in file:
            if (record := json.loads(line)) is not None:
                return _has(record, "schema", "source", "steps")
        return True
    return False


def is_table(path: Path) -> bool:
    """Whether a file is a Parquet table of traces, or a part of one."""
    return bool(table_record(path))


def table_record(path: Path) -> dict[str, Any]:
    """What the writer of a table of traces has recorded in it (cli/table.py); empty if a file is no such table."""
    with suppress(OSError, ValueError):  # errors of pyarrow are ValueErrors
        metadata = load("pyarrow.parquet").read_schema(path).metadata if what_is(path) == "a file" else None
        record = json.loads((metadata or {}).get(TABLE, b"{}"))
        return record if _has(record, "run") else {}
    return {}


def is_vocabulary(path: Path) -> bool:
    """Whether a file is one that `Tokenizer.save` wrote."""
    record = _json(path)
    return _has(record, "format") and record["format"] == "attn_core.tokenizer"


def is_state(path: Path) -> bool:
    """Whether a file is the state of a training, by the header of its file."""
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError), _opened(path) as file:
        size = int.from_bytes(file.read(8), "little")
        return size <= HEADER and "progress" in json.loads(file.read(size))["__metadata__"]
    return False


def _are_metrics(path: Path) -> bool:
    with suppress(OSError, ValueError, RecursionError), _opened(path) as file:
        return _has(json.loads(file.readline()), "epoch")
    return False


def _is_number(path: Path) -> bool:
    return re.fullmatch(rb"\d+\n", _start(path, 100)) is not None


def _is_corpus(path: Path) -> bool:
    """Whether a file is a corpus of ids: two columns with lists of whole numbers."""
    with suppress(OSError, ValueError):  # errors of pyarrow are ValueErrors
        arrow = load("pyarrow")
        with _opened(path) as file, arrow.ipc.open_stream(file) as stream:
            return stream.schema.names == ["source", "target"] and all(map(arrow.types.is_list, stream.schema.types))
    return False


# The files that a training writes before it has a state or a model, each with how it is recognised.
_OF_TRAINING: dict[str, Callable[[Path], bool]] = {
    "source.json": is_vocabulary,
    "target.json": is_vocabulary,
    "metrics.jsonl": _are_metrics,
    "snapshots.json": lambda path: _has(_json(path), "format", "updates", "snapshots"),
    "browser.json": is_browser_export,
    **dict.fromkeys(("status.json", ".status.json.new"), lambda path: _has(_json(path), "update", "updates")),
    "training.pid": _is_number,
    "model.safetensors": lambda path: False,
    "corpus/train.json": lambda path: _has(_json(path), "made_from"),
    "corpus/train.arrow": _is_corpus,
}


def check_training(folder: Path) -> None:
    """Raise Unreplaceable if a training in `folder` would replace files that no training wrote.

    Other files may be there: they stay as they are.
    """
    check_parents(folder)
    if what_is(folder) and not folder.is_dir():
        found = what_is(folder)
        leads = " that leads to no folder" if found == "a symbolic link" else ""
        raise Unreplaceable(f"folder {folder} cannot be created: {folder} is {found}{leads}")
    own = is_state(folder / STATE) or is_config(folder / CONFIG)  # then the other files are of the same training
    for name, recognise in _OF_TRAINING.items():
        path = folder / name
        if what_is(path.parent) and not path.parent.is_dir():
            raise Unreplaceable(f"{path.parent} is {what_is(path.parent)}; choose another folder for the training")
        try:
            check_file(path, recognise, force=own)
        except Unreplaceable as error:
            raise Unreplaceable(
                f"{path} is {what_is(path)} that no training wrote, and a training would replace it; choose another "
                "folder"
            ) from error


def foreign_in_model(folder: Path) -> list[str]:
    """The entries of a model's folder that no command of this package writes; all, if it holds no model."""
    if not is_config(folder / CONFIG):
        return entries_except(folder, lambda _path: False)
    exported = foreign_in_onnx(folder / ONNX) if (folder / ONNX).is_dir() else []

    def known(path: str) -> bool:
        if path.startswith(f"{ONNX}/"):
            return path.removeprefix(f"{ONNX}/") not in exported
        return _of_training(path)

    return entries_except(folder, known)


def foreign_in_onnx(folder: Path) -> list[str]:
    """The entries of a folder of ONNX files that `export` did not write; all, if it holds no such files."""
    description = folder / DESCRIPTION
    named = set(_files(_json(description))) if is_browser_export(description) else set()
    known = {DESCRIPTION, *named, *(f"{name}.data" for name in named)} if named else set()
    return entries_except(folder, lambda path: path in known)


def clear(folder: Path) -> None:
    """Remove a training from its folder, and the folder if nothing else is in it.

    The finished translations of a teacher, which may have taken hours, stay, and so do files that no training wrote.
    """
    if what_is(folder) != "a folder":
        return
    finished = any((folder / TAUGHT).glob("*.json"))  # which teacher.py writes last

    def known(path: str) -> bool:
        return _of_training(path) and not (finished and path.startswith(f"{TAUGHT}/"))

    with suppress(OSError):
        foreign = {Path(path) for path in entries_except(folder, known)}
        for path in sorted(folder.rglob("*"), reverse=True):  # the files of a folder before the folder
            below = path.relative_to(folder)
            if not foreign.isdisjoint((below, *below.parents)) or path.is_symlink():
                continue
            with suppress(OSError):  # a folder that is not empty
                path.rmdir() if path.is_dir() else path.unlink()
        folder.rmdir()


def _of_training(path: str) -> bool:
    """Whether a path in the folder of a training or a model is one that this package writes."""
    return path in MODEL_FILES | TRAINING_FILES or bool(_TEXT.fullmatch(path) or _TAUGHT.fullmatch(path))


def _files(record: Any) -> Iterator[str]:
    """The names of files in the description of ONNX files."""
    if isinstance(record, dict):
        if isinstance(name := record.get("file"), str):
            yield name
        for value in record.values():
            yield from _files(value)
    elif isinstance(record, list):
        for value in record:
            yield from _files(value)


def _start(path: Path, size: int) -> bytes:
    """The first bytes of a file; none if it cannot be read."""
    with suppress(OSError), _opened(path) as file:
        return file.read(size)
    return b""


def _opened(path: Path) -> IO[bytes]:
    """A regular file, opened. Raises OSError for anything else, such as a pipe, which would wait for ever."""
    if what_is(path) != "a file":
        raise OSError(f"{path} is not a regular file")
    return path.open("rb")


def _json(path: Path) -> Any:
    """The contents of a JSON file; None if it cannot be read."""
    with suppress(OSError, ValueError, RecursionError):
        return json.loads(path.read_bytes()) if what_is(path) == "a file" else None
    return None


def _has(record: Any, *keys: str) -> bool:
    return isinstance(record, dict) and all(key in record for key in keys)
