"""The trainings that the Training page shows: recorded ones, and the folders of `runs/`, some of them in progress."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attn_core.models import folders
from attn_core.training import course, in_progress
from attn_core.training.snapshots_file import FILE

EXAMPLES = Path(__file__).parent / "examples"
STATE = "state.safetensors"  # as in run_state.py, which imports torch
LARGEST_HEADER = 100_000_000  # bytes, the limit of safetensors


def runs_folder() -> Path:
    """The folder of the user's trainings: `runs` in the project, or the folder in ATTN_RUNS."""
    return Path(os.environ.get("ATTN_RUNS") or folders.ROOT / "runs")


def synthetic_folder() -> Path:
    """The folder of the trainings that were started from the page."""
    return runs_folder() / "synthetic"


@dataclass(frozen=True)
class Training:
    """One training: its name in the page's address, its folder, and its state.

    The state is "recorded" (shipped), "training", "paused" (it can be resumed), "finished" or "stopped".
    """

    name: str
    folder: Path
    state: str

    @property
    def own(self) -> bool:
        """Whether it was started from the page, which can then pause, resume and stop it."""
        return self.folder.parent == synthetic_folder()

    @property
    def stamp(self) -> str:
        """A text that changes with the snapshots and the scores."""
        stats = [path.stat() for name in (FILE, course.METRICS) if (path := self.folder / name).is_file()]
        return "-".join(str(stat.st_mtime_ns) for stat in stats)

    def record(self) -> dict[str, Any]:
        """Its snapshots and curves, as JSON. Raises ValueError if a file is damaged."""
        found = course.read(self.folder, started=True)
        return {"snapshots": found.snapshots, "curves": found.curves()}


def trainings() -> dict[str, Training]:
    """All trainings by name: those in progress first, then the others of `runs/`, then recorded ones."""
    found = list(_in_runs())
    found.sort(key=lambda one: one.state != "training")
    recorded = [("recorded", folder) for folder in _with_snapshots(EXAMPLES)]
    recorded += [("shipped", folder) for folder in _with_snapshots(folders.pretrained())]
    found += [Training(f"{kind}/{folder.name}", folder, "recorded") for kind, folder in recorded]
    return {one.name: one for one in found}


def _in_runs() -> Iterator[Training]:
    for base in (synthetic_folder(), runs_folder()):
        for folder in sorted(base.iterdir()) if base.is_dir() else ():
            state = state_of(folder)
            if folder.is_dir() and (state == "training" or (folder / FILE).is_file()):
                yield Training(f"runs/{folder.relative_to(runs_folder()).as_posix()}", folder, state)


def _with_snapshots(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.glob(f"*/{FILE}"))


def state_of(folder: Path) -> str:
    """The state of the training in a folder of `runs/`."""
    if in_progress.process(folder) is not None:
        return "training"
    progress = _progress(folder / STATE)
    if progress is None:
        return "stopped"
    try:
        recipe = json.loads((folder / "config.json").read_text("utf-8"))["train"]
        patience = recipe.get("patience", 0)
        ended = progress["epoch"] >= recipe["epochs"] or (patience and progress["stale"] >= patience)
    except (OSError, ValueError, KeyError, TypeError):  # no epoch has ended
        ended = False
    return "finished" if ended else "paused"


def _progress(path: Path) -> dict[str, Any] | None:
    """The progress in a saved state, from the header of its file; None if there is none."""
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > LARGEST_HEADER:
                return None
            return json.loads(json.loads(file.read(size))["__metadata__"]["progress"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
