"""The Explorer: a sentence, a model, and the player between them."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import streamlit as st

from app import cache, catalogue, controls, first, words
from app.decode import Answer
from app.link import keep_address
from app.take import Shown, downloads, figure
from app.view import AS_TRAINED, View, Window, read
from attn_core.player import how
from attn_core.player.streamlit import player, settled

_LOG = logging.getLogger(__name__)
_STYLE = f"<style>{(Path(__file__).parent / 'page.css').read_text('utf-8')}</style>"
PAUSE = 1.0  # seconds from the end of the first run to the import of torch
_STARTED: list[threading.Timer] = []  # by the first visitor of this server
_ICON = str(Path(__file__).parent / "icon.svg")


def page() -> None:
    """Draw the page."""
    st.set_page_config("Attention explorer", _ICON, layout="wide", initial_sidebar_state=300)
    st.html(_STYLE)
    with _plainly():
        _page()


@contextmanager
def _plainly() -> Iterator[None]:
    """Whatever goes wrong inside is said in plain words; its details go to the log."""
    try:
        yield
    except Exception:  # noqa: BLE001  the last resort of the page; a visitor must not meet a traceback
        _LOG.exception("the Explorer failed")
        st.error(
            "Something went wrong while drawing this page; the details are in the terminal where the dashboard was "
            "started. Reloading the page without the part after “?” in the address starts afresh."
        )


def _page() -> None:
    models, broken = catalogue.catalogue()
    if not models:
        _nothing_shipped(broken)
        return
    _begin(models)
    with st.sidebar:
        formulas = controls.choose_model(models)
        controls.choose_search()
    view = controls.view()
    model = models[view.model]
    controls.sentence()
    if notices := st.session_state.notices + broken:
        st.warning("  \n".join(map(words.escaped, notices)), icon=":material/info:")
    _stage(model, view)
    downloads(model, view, st.session_state.shown)
    controls.show_formulas(model, formulas)
    _warm(model, view)


def _begin(models: dict[str, catalogue.Shipped]) -> None:
    """A new session starts from its link; a model that has gone since gives way to one that is there."""
    state = st.session_state
    if "model" not in state:
        view, state.notices = read(st.query_params.to_dict(), models, first.example())
        state.text, state.model, state.beam, state.unk = view.text, view.model, view.beam, view.replace_unk
        state.window, state.start, state.moved, state.shown = view.window, view.step, "", Shown()
    elif state.model not in models:
        state.notices = [f"The model {state.model} is no longer there."]
        state.model, state.window = catalogue.first(models), AS_TRAINED


@st.fragment
def _stage(model: catalogue.Shipped, view: View) -> None:
    """The player and what can be taken away. Letting go of a slider runs only this again."""
    with _plainly():
        view = replace(view, window=st.session_state.window)
        answer = st.session_state.shown.answer = _answer(model, view)
        if answer.problem:
            (st.warning if answer.trace else st.info)(words.escaped(answer.problem), icon=":material/info:")
        elif answer.unknown:
            named = words.escaped(words.named(answer.unknown))
            st.caption(f"Not in this model's vocabulary, read as `<unk>`: {named}")
        if answer.note:
            st.caption(words.escaped(answer.note))
        if answer.trace:
            player(answer.trace, "player", step=view.step, on_settle=_settle)
        keep_address(view)
        if answer.trace and model.config["score"] is not None:
            figure(answer)


def _answer(model: catalogue.Shipped, view: View) -> Answer:
    if known := first.shipped_answer(model, view):
        return known
    try:
        with st.spinner("Loading the model …") if cache.waits(model) else nullcontext():
            return cache.answer(model, view)
    except ValueError as error:  # CheckpointError: the files are damaged
        _LOG.warning("%s", error)
        return Answer(problem=f"{model.name} cannot be used: {error}. Choose another model.")


def _settle() -> None:
    """A slider was let go: the next decode looks through the window that it asked for."""
    st.session_state.window = Window(**how(settled("player", st.session_state.model)))


def _warm(model: catalogue.Shipped, view: View) -> None:
    """Once for each server, after the first picture: make the next decode as quick as all later ones.

    In a thread, and a moment later: the browser still fetches parts of the page, and importing torch would hold the
    server up for longer than all of that takes.
    """
    if _STARTED or not cache.waits(model):
        return
    _STARTED.append(threading.Timer(PAUSE, cache.warm, (model, replace(view, window=AS_TRAINED))))
    _STARTED[0].daemon = True
    _STARTED[0].start()


def _nothing_shipped(broken: list[str]) -> None:
    st.info(
        "There is no trained model here yet: the folder `pretrained/` is empty. "
        "`make train NAME=luong-general-local-p TRAIN=PREFIX VALID=PREFIX` trains one on your text (PREFIX.de and "
        "PREFIX.en, one sentence a line). Copy the folder that it names at its end there, and reload this page.",
        icon=":material/info:",
    )
    for line in broken:
        st.warning(line)
