"""The Explorer: the player with a sentence and a model of one's choice."""

import logging
import threading
from dataclasses import replace
from urllib.parse import parse_qsl

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.explorer import controls
from app.explorer.downloads import Shown, downloads, figure
from app.explorer.formulas import show_formulas
from app.service import cache, catalogue, files
from app.service.answer import Answer
from app.service.view import AS_TRAINED, View, Window, fitting_type, write
from app.shell.frame import framed, notice, plainly
from app.shell.link import keep_address
from app.shell.markdown import escaped
from attn_core.data.language import named
from attn_core.messages import N_, _
from attn_core.web import how
from attn_core.web.hosts.streamlit import player, settled

_LOG = logging.getLogger(__name__)
PAUSE = 1.0  # seconds from the end of the first run to the import of torch
_STARTED: list[threading.Timer] = []  # by the first visitor of this server


def page() -> None:
    """Draw the page."""
    with framed(N_("Explorer"), N_("Attention explorer")):
        _page()


def _page() -> None:
    models, broken = catalogue.catalogue()
    if not models:
        _nothing_shipped(broken)
        return
    view, places = controls.choose(models)
    model = models[view.model]
    if notices := st.session_state.notices + broken:
        notice(*notices)
    shown = st.session_state.setdefault("shown", Shown())
    _stage(model, view, places)
    downloads(model, view, shown)
    _warm(model, view)


@st.fragment
def _stage(model: catalogue.Shipped, view: View, places: dict[str, DeltaGenerator]) -> None:
    """The player, the figure, and the formulas in the sidebar. Releasing a slider reruns only this fragment."""
    with plainly("Explorer"):
        window = st.session_state.window
        if st.session_state.pop("returned", False) or controls.in_force(model) != st.session_state.window_in_sidebar:
            st.rerun()  # the sidebar too
        kind, reason = fitting_type(view.attention_type, window, model)
        view = replace(view, window=window, attention_type=kind)
        if reason:
            st.caption(escaped(reason))
        shown = st.session_state.shown
        answer = _drawn(model, view, shown)
        if answer.problem:
            (st.warning if answer.trace else st.info)(escaped(answer.problem), icon=":material/info:")
        elif answer.unknown:
            unknown = escaped(named(answer.unknown))
            st.caption(_("Not in this model's vocabulary and read as `<unk>`: {words}").format(words=unknown))
        if answer.note:
            st.caption(escaped(answer.note))
        if answer.trace:
            live = files.engine(model, view)
            here = shown.decoded_here
            player(answer.trace, step=view.step, look=view.look, engine=live, here=here, on_settle=_settle)
        # The step and head on show belong to one translation by one model; the window may change meanwhile.
        keep_address(write(view), f"{view.model}\n{view.text}", view.step, view.look, _returned)
        if answer.trace and model.config.attention is not None:
            figure(shown)
        show_formulas(model, places, view)


def _answer(model: catalogue.Shipped, view: View) -> Answer:
    try:
        return cache.answer(model, view)
    except ValueError as error:  # CheckpointError: the files are damaged
        _LOG.warning("%s", error)
        problem = _("{model} cannot be used: {reason}. Choose another model.").format(model=model.name, reason=error)
        return Answer(problem=problem)


def _drawn(model: catalogue.Shipped, view: View, shown: Shown) -> Answer:
    """What the player is drawn with: after a slider's window that the page has decoded by itself, the answer before.

    The downloads then decode when they are asked for.
    """
    sentence = replace(view, window=AS_TRAINED)
    here = st.session_state.pop("decoded_here", False)
    shown.decoded_here = bool(here and shown.drawn.trace and shown.sentence == sentence)
    if not shown.decoded_here:
        shown.drawn = _answer(model, view)
    shown.sentence = sentence
    shown.decode = lambda: _answer(model, view)
    return shown.drawn


def _returned(query: str) -> None:
    """The browser went back or forward to the view of `query`."""
    models = catalogue.catalogue()[0]
    if models:
        controls.begin(models, dict(parse_qsl(query, keep_blank_values=True)))
        st.session_state.returned = True


def _settle() -> None:
    """Store the window set by the released slider. The next run decodes with it, unless the page already has."""
    settings = settled("player", st.session_state.model)
    st.session_state.window = Window(**how(settings))
    st.session_state.decoded_here = bool(settings and settings.get("here"))


def _warm(model: catalogue.Shipped, view: View) -> None:
    """Once per server, after the first page: load torch and the model, so that the next decode is fast.

    In a thread and after a pause, because the browser is still fetching parts of the page, and importing torch blocks
    the server for longer than that takes.
    """
    if _STARTED or not cache.waits(model):
        return
    _STARTED.append(threading.Timer(PAUSE, cache.warm, (model, View(view.text, view.model))))
    _STARTED[0].daemon = True
    _STARTED[0].start()


def _nothing_shipped(broken: list[str]) -> None:
    st.info(
        _(
            "There is no trained model yet: the folder `pretrained/` is empty. Train one on your own text (PREFIX.de "
            "and PREFIX.en, one sentence per line) with `{command}`, copy the folder that it names at the end to "
            "`pretrained/`, and reload this page."
        ).format(command="make train NAME=luong-general-local-p TRAIN=PREFIX VALID=PREFIX"),
        icon=":material/info:",
    )
    if broken:
        notice(*broken)
