"""Cached calls: each model is loaded once for all viewers, and each request decoded once."""

import os
import threading
from pathlib import Path
from typing import Any

import streamlit as st

from app.service.catalogue import Shipped
from app.service.request import Request
from attn_core import registry
from attn_core.training.speed.cpu_tuning import check_thread_count

check_thread_count()
# Each viewer's run has its own thread, and each would start a pool of its own. Read once, when torch is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

_DECODE = "app.service.decode"  # its functions are loaded when they are first called: torch comes with them
# Every operation of a decode gives the interpreter up and asks for it back. Of several decodes at once each waits for
# all others a thousand times: 30 readers a second were then answered after 2 s instead of 0.03, and never caught up.
_decoding = threading.Lock()


def answer(model: Shipped, request: Request) -> dict[str, Any]:
    """The answer of `model` (decode.translate_request), decoded once for all viewers.

    Raises ValueError (CheckpointError) when the model's files cannot be used, or for settings that it cannot have.
    """
    return _answer(str(model.folder), model.stamp, request)


@st.cache_data(max_entries=256, show_spinner=False)
def _answer(folder: str, stamp: str, request: Request) -> dict[str, Any]:
    model = load(folder, stamp)
    with _decoding:
        return registry.load(f"{_DECODE}:translate_request")(model, request)


@st.cache_resource(max_entries=64, show_spinner=False)
def trace(folder: str, stamp: str, text: str, target: str | None = None, **options: Any) -> Any:
    """The complete trace of a translation, vectors included, cached for all viewers; `options` are `translate`'s.

    With a `target` the decoder is forced to produce it; `options` are then those of `force`.
    """
    model = load(folder, stamp)
    with _decoding:
        return registry.load(f"{_DECODE}:full_trace")(model, text, target, **options)


@st.cache_resource(max_entries=16, show_spinner=False)
def load(folder: str, stamp: str) -> Any:
    """The model in `folder`, one object for all viewers; `stamp` changes when its files do."""
    return registry.load(f"{_DECODE}:load_model")(Path(folder))
