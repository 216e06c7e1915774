"""The player as a Streamlit component (v2): no iframe, no messages while it plays or a slider moves.

Releasing a slider sends one message to the server; `settled` returns its settings for the next decode:

    how = settled("player", model.name)
    trace = cached_trace(model.name, sentence, **attn_core.web.how(how))
    player(trace, key="player")
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from attn_core import messages
from attn_core.trace import dump
from attn_core.web import bundle


def component(name: str, module: Path, html: str, css: str | None = None) -> Callable[..., Any]:
    """A Streamlit component with the script `module`, whose messages are in the language at the time it is drawn.

    Its `data`, a dict, arrive as JSON in bytes (`sent` in sent.js): with a dict, Streamlit looks for data frames, for
    which it imports pandas and pyarrow, a second of the first picture.
    """

    @cache
    def made(language: str) -> Callable[..., Any]:
        return st.components.v2.component(f"{language}_{name}", html=html, css=css, js=bundle.module(module))

    def draw(data: dict[str, Any] | bytes | None = None, **given: Any) -> Any:
        as_bytes = json.dumps(data).encode() if isinstance(data, dict) else data
        return made(messages.language())(data=as_bytes, **given)

    return draw


_STAGE = component("attention_player", Path(__file__).with_suffix(".js"), '<div class="ap-host"></div>', bundle.style())


def player(
    trace: Any,
    key: str = "player",
    *,
    theme: str = "auto",
    can_decode: bool = True,
    step: int = 0,
    layer: int | None = None,
    head: int | str | None = None,
    on_settle: Callable[[], None] | None = None,
) -> dict[str, Any] | None:
    """Show `trace` (a Trace or its JSON); return the settings at the last slider release, or None.

    The settings are {"model", "window", "half_width", "sigma", "linked", "centers", "as_trained", "asked"}; None if
    they were chosen for another model. `asked` numbers the requests, so releasing a slider at the same place is a new
    request, and the player learns which request `trace` answers. `theme` "auto" follows Streamlit's theme. `step` is
    the first step shown, also of a new sentence, and `layer` and `head`, from 0, the first head, or head="mean" (None:
    the head whose weights tell the steps apart best). `on_settle` is called before the script runs again.
    """
    text = trace if isinstance(trace, str) else dump(trace)
    answered = (_message(key) or {}).get("asked", 0)
    options = {
        "theme": theme,
        "canDecode": can_decode,
        "step": step,
        "layer": layer,
        "head": head,
        "answered": answered,
    }
    # Streamlit sends bytes unchanged; it would parse and serialise a dict three times.
    more = json.dumps({"options": options})
    data = f'{{"trace":{text},{more[1:]}'.encode()
    _STAGE(key=key, data=data, on_settled_change=on_settle or _nothing)
    return settled(key, json.loads(text)["model"] if isinstance(trace, str) else trace.model)


def settled(key: str, model: str) -> dict[str, Any] | None:
    """The settings at the last slider release of player `key`; None if they were chosen for another model."""
    settings = _message(key)
    return dict(settings) if settings and settings["model"] == model else None


def _message(key: str) -> dict[str, Any] | None:
    return (st.session_state.get(key) or {}).get("settled")


def _nothing() -> None:
    pass
