"""Tables, and the player's colours, the same for all cards."""

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from app.shell.markdown import escaped
from attn_core.messages import _
from attn_core.palette import DARK, LIGHT


def colors() -> dict[str, str]:
    """The player's colours for weight, window and score in the theme of the page."""
    theme = DARK if st.context.theme.type == "dark" else LIGHT
    return {"weight": theme["weight"], "window": theme["window"], "score": theme["grey"]}


def table(rows: Iterable[Mapping[str, Any]]) -> None:
    """Show rows of text and numbers, the latter to four decimals; column names are messages. Nothing is Markdown."""
    shown = [{escaped(name and _(name)): escaped(_exact(value)) for name, value in row.items()} for row in rows]
    st.table(shown, border="horizontal")


def _exact(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
