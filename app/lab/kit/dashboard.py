"""Lab pages in the dashboard, from their descriptions (described.py)."""

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from app.lab.kit import show
from app.lab.kit.cards import easiest_first, show_cards
from app.lab.kit.described import LabPage, Section, Stage, data, missing_data, stages
from app.lab.kit.source import listing
from app.service.files import addresses
from app.shell.component import NOTES, NUMBERS, SHARE, component
from app.shell.frame import errors_shown, framed, notice
from attn_core.browser import bundle
from attn_core.browser.hosts import streamlit
from attn_core.messages import _
from attn_core.registry import load

_LOG = logging.getLogger(__name__)
_HERE = Path(__file__).parent
_SHELL = _HERE.parents[1] / "shell"
_STYLE = f"<style>{bundle.colors('.sh')}\n{bundle.sheet(bundle.MORE)}\n{bundle.sheet(_HERE / 'lab.css')}</style>"
_PRESENT = streamlit.component(
    "lecture",
    _SHELL / "lecture-button.js",
    '<button type="button"></button>',
    "".join(bundle.sheet(sheet) for sheet in (_SHELL / "button.css", SHARE)),
)
_NOTES = component("notes", _SHELL / "notes-page.js", NOTES)


def draw(page: LabPage) -> None:
    """Draw the page."""
    with framed(page.title):
        _head(page)
        shown = 0  # of the sections that lecture layout has, those with a stage
        for place, section in enumerate(page.sections):
            if section.dashboard:
                with errors_shown(page.title):  # a section that cannot be drawn must not hide the others
                    load(section.dashboard)()
                continue
            shown += section.stage is not None
            with st.container(key=f"part_{shown}" if section.stage else f"rest_{place}"):
                _section(section)
        if page.cards:
            show_cards([("", easiest_first(page.cards))])


def _head(page: LabPage) -> None:
    """The page's question, what to do first, and the button that begins lecture layout.

    Lecture layout shows one section with a stage at a time. A link with `?notes` shows the notes in place of the page.
    """
    question = _(page.question)
    if page.notes and "notes" in st.query_params:
        _NOTES(key="notes", data=page.notes.record(question))
        st.stop()
    st.html(_STYLE)
    with st.container(key="lab_head", gap=None):
        st.header(question, anchor=False)
        st.markdown(_(page.first))
    if page.notes:
        _PRESENT(key="lecture", data={"parts": len(stages(page))}, width="content")


def _section(section: Section) -> None:
    if section.title:
        st.subheader(_(section.title), anchor=False)
    if section.text:
        st.markdown(_(section.text))
    if section.stage:
        _stage(section.stage)
    if section.note:
        st.caption(_(section.note))
    if section.blocks:
        _blocks(section.blocks)
    for code in section.code:
        show.draw(listing(*code), code.title)


@st.fragment
def _stage(stage: Stage) -> None:
    with errors_shown(stage.name):
        try:
            stage_data = data(stage, addresses() if stage.live or stage.kind else {})
        except ValueError as error:
            _LOG.warning("%s", error)
            notice(missing_data(error))
        else:
            _component(stage)(key=stage.name, data=stage_data)


@st.fragment
def _blocks(place: str) -> None:
    with errors_shown(place):
        for number, block in enumerate(load(place)()):
            show.draw(block, f"{place}-{number}")


@cache
def _component(stage: Stage) -> Callable[..., Any]:
    return component(stage.name, stage.script, NUMBERS, *stage.style)
