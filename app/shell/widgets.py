"""Widgets whose values the server changes too, such as the model's name after a choice of its score function."""

from typing import Any

import streamlit as st


def key_of(name: str) -> str:
    """The key of the widget `name` as it was last drawn."""
    return f"{name}_{st.session_state.setdefault('redrawn', {}).get(name, 0)}"


def key_showing(name: str, value: Any) -> str:
    """The key with which to draw the widget `name` so that it shows `value`; a new one if the browser shows another.

    Under the old key, any message that the browser sends before it has drawn `value` would carry the old value, and
    Streamlit would take it for the reader's choice.
    """
    state = st.session_state
    if state.get(key_of(name), value) != value:
        state.redrawn[name] = state.redrawn.get(name, 0) + 1
    key = key_of(name)
    state[key] = value
    return key
