"""The heading of a lab page, and its Present button."""

from pathlib import Path

import streamlit as st

from app.shell.component import NOTES, SHARE
from app.shell.component import component as stage
from app.shell.notes import Notes
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


_NOTES = stage("notes", _SHELL / "notespage.js", NOTES)


def head(question: str, first: str, notes: Notes | None = None, parts: int = 0) -> None:
    """Show the page's `question`, and in `first` what to do on the page (Markdown).

    A page with speaker's `notes` has a button that begins lecture layout, which shows one of its `parts`, sections with
    a stage, at a time. A link with `?notes` shows the notes in place of the page.
    """
    if notes and "notes" in st.query_params:
        _NOTES(key="notes", data=notes.record(question))
        st.stop()
    st.html(_STYLE)
    with st.container(key="lab_head", gap=None):
        st.header(question, anchor=False)
        st.markdown(first)
    if notes:
        _PRESENT(key="lecture", data={"parts": parts}, width="content")
