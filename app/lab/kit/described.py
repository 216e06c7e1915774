"""Descriptions of lab pages, from which both the dashboard (`draw`) and the site (app/site/lab.py) make the page."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from app.lab.kit.cards import Card, deck
from app.lab.kit.component import component
from app.lab.kit.head import head
from app.shell.frame import framed
from attn_core.messages import _


@dataclass(frozen=True)
class Stage:
    """An interactive part, drawn in the browser: the ES module and the style sheet of a Streamlit component."""

    name: str
    module: Path
    sheet: Path
    data: Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class Section:
    """A stage below a title and a text, both of which may be missing. Texts are Markdown with formulas."""

    stage: Stage
    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class LabPage:
    """A page: its title in the menu, its question, what to do first, its sections and its quiz cards."""

    title: str
    question: str
    first: str
    sections: tuple[Section, ...]
    cards: tuple[Card, ...]


def draw(page: LabPage) -> None:
    """Draw the page in the dashboard."""
    with framed(page.title):
        head(_(page.question), _(page.first))
        for section in page.sections:
            if section.title:
                st.subheader(_(section.title), anchor=False)
                st.markdown(_(section.text))
            _component(section.stage)(key=section.stage.name, data=section.stage.data())
        deck(page.cards)


@cache
def _component(stage: Stage) -> Callable[..., Any]:
    return component(stage.name, stage.module, stage.sheet)
