"""The cached calls: one model for all viewers, one decode for all who ask the same."""

import gc
import logging
import os
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from app.service.catalogue import Shipped
from app.service.decode import Answer, made, refused
from app.service.view import View

# Each viewer's run has its own thread, and each would start a pool of its own. Read once, when torch is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

_LOG = logging.getLogger(__name__)
_loaded: set[tuple[str, str]] = set()
# Every operation of a decode gives the interpreter up and asks for it back. Of several decodes at once each waits for
# all others a thousand times: 30 readers a second were then answered after 2 s instead of 0.03, and never caught up.
_decoding = threading.Lock()


def answer(model: Shipped, view: View) -> Answer:
    """The view's translation by `model`, decoded once for everybody who asks for it.

    Raises ValueError (CheckpointError) when the model's files cannot be used.
    """
    if problem := refused(view.text):
        return Answer(problem=problem)
    how = asdict(view.window) | {"attention_type": view.read, "draw": view.draw if view.read == "hard-sample" else 0}
    return _answer(str(model.folder), model.stamp, view.text, view.beam, view.replace_unk, **how)


def waits(model: Shipped) -> bool:
    """Whether the next answer has to load the model first, so that it may take a second."""
    return (str(model.folder), model.stamp) not in _loaded


def warm(model: Shipped, view: View) -> None:
    """Load the model and translate once, outside any page; a model that cannot be used is for the page to report."""
    try:
        made(load(str(model.folder), model.stamp), view.text)
    except ValueError as error:
        _LOG.warning("%s", error)


@st.cache_data(max_entries=256, show_spinner=False)
def _answer(folder: str, stamp: str, text: str, beam: int, replace_unk: bool, **how: Any) -> Answer:
    model = load(folder, stamp)
    with _decoding:
        return made(model, text, beam=beam, replace_unk=replace_unk, **how)


@st.cache_resource(max_entries=64, show_spinner=False)
def trace(folder: str, stamp: str, text: str, target: str | None = None, **options: Any) -> Any:
    """The whole record of a translation, vectors included, for everybody who asks; `options` are `translate`'s.

    With a `target` the model is made to say that; `options` are then those of `force`.
    """
    import torch

    from attn_core import force, translate

    model = load(folder, stamp)
    torch.set_num_threads(1)  # the setting is each thread's own
    with _decoding, torch.inference_mode():
        return translate(model, text, **options) if target is None else force(model, text, target, **options)


@st.cache_resource(max_entries=16, show_spinner=False)
def load(folder: str, stamp: str) -> Any:
    """The model in `folder`, one object for all viewers; `stamp` changes when its files do."""
    from attn_core.models.checkpoint import load as read

    model = read(Path(folder))
    model.source.tokens("Wärme die Moses-Regeln an.")
    gc.collect()  # what is garbage now would be kept for good by the next line
    gc.freeze()  # what a model and its library leave behind lives as long as the server; no later collection walks it
    _loaded.add((folder, stamp))
    return model
