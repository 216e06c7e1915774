"""The widgets: which model, how it searches, which sentence. What they say is a View."""

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
from app.shell.said import said, say
from attn_core.data.captions import captions

_MOVED = ":material/sync_alt:"
LUONGS_BEST = ("general", "local-p")  # score and window; Luong 2015, Table 4


def choose(models: dict[str, Shipped]) -> tuple[View, dict[str, DeltaGenerator]]:
    """Draw all choices; returns the view that they make, and the places for each axis's formulas.

    A new session starts from its link, and one that comes back from another page where it left.
    """
    state = st.session_state
    if "model" not in state:
        _begin(models)
    elif state.model not in models:  # it has gone since
        state.notices = [f"The model {state.model} is no longer there."]
        state.model, state.window = first(models), AS_TRAINED
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


def _begin(models: dict[str, Shipped]) -> None:
    state = st.session_state
    query = st.query_params.to_dict()
    if "left" in state and not query:
        query = dict(parse_qsl(write(replace(state.left, window=state.window)), keep_blank_values=True))
    view, state.notices = read(query, models, example())
    state.text, state.model, state.beam, state.unk = view.text, view.model, view.beam, view.replace_unk
    if view.text != example() and "text" in st.query_params:
        say(view.text, models[view.model].language)
    elif "said" in state:
        state.text = said(models[view.model].language) or view.text
    state.window, state.start, state.moved = view.window, view.step, ""
    state.attention_type, state.draw, state.look = view.attention_type, view.draw, view.look


def _choose_model(models: dict[str, Shipped]) -> dict[str, DeltaGenerator]:
    """By name, or axis by axis; both always agree. Returns the places for each axis's formulas."""
    st.selectbox("Model", list(models), key="model", on_change=_model_chosen)
    model = models[st.session_state.model]
    _scores(models, model)
    if st.session_state.moved:
        st.caption(st.session_state.moved)
    places = {}
    for axis in AXES:
        if (value := model.point[axis.name]) is None:
            continue
        values = choices(models, axis)
        with st.container(gap=None, key=f"of_{axis.name}"):
            if len(values) > 1:
                _pills(axis, values, value)
            places[axis.name] = st.container(gap=None)
    return places


def _pills(axis: Axis, values: list[str], value: str) -> None:
    key = f"axis_{axis.name}"
    st.session_state[key] = value
    st.pills(
        axis.label,
        values,
        key=key,
        format_func=axis.word,
        required=True,
        help=axis.help,
        on_change=_axis_chosen,
        args=(axis.name,),
    )


def _scores(models: dict[str, Shipped], model: Shipped) -> None:
    scores = model.scores
    parts = [f"BLEU **{scores['bleu']:.1f}**"] if "bleu" in scores else []
    parts += [f"perplexity **{scores['perplexity']:.1f}**"] if "perplexity" in scores else []
    if parts:
        st.caption(
            " · ".join(parts), help=f"On {model.measured_on}. Higher BLEU is better, lower perplexity is better."
        )
    for remark in (lowest(models, model), model.about.get("note")):
        if remark:
            st.caption(remark)


def lowest(models: dict[str, Shipped], model: Shipped) -> str:
    """What to say where the model of Luong's best row has the lowest BLEU of those that look; else nothing."""
    words = model.about.get("test", {}).get("mean_source_length")
    if not words or worst(models) != model.name or (model.point["score"], model.point["window"]) != LUONGS_BEST:
        return ""
    return f"The lowest BLEU here with attention, on sentences of {words:.0f} words; in Luong's Table 4 (WMT) the best."


def _model_chosen() -> None:
    _fresh()
    if st.session_state.window != AS_TRAINED:
        st.session_state.moved = _MOVED + " The window is as trained again."
    st.session_state.window = AS_TRAINED


def _axis_chosen(axis: str) -> None:
    """The nearest model with the chosen value; whatever had to move with it is said."""
    _model_chosen()
    models, _ = catalogue()
    before = models.get(st.session_state.model)
    if before is None:
        return
    wanted = before.point | {axis: st.session_state[f"axis_{axis}"]}
    after = nearest(models, wanted, axis)
    st.session_state.model = after.name
    changes = ", ".join(
        f"**{other.label.lower()}** is now {other.word(to)}" for other, to in moved(before, after, axis)
    )
    if changes:
        said = f" No model was trained with that combination: {changes}."
        st.session_state.moved = (st.session_state.moved or _MOVED) + said


def _choose_attention_type(model: Shipped) -> None:
    """What becomes of the weights: the model stays, and is asked again."""
    state = st.session_state
    state.attention_type, _ = fitting_type(state.attention_type, state.window, model)
    offered = attention_types(state.window, model)
    if len(offered) < 2:
        return
    with st.container(gap="xsmall", key="of_attention_type"):
        state.axis_attention_type = state.attention_type or model.config["attention_type"]
        st.pills(
            "Attention type",
            offered,
            key="axis_attention_type",
            format_func=word,
            required=True,
            help="What becomes of the weights: the mean of all states (soft), or the state of one word alone: the one "
            "with the largest weight, or one drawn by the weights. The model stays as it was trained, and is asked "
            "again. Drawing needs weights that sum to 1, so it is not offered where a Gaussian takes some away.",
            on_change=_type_chosen,
        )
        if state.attention_type == "hard-sample":
            st.button("Draw again", icon=":material/casino:", key="draw_again", on_click=_draw_again)


def _type_chosen() -> None:
    _fresh()
    st.session_state.attention_type = st.session_state.axis_attention_type


def _draw_again() -> None:
    _fresh()
    st.session_state.draw = (st.session_state.draw + 1) % (MOST_DRAWS + 1)


def _choose_search() -> None:
    st.selectbox(
        "Search",
        BEAMS,
        key="beam",
        format_func=lambda k: "greedy" if k == 1 else f"beam of {k}",
        help="Greedy takes the most probable word at each step; a beam keeps the best k beginnings.",
        on_change=_fresh,
    )
    st.toggle(
        "Replace unknown words",
        key="unk",
        help="Where the model says <unk>, put the source word it looked at most.",
        on_change=_fresh,
    )


def _sentence() -> None:
    """The sentence box, with our examples beside it."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "German sentence",
            key="text",
            label_visibility="collapsed",
            placeholder="A German sentence about something one can see",
            on_change=_typed,
        )
        st.menu_button(
            "Examples",
            [c.de for c in captions()],
            key="example",
            icon=":material/format_quote:",
            on_click=_example_chosen,
        )
        copy_button()


def _example_chosen() -> None:
    st.session_state.text = st.session_state.example
    _typed()


def _typed() -> None:
    models, _ = catalogue()
    if st.session_state.text.strip() and (model := models.get(st.session_state.model)):
        say(st.session_state.text, model.language)
    _fresh()


def _fresh() -> None:
    """What was said of the last view is not true of the next."""
    st.session_state.notices, st.session_state.moved, st.session_state.start = [], "", 0
