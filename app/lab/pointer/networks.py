"""What the Pointer page shows of the trained pointer networks: their names, settings and accuracies, without torch."""

from typing import Any

from attn_core.messages import N_
from attn_core.models import folders

Inputs = list[list[float]]
TASKS = {"hull": N_("Convex hull"), "sort": N_("Sort numbers")}  # by problem
# By constraint (pointer.CONSTRAINTS), the default first.
RULES = {"none": N_("any input"), "distinct": N_("each at most once"), "permutation": N_("each exactly once")}
OUTPUTS = {"pointer": N_("pointer network"), "vocabulary": N_("plain attention")}  # of networks, in words


def models(output: str = "pointer") -> dict[str, str]:
    """The shipped networks with one kind of output, by problem: `{"hull": "pointer-hull", ...}`."""
    found: dict[str, str] = {}
    for name in folders.shipped("pointer"):
        config = about(name)["model"]
        if config["output"] == output:
            found.setdefault(config["problem"], name)
    return found


def about(name: str) -> dict[str, Any]:
    """config.json of a pointer network. Raises CheckpointError if it is damaged or missing."""
    return folders.read_record(folders.find(name), "pointer")


def accuracies(name: str) -> dict[int, float | None]:
    """Accuracy by number of inputs, from the model card; None for a number that the model cannot handle."""
    return {row["n"]: row["accuracy"] for row in about(name)["about"].get("test", {}).get("rows", [])}
