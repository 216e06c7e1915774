"""The Explorer: a sentence, a model, and the player between them."""

import logging
import threading
from contextlib import nullcontext
from dataclasses import replace
from urllib.parse import parse_qsl

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.explorer import controls
from app.explorer.downloads import Shown, downloads, figure
from app.service import cache, catalogue, first
from app.service.decode import Answer
from app.service.view import AS_TRAINED, View, Window, fitting_read, read, write
from app.shell.frame import framed, plainly
from app.shell.link import keep_address
from app.shell.markdown import escaped
from app.shell.said import said, say
from attn_core.data.language import named
from attn_core.web import how
from attn_core.web.hosts.streamlit import player, settled

_LOG = logging.getLogger(__name__)
PAUSE = 1.0  # seconds from the end of the first run to the import of torch
_STARTED: list[threading.Timer] = []  # by the first visitor of this server


def page() -> None:
    """Draw the page."""
    with framed("Explorer", "Attention explorer"):
        _page()


def _page() -> None:
    models, broken = catalogue.catalogue()
    if not models:
        _nothing_shipped(broken)
        return
    _begin(models)
    with st.sidebar:
        formulas = controls.choose_model(models)
        controls.choose_read(models[st.session_state.model])
        controls.choose_search()
    view = st.session_state.left = controls.view()
    model = models[view.model]
    controls.sentence()
    if notices := st.session_state.notices + broken:
        st.warning("  \n".join(map(escaped, notices)), icon=":material/info:")
    _stage(model, view, formulas)
    downloads(model, view, st.session_state.shown)
    _warm(model, view)


def _begin(models: dict[str, catalogue.Shipped]) -> None:
    """A new session starts from its link, and one that comes back from another page where it left.

    A model that has gone since gives way to one that is there.
    """
    state = st.session_state
    if "model" not in state:
        query = st.query_params.to_dict()
        if "left" in state and not query:
            left = write(replace(state.left, window=state.window))
            query = dict(parse_qsl(left, keep_blank_values=True))
        view, state.notices = read(query, models, first.example())
        state.text, state.model, state.beam, state.unk = view.text, view.model, view.beam, view.replace_unk
        if view.text != first.example() and "text" in st.query_params:
            say(view.text, models[view.model].language)
        elif "said" in state:
            state.text = said(models[view.model].language) or view.text
        state.window, state.start, state.moved, state.shown = view.window, view.step, "", Shown()
        state.read, state.draw, state.look = view.read, view.draw, view.look
    elif state.model not in models:
        state.notices = [f"The model {state.model} is no longer there."]
        state.model, state.window = catalogue.first(models), AS_TRAINED


@st.fragment
def _stage(model: catalogue.Shipped, view: View, formulas: dict[str, DeltaGenerator]) -> None:
    """The player, the figure, and the formulas in the sidebar. Letting go of a slider runs only this again."""
    with plainly("Explorer"):
        view = replace(view, window=st.session_state.window)
        kind, reason = fitting_read(view.read, view.window, model)
        view = replace(view, read=kind)
        if reason:
            st.caption(escaped(reason))
        answer = st.session_state.shown.answer = _answer(model, view)
        if answer.problem:
            (st.warning if answer.trace else st.info)(escaped(answer.problem), icon=":material/info:")
        elif answer.unknown:
            unknown = escaped(named(answer.unknown))
            st.caption(f"Not in this model's vocabulary, read as `<unk>`: {unknown}")
        if answer.note:
            st.caption(escaped(answer.note))
        if answer.trace:
            player(answer.trace, "player", step=view.step, look=view.look, on_settle=_settle)
        keep_address(view)
        if answer.trace and model.config["score"] is not None:
            figure(st.session_state.shown)
        controls.show_formulas(model, formulas, view)


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
