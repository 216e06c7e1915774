"""The name and the format of the file of a run's snapshots. Does not import torch, so that a page can read it."""

import sys
from typing import Any

FILE = "snapshots.json"
FORMAT = 1


_NUMBERS = "weights", "log_probs", "centers"  # fields of a sentence in a snapshot
MOST_UPDATES = 10**12  # far more than any training makes


def damaged(document: Any) -> str | None:
    """What is wrong with the contents of a snapshots file; None if they can be shown."""
    try:
        _check(document)
    except (_Damage, KeyError, TypeError, AttributeError, ValueError) as error:
        return str(error) if isinstance(error, _Damage) else f"{error!r:.60}"
    return None


def known_fields(document: dict[str, Any]) -> dict[str, Any]:
    """The contents of a snapshots file that is not damaged, without fields of other programs, which nobody checks."""
    return _only(document, "format", "updates", "per_epoch", "losses") | {
        "sentences": [_only(pair, "source", "target") for pair in document["sentences"]],
        "snapshots": [
            {"update": taken["update"], "sentences": [_only(pair, *_NUMBERS) for pair in taken["sentences"]]}
            for taken in document["snapshots"]
        ],
    }


def _only(record: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: record[name] for name in names if name in record}


class _Damage(ValueError):
    """A field has a value that cannot be shown; the message names it."""


def _check(document: Any) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _Damage(f"expected format {FORMAT}")
    for name in ("updates", "per_epoch"):
        if not is_update(document[name]):
            raise _Damage(f"{name} must be a whole number above 0, not {document[name]!r:.60}")
    for sentence in _listed(document, "sentences"):
        for name in ("source", "target"):
            if not all(isinstance(word, str) for word in _listed(sentence, name)):
                raise _Damage(f"the {name} of a sentence must be a list of words")
    sizes = [(len(pair["target"]), len(pair["source"])) for pair in document["sentences"]]
    for snapshot in _listed(document, "snapshots"):
        if not is_update(snapshot["update"]):
            raise _Damage(f"update must be a whole number above 0, not {snapshot['update']!r:.60}")
        shapes = [[len(row) for row in pair["weights"]] for pair in _listed(snapshot, "sentences")]
        if shapes != [[source] * target for target, source in sizes]:
            raise _Damage(f"the weights of update {snapshot['update']} do not fit the sentences")
        for pair, (target, _) in zip(snapshot["sentences"], sizes, strict=True):
            _check_numbers(pair, target, snapshot["update"])
    losses = document["losses"]
    if not isinstance(losses, list):
        raise _Damage("losses must be a list")
    if wrong := [point for point in losses if not _is_point(point)]:
        raise _Damage(f"losses must hold pairs of an update and a loss, not {wrong[0]!r:.60}")


def _check_numbers(sentence: dict[str, Any], target: int, update: int) -> None:
    """Raise _Damage unless a sentence of a snapshot has numbers, or nulls, for its `target` words."""
    columns = {name: sentence[name] for name in _NUMBERS if sentence.get(name) is not None}
    columns["weights"] = [weight for row in sentence["weights"] for weight in row]
    for name, values in columns.items():
        fits = isinstance(values, list) and (name == "weights" or len(values) == target)
        if not fits or not all(value is None or is_number(value) for value in values):
            raise _Damage(f"the {name} of update {update} must be numbers, one for each word")


def _listed(record: dict[str, Any], name: str) -> list[Any]:
    if not isinstance(record[name], list):
        raise _Damage(f"{name} must be a list, not {record[name]!r:.60}")
    return record[name]


def _is_point(value: Any) -> bool:
    """Whether a value of JSON is a pair of an update and a loss, which is None where training had diverged."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    update, loss = value
    return is_number(update) and update >= 0 and (loss is None or is_number(loss))


def is_update(value: Any) -> bool:
    """Whether a value of JSON can be a number of updates or epochs, counted from 1."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_UPDATES


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a number that a float can hold. A loss of REINFORCE may be below 0."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
