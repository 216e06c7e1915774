"""A committed file of measurements, one JSON object per line, to which every run appends."""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attn_core.files import replacing

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results")  # files that git ignores


def commit() -> str:
    """The commit of this checkout, with a "+" if code differs from it; "unknown" outside of a git repository."""

    def git(*words: str) -> str:
        command = ("git", *words)
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", "*.py", "requirements.txt")
        return git("rev-parse", "--short", "HEAD") + "+" * bool(changed)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def provenance(records: Iterable[dict[str, Any]]) -> str:
    """The days on which the records were made, and their commits."""
    records = list(records)
    days = sorted({record["date"][:10] for record in records})
    commits = list(dict.fromkeys(record["commit"] for record in records))
    between = " to ".join(dict.fromkeys((days[0], days[-1])))
    return f"{between}, commit{'s' * (len(commits) > 1)} {', '.join(commits)}"


def made(record: dict[str, Any]) -> str:
    """When, on which commit and where a run was made."""
    when = record["date"][:16].replace("T", " ")
    where = f"{record['processor']}, load before {record['load_before'][0]} on {record['cores']} cores"
    return f"{when} UTC, commit {record['commit']}, {where}"


def finished(path: Path) -> list[dict[str, Any]]:
    """The records of the file; none if it does not exist."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def append(path: Path, record: dict[str, Any]) -> None:
    """Add a record to the file. If the process is killed, the file stays as it was."""
    before = path.read_text("utf-8") if path.exists() else ""
    with replacing(path) as part:
        part.write_text(before + json.dumps(record) + "\n", "utf-8")
