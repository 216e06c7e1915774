"""Descriptions of lab pages, from which both the dashboard (`draw`) and the site (app/site/lab.py) make the page."""

import json
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
from app.shell.pages import LAB, Place
from attn_core.messages import _
from attn_core.registry import load

STORED = Path(__file__).parents[1] / "stored.json"  # written by stored.py


@dataclass(frozen=True)
class Stage:
    """An interactive part, drawn in the browser: the ES module and the style sheet of a Streamlit component.

    `data` is the place of the function (`package.module:name`) that computes its data. It is loaded only where
    stored.json does not have them, since torch comes with it.
    """

    name: str
    module: Path
    sheet: Path
    data: str


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
            _component(section.stage)(key=section.stage.name, data=data(section.stage))
        deck(page.cards)


def data(stage: Stage) -> dict[str, Any]:
    """The data of a stage: stored, or else computed."""
    return _stored().get(stage.name) or computed(stage)


def computed(stage: Stage) -> dict[str, Any]:
    """The data of a stage, computed now."""
    return load(stage.data)()


def pages() -> list[tuple[Place, LabPage]]:
    """The lab pages that have a description, with their places in the menu."""
    found = ((place, getattr(load(place.module), "PAGE", None)) for place in LAB)
    return [(place, page) for place, page in found if page]


@cache
def _stored() -> dict[str, Any]:
    return json.loads(STORED.read_text("utf-8")) if STORED.is_file() else {}


@cache
def _component(stage: Stage) -> Callable[..., Any]:
    return component(stage.name, stage.module, stage.sheet)
