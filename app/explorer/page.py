"""The Explorer: the player with a sentence and a model of one's choice. The stage (stage.js) translates in the page."""

import logging
from pathlib import Path
from typing import Any

import streamlit as st

from app.explorer.downloads import Shown, downloads
from app.explorer.record import SHEETS, record
from app.service import cache as cached
from app.service import catalogue, files, first
from app.service.request import Request
from app.shell.component import component
from app.shell.frame import framed, notice, plainly
from attn_core.messages import N_, _
from attn_core.web.hosts import streamlit

_LOG = logging.getLogger(__name__)
_HERE = Path(__file__).parent
KEY = "explorer"  # of the stage
_STAGE = component(KEY, _HERE / "component.js", *SHEETS)
_ANSWERS = streamlit.component("answers", _HERE / "answers.js", "<span></span>")


def page() -> None:
    """Draw the page."""
    with framed(N_("Explorer"), N_("Attention explorer")):
        models, broken = catalogue.catalogue()
        if not models:
            _nothing_shipped(broken)
            return
        trace, damaged = _first_trace(models)
        if broken or damaged:
            notice(*broken, *damaged)
        if trace:
            _stage(record(models, files.addresses(), trace))


@st.fragment
def _stage(data: dict[str, Any]) -> None:
    """The stage and the downloads. A message of the stage (component.js) reruns only this fragment."""
    with plainly("Explorer"):
        shown = Shown.of(_message("shown"))
        _STAGE(key=KEY, data=data, on_shown_change=_nothing, on_asked_change=_nothing)
        with st.container(key="downloads"):
            downloads(shown)
        # After the buttons, so that they have their new files when the stage hears that the server knows what it shows.
        with st.container(key="answers_of_server"):  # not displayed
            _ANSWERS(key="answers", data={"served": _served(_message("asked")), "known": shown.id if shown else 0})


def _message(name: str) -> dict[str, Any] | None:
    """The last message `name` of the stage."""
    return (st.session_state.get(KEY) or {}).get(name)


def _first_trace(models: dict[str, catalogue.Shipped]) -> tuple[dict[str, Any] | None, list[str]]:
    """The first example's trace by the first model whose files are in order, and a line about each that came before.

    It is the stored trace, or else decoded now.
    """
    problems: list[str] = []
    first_one = catalogue.first(models)
    for model in sorted(models.values(), key=lambda one: one.name != first_one):
        try:
            return first.stored(model) or cached.answer(model, Request(first.example()))["trace"], problems
        except ValueError as error:  # CheckpointError
            _LOG.warning("%s", error)
            problems.append(str(error))
    return None, problems


def _served(asked: dict[str, Any] | None) -> dict[str, Any] | None:
    """The answer to the last request of a page that cannot run its model."""
    if not asked:
        return None
    try:
        model = catalogue.catalogue()[0][asked["model"]]
        return {"id": asked["id"], "answer": cached.answer(model, Request.of(asked["request"]))}
    except (KeyError, ValueError) as error:  # a model that has gone, CheckpointError, or settings it cannot have
        _LOG.warning("%s", error)
        return {"id": asked.get("id"), "problem": str(error)}


def _nothing() -> None:
    """Streamlit keeps the values of a message only if there is a callback for it."""


def _nothing_shipped(broken: list[str]) -> None:
    st.info(
        _(
            "There is no trained translation model in `pretrained/` that can be used. Train one on your own text (the "
            "files PREFIX.de and PREFIX.en, one sentence per line) with `{command}`, and reload this page."
        ).format(command="make train NAME=luong-general-local-p TRAIN=PREFIX VALID=PREFIX OUT=pretrained/mine"),
        icon=":material/info:",
    )
    if broken:
        notice(*broken)
