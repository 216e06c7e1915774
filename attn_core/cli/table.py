"""The Parquet table that `translate --table` writes: traces in row groups, which an interrupted run keeps.

A Parquet file has its index at its end, so a file whose writing was interrupted cannot be read or continued. Each
group of lines is therefore a file of its own in the folder FILE.parts, renamed when it is complete; at the end they are
joined as the row groups of FILE, and the folder is removed. At most one group is in memory. The same command, run
again, computes the groups that are missing. Each part records its run (model, weights, settings, options) and a digest
of its lines, so that parts of another run are never mixed in; the table has the same record.

The columns are `line` (its index in the input, from 0), `text`, `translation` and those of attn_core.trace.table.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from attn_core.decoding.translate import text_of
from attn_core.files import Unreplaceable, check_file, entries_except, replacing, what_is
from attn_core.messages import print_message
from attn_core.models.own_files import TABLE, is_table, table_record
from attn_core.models.translator import Translator
from attn_core.trace import Trace
from attn_core.trace.table import table

GROUP = 256  # lines of a row group
FORMAT = 1  # of the record

Translate = Callable[[Sequence[str], int], Sequence[Trace | None]]  # lines and the index of the first


def run_of(view: Translator, **options: Any) -> dict[str, Any]:
    """What the traces of a text depend on, as JSON: a table of another run is not continued."""
    run = {"format": FORMAT, "model": view.name, "weights": _digest_of(view), "settings": view.settings} | options
    return json.loads(json.dumps(run))


def write_table(
    path: Path,
    lines: Iterable[str],
    view: Translator,
    run: dict[str, Any],
    translate: Translate,
    tokenized: bool = False,
    force: bool = False,
) -> int:
    """Write the traces of `lines` to a table at `path`; returns the number of lines.

    Raises Unreplaceable if `path` or its folder of parts is another file, or of another run; `force` replaces a file.
    """
    check_file(path, is_table, force)
    finished = {} if force else table_record(path)
    if finished:
        _check_run(path, finished["run"], run)
    parts = _Parts(path, run)
    number, digests = 0, list[str]()
    for group in _groups(lines):
        digest = sha256("\n".join(group).encode()).hexdigest()[:16]
        if finished:
            _check_lines(path, digest, finished["groups"][len(digests) :], number)
        elif not parts.has(len(digests), digest, number):
            parts.write(len(digests), digest, _table_of(group, number, translate(group, number), view, tokenized))
        digests.append(digest)
        number += len(group)
    if finished:
        _check_lines(path, None, finished["groups"][len(digests) :], number)
        print_message(f"{path} has the traces of all {number:,} lines already")
    else:
        parts.join(len(digests), {"run": run, "groups": digests})
    return number


class _Parts:
    """The folder of a table's complete groups."""

    def __init__(self, path: Path, run: dict[str, Any]):
        self.path, self.run = path, run
        self.folder = path.with_name(f"{path.name}.parts")
        found = what_is(self.folder)
        if found not in ("", "a folder"):
            raise Unreplaceable(f"{self.folder} is {found}, where the parts of {path} would be; choose another file")
        if found and (foreign := entries_except(self.folder, self._is_part)):
            raise Unreplaceable(f"{self.folder} contains {foreign[0]}, which this command did not write; move it away")

    def has(self, number: int, digest: str, line: int) -> bool:
        """Whether the group `number`, which begins at `line`, is complete. Raises Unreplaceable for another run."""
        record = table_record(self._file(number))
        if not record:
            return False
        _check_run(self.folder, record["run"], self.run)
        _check_lines(self.folder, digest, record["groups"], line)
        return True

    def write(self, number: int, digest: str, group: pa.Table) -> None:
        with replacing(self._file(number)) as part:
            pq.write_table(_recorded(group, {"run": self.run, "groups": [digest]}), part, compression="zstd")

    def join(self, count: int, record: dict[str, Any]) -> None:
        """Write the table from its parts, and remove them."""
        files = [self._file(number) for number in range(count)]
        schema = pq.read_schema(files[0]) if files else _table_of([], 0, [], None).schema
        schema = schema.with_metadata({TABLE: json.dumps(record).encode()})
        with replacing(self.path) as whole, pq.ParquetWriter(whole, schema, compression="zstd") as writer:
            for file in files:
                writer.write_table(pq.read_table(file).replace_schema_metadata(schema.metadata))
        for file in self.folder.glob("*.parquet") if files else ():
            file.unlink()
        with suppress(OSError):  # a file of others, or no folder
            self.folder.rmdir()

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:06}.parquet"

    def _is_part(self, name: str) -> bool:
        return name.endswith(".parquet") and is_table(self.folder / name)


def _table_of(
    lines: Sequence[str], first: int, traces: Sequence[Trace | None], view: Translator | None, tokenized: bool = False
) -> pa.Table:
    written = [text_of(view, trace, tokenized) if view and trace else "" for trace in traces]
    numbers = pa.array(range(first, first + len(lines)), pa.int64())
    texts = {"text": pa.array(lines, pa.string()), "translation": pa.array(written, pa.string())}
    return table(traces, {"line": numbers, **texts})


def _recorded(group: pa.Table, record: dict[str, Any]) -> pa.Table:
    return group.replace_schema_metadata({TABLE: json.dumps(record).encode()})


def _groups(lines: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(lines)
    while group := list(islice(rest, GROUP)):
        yield group


def _check_run(path: Path, there: dict[str, Any], here: dict[str, Any]) -> None:
    """Raise Unreplaceable, with the first difference, if a table or its parts are of another run."""
    for name in dict.fromkeys(chain(here, there)):
        old, new = there.get(name), here.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            name = next(key for key in dict.fromkeys(chain(new, old)) if old.get(key) != new.get(key))
            old, new = old.get(name), new.get(name)
        how = "" if name == "weights" else f" ({old} instead of {new})"
        raise _another(path, f"with another {name.replace('_', ' ')}{how}")


def _check_lines(path: Path, digest: str | None, there: Sequence[str], line: int) -> None:
    """Raise Unreplaceable unless the group that begins at `line` is the next one `there`; None: there is no line."""
    if digest != next(iter(there), None):
        raise _another(path, f"of another text (from line {line + 1} on)")


def _another(path: Path, how: str) -> Unreplaceable:
    unfinished = path.suffix == ".parts"
    advice = "delete that folder" if unfinished else "replace it with --force"
    return Unreplaceable(f"{path} has traces of another run, {how}; choose another file, or {advice}")


def _digest_of(view: Translator) -> str:
    """A digest of the weights of a model, or of all members of an ensemble."""
    found = sha256()
    for name, values in sorted(view.state_dict().items()):
        found.update(name.encode())
        found.update(values.cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return found.hexdigest()[:16]
