"""Cached calls: each model is loaded once for all viewers, and each request decoded once."""

import logging
import os
import threading
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from app.service import first
from app.service.answer import Answer, refused
from app.service.catalogue import Shipped
from app.service.view import View
from attn_core import registry
from attn_core.messages import _, language

# Each viewer's run has its own thread, and each would start a pool of its own. Read once, when torch is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

_LOG = logging.getLogger(__name__)
_DECODE = "app.service.decode"  # its functions are loaded when they are first called: torch comes with them
_loaded: set[tuple[str, str]] = set()
# Every operation of a decode gives the interpreter up and asks for it back. Of several decodes at once each waits for
# all others a thousand times: 30 readers a second were then answered after 2 s instead of 0.03, and never caught up.
_decoding = threading.Lock()


def answer(model: Shipped, view: View) -> Answer:
    """The translation of the view by `model`: the one that ships, or one decoded once for all viewers.

    Shows a spinner while the model is loaded. Raises ValueError (CheckpointError) when the model's files cannot be
    used.
    """
    if problem := refused(view.text):
        return Answer(problem=problem)
    # The answer does not depend on the first step on show, nor on the sample's number where nothing is sampled.
    asked = replace(view, step=0, look=None, draw=view.draw if view.attention_type == "hard-sample" else 0)
    if known := first.shipped_answer(model, asked):
        return known
    with st.spinner(_("Loading the model …")) if waits(model) else nullcontext():
        return _answer(str(model.folder), model.stamp, asked, language())


def waits(model: Shipped) -> bool:
    """Whether the next answer has to load the model first, so that it may take a second."""
    return (str(model.folder), model.stamp) not in _loaded


def warm(model: Shipped, view: View) -> None:
    """Load the model and translate once, outside any page; the page itself reports a model that cannot be used."""
    try:
        registry.load(f"{_DECODE}:made")(load(str(model.folder), model.stamp), view)
    except ValueError as error:
        _LOG.warning("%s", error)


@st.cache_data(max_entries=256, show_spinner=False)
def _answer(folder: str, stamp: str, asked: View, language: str) -> Answer:
    """The answer of the model in `folder`, whose remarks are in `language`."""
    model = load(folder, stamp)
    with _decoding:
        return registry.load(f"{_DECODE}:made")(model, asked)


@st.cache_resource(max_entries=64, show_spinner=False)
def trace(folder: str, stamp: str, text: str, target: str | None = None, **options: Any) -> Any:
    """The complete trace of a translation, vectors included, cached for all viewers; `options` are `translate`'s.

    With a `target` the decoder is forced to produce it; `options` are then those of `force`.
    """
    model = load(folder, stamp)
    with _decoding:
        return registry.load(f"{_DECODE}:recorded")(model, text, target, **options)


@st.cache_resource(max_entries=16, show_spinner=False)
def load(folder: str, stamp: str) -> Any:
    """The model in `folder`, one object for all viewers; `stamp` changes when its files do."""
    model = registry.load(f"{_DECODE}:loaded")(Path(folder))
    _loaded.add((folder, stamp))
    return model
