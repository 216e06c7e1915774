"""The heading of a lab page."""

from pathlib import Path

import streamlit as st

from attn_core.web import bundle

_HERE = Path(__file__).parent
_STYLE = f"<style>{bundle.colors('.sh')}\n{bundle.sheet(bundle.MORE)}\n{bundle.sheet(_HERE / 'lab.css')}</style>"


def head(question: str, first: str) -> None:
    """Show the page's `question`, and in `first` what to do on the page (Markdown)."""
    st.html(_STYLE)
    with st.container(key="lab_head", gap=None):
        st.header(question, anchor=False)
        st.markdown(first)
