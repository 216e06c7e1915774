"""The widgets for the model, the search and the sentence; their values make up a View."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qsl

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.service.catalogue import AXES, Axis, Shipped, catalogue, choices, first, moved, nearest, worst
from app.service.first import example
from app.service.view import (
    AS_TRAINED,
    BEAMS,
    MOST_DRAWS,
    View,
    attention_types,
    fitting_type,
    read,
    word,
    write,
)
from app.shell.link import copy_button
from app.shell.markdown import escaped
from app.shell.said import said, say
from app.shell.widgets import key_of, key_showing
from attn_core.data.captions import captions
from attn_core.messages import _

_MOVED = ":material/sync_alt:"
LUONGS_BEST = ("general", "local-p")  # score and window; Luong 2015, Table 4


def choose(models: dict[str, Shipped]) -> tuple[View, dict[str, DeltaGenerator]]:
    """Draw all widgets; returns the view, and a place for the formulas of each axis.

    A new session starts from its link, and one that returns from another page where it left off.
    """
    state = st.session_state
    if key_of("model") not in state:
        begin(models, st.query_params.to_dict())
    elif state.model not in models:  # it has gone since
        state.notices = [_("The model {name} is no longer available.").format(name=state.model)]
        state.model, state.window = first(models), AS_TRAINED
    state.window_in_sidebar = in_force(models[state.model])
    with st.sidebar:
        places = _choose_model(models)
        _choose_attention_type(models[state.model])
        _choose_search()
    view = state.left = View(
        state.text,
        state.model,
        state.beam,
        state.unk,
        state.window,
        state.start,
        state.attention_type,
        state.draw,
        state.look,
    )
    _sentence()
    return view, places


def in_force(model: Shipped) -> str | None:
    """The name of the window that `model` runs with now, which the player may have changed."""
    return st.session_state.window.window or model.point["window"]


def begin(models: dict[str, Shipped], query: Mapping[str, str]) -> None:
    """Set all choices to the view that the link `query` describes."""
    state, linked = st.session_state, "text" in query
    if "left" in state and not query:
        query = dict(parse_qsl(write(replace(state.left, window=state.window)), keep_blank_values=True))
    view, state.notices = read(query, models, example())
    state.text, state.model, state.beam, state.unk = view.text, view.model, view.beam, view.replace_unk
    if linked and (view.text != example() or "said" in state):
        say(view.text, models[view.model].language)
    elif not linked and "said" in state:
        state.text = said(models[view.model].language) or view.text
    state.window, state.start, state.moved = view.window, view.step, ""
    state.attention_type, state.draw, state.look = view.attention_type, view.draw, view.look


def _choose_model(models: dict[str, Shipped]) -> dict[str, DeltaGenerator]:
    """Choose a model by name or axis by axis; the two always agree. Returns a place for the formulas of each axis."""
    key = key_showing("model", st.session_state.model)
    st.selectbox(_("Model"), list(models), key=key, on_change=_model_chosen, args=(key,))
    model = models[st.session_state.model]
    _scores(models, model)
    if st.session_state.moved:
        st.caption(st.session_state.moved)
    places = {}
    for axis in AXES:
        if (value := model.point[axis.name]) is None:
            continue
        values = choices(models, axis)
        if axis.name == "window":
            value = in_force(model) or value
            values = values if value in values else [*values, value]
        with st.container(gap=None, key=f"of_{axis.name}"):
            if len(values) > 1:
                _pills(axis, values, value)
            places[axis.name] = st.container(gap=None)
    return places


def _pills(axis: Axis, values: list[str], value: str) -> None:
    key = key_showing(f"axis_{axis.name}", value)
    st.pills(
        _(axis.label),
        values,
        key=key,
        format_func=axis.word,
        required=True,
        help=_(axis.help),
        on_change=_axis_chosen,
        args=(axis.name, key),
    )


def _scores(models: dict[str, Shipped], model: Shipped) -> None:
    scores = model.scores
    parts = [f"BLEU **{scores['bleu']:.1f}**"] if "bleu" in scores else []
    if "perplexity" in scores:
        parts.append(_("perplexity **{value:.1f}**").format(value=scores["perplexity"]))
    if parts:
        about = _("Measured on: {data}. Higher BLEU and lower perplexity are better.").format(
            data=escaped(model.measured_on)
        )
        st.caption(" · ".join(parts), help=about)
    for remark in (lowest(models, model), model.about.get("note")):
        if remark:
            st.caption(escaped(remark))


def lowest(models: dict[str, Shipped], model: Shipped) -> str:
    """A remark where the configuration of Luong's best row has the lowest BLEU of the attention models, or ""."""
    words = model.about.get("test", {}).get("mean_source_length")
    if not words or worst(models) != model.name or (model.point["score"], model.point["window"]) != LUONGS_BEST:
        return ""
    return _(
        "Weakest attention model on these short captions ({words:.0f} words on average); the best in Luong's Table 4 "
        "(long WMT sentences)."
    ).format(words=words)


