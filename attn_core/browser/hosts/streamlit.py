"""The player of a recorded trace as a Streamlit component (v2): no iframe, and no messages."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from attn_core import messages
from attn_core.browser import bundle
from attn_core.export import facts
from attn_core.trace import dump


def component(name: str, module: Path, html: str, css: str | None = None) -> Callable[..., Any]:
    """A Streamlit component with the script `module`, whose messages are in the language at the time it is drawn.

    Its `data`, a dict, arrive as JSON in bytes (`readData` in component-data.js): with a dict, Streamlit looks for data
    frames, for which it imports pandas and pyarrow, a second of the first picture.
    """

    @cache
    def in_language(language: str) -> Callable[..., Any]:
        return st.components.v2.component(f"{language}_{name}", html=html, css=css, js=bundle.module(module))

    def draw(data: dict[str, Any] | bytes | None = None, **options: Any) -> Any:
        as_bytes = json.dumps(data).encode() if isinstance(data, dict) else data
        return in_language(messages.language())(data=as_bytes, **options)

    return draw


_PLAYER = component(
    "attention_player", Path(__file__).with_suffix(".js"), '<div class="ap-host"></div>', bundle.style()
)


def player(
    trace: Any,
    key: str = "player",
    *,
    theme: str = "auto",
    step: int = 0,
    layer: int | None = None,
    head: int | str | None = None,
) -> None:
    """Show `trace`, a Trace or its JSON.

    `theme` "auto" follows Streamlit's theme. `step` is the first step shown, also of a new sentence, and `layer` and
    `head`, from 0, the first head, or head="mean" (None: the head whose weights tell the steps apart best).
    """
    text = trace if isinstance(trace, str) else dump(trace)
    settings = json.loads(text)["settings"] if isinstance(trace, str) else trace.settings
    options = {"theme": theme, "step": step, "layer": layer, "head": head} | facts.of_trace(settings)
    # Streamlit sends bytes unchanged; it would parse and serialise a dict three times.
    more = json.dumps({"options": options})
    _PLAYER(key=key, data=f'{{"trace":{text},{more[1:]}'.encode())
