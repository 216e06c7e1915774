"""The name and the format of the file of a run's snapshots. Does not import torch, so that a page can read it."""

import math
from typing import Any

FILE = "snapshots.json"
FORMAT = 1


def damaged(document: Any) -> str | None:
    """What is wrong with the contents of a snapshots file; None if they can be shown."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return f"expected format {FORMAT}"
    try:
        sizes = [(len(one["target"]), len(one["source"])) for one in document["sentences"]]
        for snapshot in document["snapshots"]:
            shapes = [[len(row) for row in one["weights"]] for one in snapshot["sentences"]]
            if shapes != [[source] * target for target, source in sizes]:
                return f"the weights of update {snapshot['update']} do not fit the sentences"
        losses, _ = document["losses"], (document["updates"], document["per_epoch"])
    except (KeyError, TypeError, AttributeError) as error:
        return f"{error!r:.60}"
    if not isinstance(losses, list):
        return "losses must be a list"
    if wrong := [one for one in losses if not _is_point(one)]:
        return f"losses must hold pairs of an update and a loss, not {wrong[0]!r:.60}"
    return None


def _is_point(value: Any) -> bool:
    """Whether a value of JSON is a pair of an update and a loss, which is None where training had diverged."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    update, loss = value
    return is_number(update) and update >= 0 and (loss is None or is_number(loss))


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a finite number. A loss of REINFORCE may be below 0."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
