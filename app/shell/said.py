"""The sentence typed or chosen on one page, carried over to the next; one per source language."""

import streamlit as st


def say(text: str, language: str = "de") -> None:
    """Remember `text` for all pages of this visit."""
    st.session_state.setdefault("said", {})[language] = text


def said(language: str = "de") -> str | None:
    """The last sentence, None before the first."""
    return st.session_state.get("said", {}).get(language)
