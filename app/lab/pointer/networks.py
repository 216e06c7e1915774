"""The trained pointer networks as the Pointer page uses them: loaded once, and as the browser is given them."""

import base64
from pathlib import Path
from typing import Any

import streamlit as st
import torch

from attn_core import files
from attn_core.synthetic.pointer import load, point

Inputs = list[list[float]]
OUTPUTS = {"pointer": "pointer network", "vocabulary": "plain attention"}  # of networks, in words


def models(output: str = "pointer") -> dict[str, str]:
    """The shipped networks with one kind of output by problem: `{"hull": "pointer-hull", ...}`, read without torch."""
    found: dict[str, str] = {}
    for name in files.shipped("pointer"):
        config = about(name)["model"]
        if config["output"] == output:
            found.setdefault(config["problem"], name)
    return found


def about(name: str) -> dict[str, Any]:
    """config.json of a pointer network. Raises CheckpointError when it is damaged or not there."""
    return files.read_record(files.find(name), "pointer")


def accuracies(name: str) -> dict[int, float | None]:
    """Share of right answers by number of inputs, as the model's card has it; None for a number that it cannot have."""
    return {row["n"]: row["accuracy"] for row in about(name)["about"].get("test", {}).get("rows", [])}


def model(name: str) -> Any:
    """The shipped network (a PointerNet); it is everybody's, so nothing on it may be changed.

    Raises CheckpointError when it is damaged or not there.
    """
    folder = files.find(name)
    return _load(str(folder), (folder / "model.safetensors").stat().st_mtime_ns)


@st.cache_resource(max_entries=8, show_spinner=False)
def _load(folder: str, stamp: int) -> Any:
    return load(Path(folder))


def trace(name: str, inputs: Inputs, constraint: str) -> Any:
    """What the shipped network `name` points at, as a Trace. Raises ValueError for inputs that it cannot have."""
    torch.set_num_threads(1)  # the setting is each thread's own
    return point(model(name), inputs, constraint=constraint)


def packed(net: Any) -> dict[str, Any]:
    """A network's weights for the browser: the shapes by name, and all numbers as float16, as its file holds them.

    What is loaded from a file of float16 loses nothing.
    """
    parts = net.state_dict()
    flat = torch.cat([part.flatten() for part in parts.values()]).half().numpy().astype("<f2")
    return {
        "shapes": {name: list(part.shape) for name, part in parts.items()},
        "half": base64.b64encode(flat.tobytes()).decode(),
    }


def sides(problem: str) -> int:
    """How many numbers one input has."""
    return 1 if problem == "sort" else 2


def written(inputs: Inputs) -> str:
    """Inputs as they stand in the address: `0.1-0.25_0.9-0.3`."""
    return "_".join("-".join(f"{value:g}" for value in one) for one in inputs)


def read(text: str, problem: str, most: int) -> Inputs | None:
    """Inputs from the address; None for what nobody could have drawn."""
    try:
        found = [[float(value) for value in one.split("-")] for one in text.split("_")]
    except ValueError:
        return None
    fine = len(found) <= most and all(len(one) == sides(problem) and all(0 <= x <= 1 for x in one) for one in found)
    return found if fine else None
