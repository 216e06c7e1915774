"""How every lab page begins: the question that it answers, and what to do first."""

from pathlib import Path

import streamlit as st

from attn_core.web import bundle

_HERE = Path(__file__).parent
_STYLE = f"<style>{bundle.colors('.sh')}\n{bundle.sheet(bundle.MORE)}\n{bundle.sheet(_HERE / 'lab.css')}</style>"


def head(question: str, first: str) -> None:
    """`question` in one sentence, and the first thing to do on the page in another (Markdown)."""
    st.html(_STYLE)
    with st.container(key="lab_head", gap=None):
        st.header(question, anchor=False)
        st.markdown(first)
