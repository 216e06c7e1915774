"""Descriptions of lab pages, from which both the dashboard (`draw`) and the site (app/site/lab.py) make the page."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from app.lab.kit import show
from app.lab.kit.cards import Card, deck, easiest_first
from app.lab.kit.head import head
from app.lab.kit.live import Live, record
from app.service.digest import digest
from app.service.files import Addresses, addresses
from app.shell.component import NUMBERS, component
from app.shell.frame import framed, notice, plainly
from app.shell.notes import Notes
from app.shell.pages import LAB, Place
from attn_core.messages import _
from attn_core.models import folders
from attn_core.registry import load

_LOG = logging.getLogger(__name__)
STORED = Path(__file__).parents[1] / "stored.json"  # written by stored.py


@dataclass(frozen=True)
class Stage:
    """An interactive part, drawn in the browser: the ES module and the style sheet of a Streamlit component.

    `data` is the place of the function (`package.module:name`) that computes its data, from the translators `models` if
    there are any, and from the classes of the registries at the places `registries`. It is loaded only where
    stored.json does not have the data of the models and classes that are present, since torch comes with it. `worded`
    is the place of a function that gives the data their texts in the reader's language. With `live`, the stage
    translates in the page; one that fetches models of another `kind` (models.folders) gets their addresses.
    """

    name: str
    module: Path
    sheet: Path
    data: str = ""
    live: Live | None = None
    kind: str = ""
    models: tuple[str, ...] = ()
    registries: tuple[str, ...] = ()
    worded: str = ""


@dataclass(frozen=True)
class Section:
    """A title, a text, a stage, and a note in small print; each may be missing. Texts are Markdown with formulas.

    `blocks` is the place of a function that yields more (evidence.py), from files that are quick to read.
    """

    stage: Stage | None = None
    title: str = ""
    text: str = ""
    note: str = ""
    blocks: str = ""


@dataclass(frozen=True)
class LabPage:
    """A page: its title in the menu, its question, what to do first, its sections and its quiz cards.

    It has speaker's `notes` if it has a lecture layout (Place.lecture).
    """

    title: str
    question: str
    first: str
    sections: tuple[Section, ...]
    cards: tuple[Card, ...]
    notes: Notes | None = None


def draw(page: LabPage) -> None:
    """Draw the page in the dashboard."""
    with framed(page.title):
        head(_(page.question), _(page.first), page.notes, len(stages(page)))
        shown = 0  # of the sections that lecture layout has, those with a stage
        for place, section in enumerate(page.sections):
            shown += section.stage is not None
            with st.container(key=f"part_{shown}" if section.stage else f"rest_{place}"):
                _section(section)
        deck([("", easiest_first(page.cards))])


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


@st.fragment
def _stage(stage: Stage) -> None:
    with plainly(stage.name):
        try:
            found = data(stage, addresses() if stage.live or stage.kind else {})
        except ValueError as error:
            _LOG.warning("%s", error)
            notice(absent(error))
        else:
            _component(stage)(key=stage.name, data=found)


@st.fragment
def _blocks(place: str) -> None:
    with plainly(place):
        for number, one in enumerate(load(place)()):
            show.block(one, f"{place}-{number}")


def absent(error: ValueError) -> str:
    """What is said in place of a stage without data: a model is not there, or its files are damaged."""
    return _("This part of the page cannot be shown: {error}.").format(error=error)


def data(stage: Stage, addresses: Addresses) -> dict[str, Any]:
    """The data of a stage for a page that finds the models' files at `addresses`.

    Raises ValueError where they are not stored and cannot be computed.
    """
    found = dict(stored(stage))
    if stage.worded:
        found = load(stage.worded)(found)
    if stage.live:
        found["live"] = record(stage.live, addresses)
    if stage.kind:
        found["addresses"] = {name: addresses[name] for name in folders.shipped(stage.kind) if name in addresses}
    return found


def stored(stage: Stage) -> dict[str, Any]:
    """The data of a stage that depend neither on the reader nor on the page.

    Stored data are used unless a model of the same name differs from the one they were made from; then the data are
    computed. If a model is missing, the data stored for the shipped one are used.
    """
    found = _stored().get(stage.name)
    if found and all(now in ("", found["made_from"].get(name)) for name, now in made_from(stage).items()):
        return found["data"]
    return computed(stage)


def made_from(stage: Stage) -> dict[str, str]:
    """What the data of a stage come from.

    The digest of each model by its name, empty for one that is not there, and the names of each registry's classes.
    """
    names = (*stage.models, *(folders.shipped(stage.kind) if stage.kind else ()))
    models = {name: digest(folders.pretrained() / name) for name in names}
    return models | {place: ", ".join(load(place)) for place in stage.registries}


def computed(stage: Stage) -> dict[str, Any]:
    """The same data, computed now."""
    return load(stage.data)() if stage.data else {}


def stages(page: LabPage) -> list[Stage]:
    """The stages of a page."""
    return [section.stage for section in page.sections if section.stage]


def pages() -> list[tuple[Place, LabPage]]:
    """The lab pages that have a description, with their places in the menu."""
    found = ((place, getattr(load(place.module), "PAGE", None)) for place in LAB)
    return [(place, page) for place, page in found if page]


@cache
def _stored() -> dict[str, Any]:
    return json.loads(STORED.read_text("utf-8")) if STORED.is_file() else {}


@cache
def _component(stage: Stage) -> Callable[..., Any]:
    return component(stage.name, stage.module, NUMBERS, stage.sheet)
