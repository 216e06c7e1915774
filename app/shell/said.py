"""The sentence that a reader typed or chose on one page, for the next page; one for each source language."""

import streamlit as st


def say(text: str, language: str = "de") -> None:
    """Remember `text` for all pages of this visit."""
    st.session_state.setdefault("said", {})[language] = text


def said(language: str = "de") -> str | None:
    """What the reader said last; None before that."""
    return st.session_state.get("said", {}).get(language)
