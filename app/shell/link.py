"""The address of the view, step included: kept in the browser's address bar, and copied on request."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from attn_core.web.hosts.streamlit import component

_HERE = Path(__file__).parent
_ICON = (
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12.4 6"/>'
    '<path d="M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1.2-1.3"/></svg>'
)
_KEEP = component("view_link", _HERE / "viewlink.js", "<span></span>")
_COPY = component(
    "copy_link",
    _HERE / "copy.js",
    f'<button type="button">{_ICON}<span></span></button>',
    (_HERE / "copy.css").read_text("utf-8"),
)


def keep_address(query: str, same: str, step: int, look: str | None, on_return: Callable[[str], None]) -> None:
    """Keep `query` in the address bar, together with the step, and the layer and head, on show in the player.

    These start at `step` and `look`, again whenever `same` changes. The component is invisible. It sends a message to
    the server only when the browser goes back or forward to another view of this page; `on_return` gets its query.
    """

    def returned() -> None:
        if went := _went():
            on_return(went["query"])

    data = {"query": query, "view": same, "step": step, "look": look, "went": (_went() or {}).get("asked", 0)}
    with st.container(key="address"):
        _KEEP(key="link", data=data, on_went_change=returned)


def _went() -> dict[str, Any] | None:
    return (st.session_state.get("link") or {}).get("went")


def copy_button(key: str = "copy") -> None:
    """A button that copies the address of the current view; each button of a page needs its own `key`."""
    _COPY(key=key, width="content")
