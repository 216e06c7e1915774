"""The course of a training: its losses and scores by update, read from its folder. Does not import torch."""

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attn_core.files import CheckpointError, parse_json, read_bytes
from attn_core.training.snapshots_file import FILE, damaged, is_number, is_update, known_fields

METRICS = "metrics.jsonl"  # a line of scores per epoch
SHARES = ("exact", "alignment")  # scores of synthetic tasks from 0 to 1
CURVES = ("train_loss", "perplexity", "bleu", *SHARES)  # numbers, or null

Points = list[tuple[float, float | None]]  # (update, value); the value is None where training had diverged


@dataclass(frozen=True)
class Course:
    """A training's snapshots (see snapshots.py; None if there are none) and the lines of its metrics.jsonl.

    Its curves are points over updates, counted from 1. Without snapshots the number of updates in an epoch is not
    recorded, and the curves are over epochs.
    """

    snapshots: dict[str, Any] | None
    epochs: list[dict[str, Any]]

    @property
    def per_epoch(self) -> int:
        """The number of updates in an epoch; 1 without snapshots."""
        return self.snapshots["per_epoch"] if self.snapshots else 1

    def training(self) -> Points:
        """Training loss in nats per word; without snapshots its mean over each epoch."""
        if self.snapshots:
            return [(update, loss) for update, loss in self.snapshots["losses"]]
        return self.by_epoch("train_loss")

    def validation(self) -> Points:
        """Validation loss in nats per word: the logarithm of the perplexity."""
        return [(update, None if value is None else math.log(value)) for update, value in self.by_epoch("perplexity")]

    def scores(self) -> dict[str, Points]:
        """The validation scores in percent, by name: "bleu", and "exact" and "alignment" of synthetic tasks."""
        shares = {
            name: [(update, None if value is None else 100 * value) for update, value in self.by_epoch(name)]
            for name in SHARES
        }
        return {name: points for name, points in ({"bleu": self.by_epoch("bleu")} | shares).items() if points}

    def largest_weights(self) -> Points:
        """The largest attention weight of a target word in percent, averaged over all words of each snapshot."""
        points: Points = []
        for snapshot in self.snapshots["snapshots"] if self.snapshots else []:
            rows = [row for sentence in snapshot["sentences"] for row in sentence["weights"] if row]
            if rows:
                points.append((snapshot["update"], _mean_largest(rows)))
        return points

    def by_epoch(self, name: str) -> Points:
        """The field `name` of the metrics, at the last update of each epoch that has it."""
        return [(line["epoch"] * self.per_epoch, line[name]) for line in self.epochs if name in line]

    def curves(self) -> dict[str, Any]:
        """All curves, as JSON for the Training page."""
        return {
            "training": self.training(),
            "validation": self.validation(),
            "bleu": self.by_epoch("bleu"),
            "largest_weights": self.largest_weights(),
        }


def read(folder: str | Path, started: bool = False) -> Course:
    """The course of the training that writes to `folder`.

    Raises CheckpointError for a damaged file, and for a folder without the scores of an epoch; a training that has only
    `started` may lack them.
    """
    folder = Path(folder)
    snapshots = _snapshots(folder / FILE) if os.path.lexists(folder / FILE) else None
    path = folder / METRICS
    epochs = list(_lines(path)) if os.path.lexists(path) else []
    if not epochs and not started:
        raise CheckpointError(f"{folder} has no {METRICS} with the scores of an epoch: give the folder of a training")
    return Course(snapshots, epochs)


def _snapshots(path: Path) -> dict[str, Any]:
    """The contents of a snapshots file. Raises CheckpointError for a damaged one."""
    text = read_bytes(path)
    try:
        document = parse_json(text)
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: {error}") from error
    if reason := damaged(document):
        raise CheckpointError(f"{path} is damaged: {reason}")
    return known_fields(document)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a metrics file. Raises CheckpointError for a damaged one."""
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        try:
            scores = parse_json(line, finite=False)
        except ValueError:
            scores = None
        if not (isinstance(scores, dict) and is_update(scores.get("epoch"))):
            raise CheckpointError(f"{path} is damaged: line {number} is not a JSON object with an epoch")
        for name in CURVES:
            value = scores.get(name)
            if not (value is None or is_number(value)) or (name == "perplexity" and value is not None and value <= 0):
                raise CheckpointError(f"{path} is damaged: line {number} has {name} {value!r:.60}")
        yield scores


def _mean_largest(rows: list[list[float | None]]) -> float | None:
    weights = [[weight for weight in row if weight is not None] for row in rows]
    if any(len(numbers) < len(row) for numbers, row in zip(weights, rows, strict=True)):
        return None
    return 100 * sum(map(max, weights)) / len(rows)
