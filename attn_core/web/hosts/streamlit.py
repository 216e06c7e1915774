"""The player as a Streamlit component (v2): no iframe, no message while it plays or a slider moves.

One message goes to the server when a slider is let go; read it before the next decode with `settled`:

    how = settled("player", model.name)
    trace = cached_trace(model.name, sentence, **attn_core.web.how(how))
    player(trace, key="player")
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from attn_core.trace import dump
from attn_core.web import bundle

_STAGE = st.components.v2.component(
    "attention_player",
    html='<div class="ap-host"></div>',
    css=bundle.style(),
    js=bundle.module(Path(__file__).with_suffix(".js")),
)


def player(
    trace: Any,
    key: str = "player",
    *,
    theme: str = "auto",
    can_decode: bool = True,
    step: int = 0,
    look: str | None = None,
    on_settle: Callable[[], None] | None = None,
) -> dict[str, Any] | None:
    """Show `trace` (a Trace or its JSON); return the settings at which a slider was last let go, or None.

    The settings are {"model", "window", "half_width", "sigma", "linked", "as_trained", "asked"}; None when they were
    chosen on another model. `asked` is never the same twice: letting go where one has let go before asks again, and
    the player is told which question `trace` answers. `theme` "auto" follows Streamlit's. `step` is where a reader
    starts, and `look` the layer and head that are shown first, such as "2.3" (None: the mean of all looks); a sentence
    that differs from the last one starts at its first step. `on_settle` is called before the script
    runs again.
    """
    text = trace if isinstance(trace, str) else dump(trace)
    answered = (_said(key) or {}).get("asked", 0)
    options = {"theme": theme, "canDecode": can_decode, "step": step, "look": look, "answered": answered}
    # Bytes travel as they are; a dict would be parsed and written three times on the way.
    data = f'{{"trace":{text},"options":{json.dumps(options)}}}'.encode()
    _STAGE(key=key, data=data, on_settled_change=on_settle or _nothing)
    return settled(key, json.loads(text)["model"] if isinstance(trace, str) else trace.model)


def settled(key: str, model: str) -> dict[str, Any] | None:
    """The settings at which a slider of player `key` was last let go, None when it was not on `model`."""
    settings = _said(key)
    return dict(settings) if settings and settings["model"] == model else None


def _said(key: str) -> dict[str, Any] | None:
    return (st.session_state.get(key) or {}).get("settled")


def _nothing() -> None:
    pass
