"""The name and the format of the file of a run's snapshots. Does not import torch, so that a page can read it."""

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
        lists = document["losses"], document["updates"], document["per_epoch"]
    except (KeyError, TypeError, AttributeError) as error:
        return f"{error!r:.60}"
    return None if isinstance(lists[0], list) else "losses must be a list"
