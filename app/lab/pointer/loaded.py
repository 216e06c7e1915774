"""The trained pointer networks for the evidence of cards; each is loaded once for all visitors."""

from pathlib import Path
from typing import Any

import streamlit as st
import torch

from app.lab.pointer.networks import Inputs
from attn_core.models import folders
from attn_core.synthetic.pointer import load, point


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
