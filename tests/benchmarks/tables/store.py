"""Files of the tables: locks, the finished runs, and the lengths of the test sentences, which are the same for all."""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attn_core.files import replacing
from tests.benchmarks.records import append
from tests.benchmarks.tables.queue import Job, Record


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Hold a lock, which ends with this process however it ends. Raises SystemExit if another process holds it."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SystemExit(f"{lock.stem} is already running: wait for it, or stop it first") from None
        yield


def beside(runs: Path) -> Path:
    """The file with the lengths of the sentences that the runs were measured on."""
    return runs.with_suffix(".sentences.json")


def about(runs: Path) -> dict[str, Any]:
    return json.loads(beside(runs).read_text("utf-8"))


def keep_about(runs: Path, found: dict[str, Any]) -> None:
    """Write the lengths of the sentences. Raises SystemExit if the finished runs have others."""
    path = beside(runs)
    if path.exists():
        if about(runs) != found:
            raise SystemExit(f"DATA has other test sentences than the finished runs in {runs}: use the same, or --runs")
        return
    with replacing(path) as part:
        part.write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")


def collect(job: Job, work: Path, runs: Path, settings: str, known: bool) -> Record | None:
    """Append the record of a run that has ended to the finished `runs`, unless its model is `known`."""
    path = work / f"{job.name}.json"
    if not path.exists():
        return None
    record = json.loads(path.read_text("utf-8"))
    if record["settings"] == settings and not known:
        append(runs, record)
    path.unlink()
    return record
