"""For tests of trainings: the files of a small one, written by hand, and the losses of one that runs.

The small one has seven updates per epoch, two epochs and two sentences.
"""

import json
import math
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attn_core.training.course import METRICS
from attn_core.training.snapshots_file import FILE, FORMAT
from attn_core.training.task import Event

SNAPSHOTS: dict[str, Any] = {
    "format": FORMAT,
    "updates": 14,
    "per_epoch": 7,
    "sentences": [{"source": ["a", "b"], "target": ["c", "</s>"]}, {"source": ["d"], "target": ["</s>"]}],
    "losses": [[1, 3], [7, None], [14, 0.5]],
    "snapshots": [
        {"update": 1, "sentences": [{"weights": [[0.5, 0.5], [0.25, 0.75]]}, {"weights": [[1]]}]},
        {"update": 7, "sentences": [{"weights": [[1, 0], [None, None]]}, {"weights": [[1]]}]},
    ],
}
LINES: list[dict[str, Any]] = [
    {"epoch": 1, "perplexity": math.exp(2), "bleu": 10.5, "train_loss": 1.5},
    {"epoch": 2, "perplexity": None, "bleu": 40, "train_loss": 0.25, "exact": 0.25},
]


def loss_collector(losses: list[float], stop_at: int | None = None) -> Callable[..., None]:
    """A callback that adds the loss of each update to `losses`, and sends Ctrl-C during the update `stop_at`."""

    def on_event(event: Event, *_model: object) -> None:
        if event.scores is None:
            losses.append(event.loss)
            if event.progress.updates == stop_at:
                os.kill(os.getpid(), signal.SIGINT)

    return on_event


def training(folder: Path, snapshots: dict[str, Any] | None = SNAPSHOTS, lines: list[dict[str, Any]] = LINES) -> Path:
    """The folder with its metrics and, unless they are None, its snapshots."""
    if snapshots is not None:
        (folder / FILE).write_text(json.dumps(snapshots), "utf-8")
    (folder / METRICS).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return folder
