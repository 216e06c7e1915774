"""The trained pointer networks for the Pointer page, cached and packed for the browser."""

import base64
from pathlib import Path
from typing import Any

import streamlit as st
import torch

from attn_core.messages import N_
from attn_core.models import folders
from attn_core.synthetic.pointer import load, point

Inputs = list[list[float]]
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


def model(name: str) -> Any:
    """The shipped network (a PointerNet). All visitors share it: do not change it.

    Raises CheckpointError if it is damaged or missing.
    """
    folder = folders.find(name)
    return _load(str(folder), (folder / "model.safetensors").stat().st_mtime_ns)


@st.cache_resource(max_entries=8, show_spinner=False)
def _load(folder: str, stamp: int) -> Any:
    return load(Path(folder))


def trace(name: str, inputs: Inputs, constraint: str) -> Any:
    """The Trace of the shipped network `name` on `inputs`. Raises ValueError for inputs that it cannot handle."""
    torch.set_num_threads(1)  # the setting is each thread's own
    return point(model(name), inputs, constraint=constraint)


def packed(net: Any) -> dict[str, Any]:
    """A network's weights for the browser: the shapes by name, and all numbers as float16 in base64.

    The files hold float16 too, so nothing is lost.
    """
    parts = net.state_dict()
    flat = torch.cat([part.flatten() for part in parts.values()]).half().numpy().astype("<f2")
    return {
        "shapes": {name: list(part.shape) for name, part in parts.items()},
        "half": base64.b64encode(flat.tobytes()).decode(),
    }


def sides(problem: str) -> int:
    """The number of coordinates of one input."""
    return 1 if problem == "sort" else 2


def written(inputs: Inputs) -> str:
    """Inputs as written in the address: `0.1-0.25_0.9-0.3`."""
    return "_".join("-".join(f"{value:g}" for value in one) for one in inputs)


def read(text: str, problem: str, most: int) -> Inputs | None:
    """Inputs from the address; None if they are not valid inputs."""
    try:
        found = [[float(value) for value in one.split("-")] for one in text.split("_")]
    except ValueError:
        return None
    fine = len(found) <= most and all(len(one) == sides(problem) and all(0 <= x <= 1 for x in one) for one in found)
    return found if fine else None
