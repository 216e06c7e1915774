"""A file of finished trainings, one JSON object per line, to which a study of several days appends."""

import json
import subprocess
from pathlib import Path
from typing import Any

from attn_core.files import replacing

ROOT = Path(__file__).resolve().parents[2]


def commit() -> str:
    """The checkout's commit."""
    command = ("git", "rev-parse", "--short", "HEAD")
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def finished(path: Path) -> list[dict[str, Any]]:
    """The records of the file; none if it does not exist."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def append(path: Path, record: dict[str, Any]) -> None:
    """Add a record to the file. If the process is killed, the file stays as it was."""
    before = path.read_text("utf-8") if path.exists() else ""
    with replacing(path) as part:
        part.write_text(before + json.dumps(record) + "\n", "utf-8")