def _model_chosen(key: str) -> None:
    st.session_state.model = st.session_state[key]
    _model_changed()


def _model_changed() -> None:
    _fresh()
    if st.session_state.window != AS_TRAINED:
        st.session_state.moved = f"{_MOVED} " + _("The window was reset to the trained one.")
    st.session_state.window = AS_TRAINED


def _axis_chosen(axis: str, key: str) -> None:
    """Choose the nearest model with the chosen value, and list the other axes that changed."""
    _model_changed()
    models = catalogue()[0]
    before = models.get(st.session_state.model)
    if before is None:
        return
    wanted = before.point | {axis: st.session_state[key]}
    after = nearest(models, wanted, axis)
    st.session_state.model = after.name
    changes = ", ".join(
        _("**{axis}** is now {value}").format(axis=_(other.label), value=other.word(to))
        for other, to in moved(before, after, axis)
    )
    if changes:
        nearest_is = _("No model has that combination. The closest one is shown: {changes}.").format(changes=changes)
        st.session_state.moved = f"{st.session_state.moved or _MOVED} {nearest_is}"


def _choose_attention_type(model: Shipped) -> None:
    """How the weights make a context vector: the model stays the same, and the sentence is decoded again."""
    state = st.session_state
    state.attention_type = fitting_type(state.attention_type, state.window, model)[0]
    offered = attention_types(state.window, model)
    if len(offered) < 2:
        return
    with st.container(gap="xsmall", key="of_attention_type"):
        key = key_showing("axis_attention_type", state.attention_type or model.config["attention_type"])
        st.pills(
            _("Attention type"),
            offered,
            key=key,
            format_func=word,
            required=True,
            help=_(
                "How the weights make the context vector: the weighted sum of all encoder states (soft), or one state "
                "alone, either the one with the largest weight (argmax) or one sampled with the weights as "
                "probabilities. The model is not retrained; the sentence is decoded again. Sampling needs weights that "
                "sum to 1, so it is not offered where a Gaussian reduces them."
            ),
            on_change=_chosen,
            args=("attention_type", key),
        )
        if state.attention_type == "hard-sample":
            st.button(_("Sample again"), icon=":material/casino:", key="draw_again", on_click=_draw_again)


def _chosen(name: str, key: str) -> None:
    _fresh()
    st.session_state[name] = st.session_state[key]


def _draw_again() -> None:
    _fresh()
    st.session_state.draw = (st.session_state.draw + 1) % (MOST_DRAWS + 1)


def _choose_search() -> None:
    key = key_showing("beam", st.session_state.beam)
    st.selectbox(
        _("Search"),
        BEAMS,
        key=key,
        format_func=lambda k: _("greedy") if k == 1 else _("beam of {size}").format(size=k),
        help=_(
            "Greedy search takes the most probable word at each step. A beam of k keeps the k most probable partial "
            "translations."
        ),
        on_change=_chosen,
        args=("beam", key),
    )
    key = key_showing("unk", st.session_state.unk)
    st.toggle(
        _("Replace unknown words"),
        key=key,
        help=_("Replace each `<unk>` in the translation by the source word with the largest attention weight."),
        on_change=_chosen,
        args=("unk", key),
    )


def _sentence() -> None:
    """The sentence box, with the examples beside it."""
    key = key_showing("text", st.session_state.text)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            _("German sentence"),
            key=key,
            label_visibility="collapsed",
            placeholder=_("A German sentence that describes a picture"),
            on_change=_typed,
            args=(key,),
        )
        st.menu_button(
            _("Examples"),
            [c.de for c in captions()],
            key="example",
            icon=":material/format_quote:",
            on_click=_example_chosen,
        )
        copy_button()


def _example_chosen() -> None:
    st.session_state.text = st.session_state.example
    _said()


def _typed(key: str) -> None:
    st.session_state.text = st.session_state[key]
    _said()


def _said() -> None:
    models = catalogue()[0]
    if st.session_state.text.strip() and (model := models.get(st.session_state.model)):
        say(st.session_state.text, model.language)
    _fresh()


def _fresh() -> None:
    """Clear the notices about the last view, which do not hold for the next."""
    st.session_state.notices, st.session_state.moved, st.session_state.start = [], "", 0
