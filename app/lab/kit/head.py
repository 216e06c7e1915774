"""The heading of a lab page, and its Present button."""

from pathlib import Path

import streamlit as st

from app.shell.component import SHARE
from attn_core.web import bundle
from attn_core.web.hosts.streamlit import component

_HERE = Path(__file__).parent
_STYLE = f"<style>{bundle.colors('.sh')}\n{bundle.sheet(bundle.MORE)}\n{bundle.sheet(_HERE / 'lab.css')}</style>"

_SHELL = _HERE.parents[1] / "shell"
_PRESENT = component(
    "lecture",
    _SHELL / "lecturebutton.js",
    '<button type="button"></button>',
    "".join(bundle.sheet(sheet) for sheet in (_SHELL / "button.css", SHARE)),
)


def head(question: str, first: str, lecture: bool = True) -> None:
    """Show the page's `question`, and in `first` what to do on the page (Markdown).

    With `lecture`, a button begins lecture layout.
    """
    st.html(_STYLE)
    with st.container(key="lab_head", gap=None):
        st.header(question, anchor=False)
        st.markdown(first)
    if lecture:
        _PRESENT(key="lecture", width="content")
