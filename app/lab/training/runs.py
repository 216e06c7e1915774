"""The trainings that the Training page shows: recorded ones, and the folders of `runs/`, some of them in progress."""

import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError, parse_json, read_bytes
from attn_core.messages import _, visible
from attn_core.models import folders
from attn_core.training import course, in_progress
from attn_core.training.snapshots_file import FILE, is_number

EXAMPLES = Path(__file__).parent / "examples"
STATE = "state.safetensors"  # as in run_state.py, which imports torch
_LOG = logging.getLogger(__name__)
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

    The state is "recorded" (shipped), "training", "paused" (it can be resumed), "finished", "stopped", or "damaged":
    a file of it cannot be read, for the `reason`.
    """

    name: str
    folder: Path
    state: str
    reason: str | None = None

    @property
    def own(self) -> bool:
        """Whether it was started from the page, which can then pause, resume and stop it."""
        return self.folder.parent == synthetic_folder()

    @property
    def stamp(self) -> str:
        """A text that changes with the snapshots and the scores."""
        return _stamp(self.folder)

    def record(self) -> dict[str, Any]:
        """Its snapshots and curves, as JSON. Raises ValueError if a file is damaged."""
        return _record(self.folder)


def _stamp(folder: Path) -> str:
    stamps = []
    for name in (FILE, course.METRICS):
        with suppress(OSError):  # it is not there
            stamps.append(str((folder / name).stat().st_mtime_ns))
    return "-".join(stamps)


def _record(folder: Path) -> dict[str, Any]:
    record = course.read(folder, started=True)
    return {"snapshots": record.snapshots, "curves": record.curves()}


def trainings() -> dict[str, Training]:
    """All trainings by name: those in progress first, then the others of `runs/`, recorded and damaged ones."""
    all_trainings = [_training(name, folder) for name, folder in _in_runs()]
    recorded = [("recorded", folder) for folder in _with_snapshots(EXAMPLES)]
    recorded += [("shipped", folder) for folder in _with_snapshots(folders.pretrained())]
    all_trainings += [_training(f"{kind}/{folder.name}", folder, "recorded") for kind, folder in recorded]
    all_trainings.sort(key=lambda training: {"training": 0, "damaged": 2}.get(training.state, 1))
    return {training.name: training for training in all_trainings}


def _in_runs() -> Iterator[tuple[str, Path]]:
    for base, prefix in ((synthetic_folder(), f"runs/{synthetic_folder().name}"), (runs_folder(), "runs")):
        for folder in _folders(base):
            if os.path.lexists(folder / FILE) or in_progress.process(folder) is not None:
                yield f"{prefix}/{folder.name}", folder


def _with_snapshots(folder: Path) -> list[Path]:
    return [path for path in _folders(folder) if os.path.lexists(path / FILE)]


def _folders(base: Path) -> list[Path]:
    with suppress(OSError):  # it does not exist
        return sorted(path for path in base.iterdir() if path.is_dir())  # False for a loop of links
    return []


def _training(name: str, folder: Path, state: str | None = None) -> Training:
    """The training in a folder; a `state` of None is read from its files.

    Other programs write to these folders, so no content of one may hide the others.
    """
    try:
        state = state or _state(folder)
        reason = _damage(folder, _stamp(folder))
    except Exception as error:  # noqa: BLE001  the last resort of the list
        known = isinstance(error, OSError | ValueError)
        if not known:
            _LOG.exception("the training in %s cannot be read", visible(str(folder)))
        reason = _reason(error, folder) if known else _("its files cannot be read")
    if reason is not None and state != "training":
        state = "damaged"
    return Training(visible(name), folder, state or "damaged", reason)


@lru_cache(maxsize=1024)
def _damage(folder: Path, _stamp: str) -> str | None:
    """Why the snapshots and scores of a training cannot be shown; None if they can."""
    try:
        _record(folder)
    except (OSError, ValueError) as error:
        return _reason(error, folder)
    return None


def _reason(error: Exception, folder: Path) -> str:
    """The message of an error in a file of `folder`, with the name of the file alone."""
    text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    return visible(text.replace(f"{folder}{os.sep}", ""))[:200]


def state_of(folder: Path) -> str:
    """The state of the training in a folder of `runs/`, "damaged" if it cannot be read from its files."""
    try:
        return _state(folder)
    except (OSError, ValueError):
        return "damaged"


def _state(folder: Path) -> str:
    """Raises CheckpointError or OSError if the saved state or the configuration cannot be read."""
    if in_progress.process(folder) is not None:
        return "training"
    progress = _progress(folder / STATE)
    if progress is None:
        return "stopped"
    epoch, stale = (progress.get(name, 0) for name in ("epoch", "stale"))
    recipe = _recipe(folder / "config.json")
    epochs, patience = (recipe.get(name, 0) for name in ("epochs", "patience"))
    if not all(is_number(value) for value in (epoch, stale, epochs, patience)):
        raise CheckpointError(_("{file} is damaged: its counts of epochs must be numbers").format(file=folder / STATE))
    ended = bool(epochs) and (epoch >= epochs or (patience > 0 and stale >= patience))
    return "finished" if ended else "paused"


def _recipe(path: Path) -> dict[str, Any]:
    """The training recipe in a model's configuration; empty before the first epoch has ended."""
    if not os.path.lexists(path):
        return {}
    try:
        config = parse_json(read_bytes(path))
    except CheckpointError:
        raise
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: {error}") from error
    recipe = config.get("train") if isinstance(config, dict) else None
    if not isinstance(recipe, dict):
        raise CheckpointError(_("{file} is damaged: it has no object “train”").format(file=path))
    return recipe


def _progress(path: Path) -> dict[str, Any] | None:
    """The progress in a saved state, from the header of its file; None if there is none."""
    if not os.path.lexists(path):
        return None
    size = int.from_bytes(read_bytes(path, 8), "little")
    if size > LARGEST_HEADER:
        raise CheckpointError(_("{file} is damaged: it is not in the format of safetensors").format(file=path))
    try:  # the history of a training that diverged contains NaN
        header = parse_json(read_bytes(path, 8 + size)[8:], finite=False)
        progress = parse_json(header["__metadata__"]["progress"], finite=False)
    except (LookupError, TypeError):  # another program's file
        return None
    except ValueError as error:
        raise CheckpointError(_("{file} is damaged: {error}").format(file=path, error=error)) from error
    return progress if isinstance(progress, dict) else None
