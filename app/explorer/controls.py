"""The widgets: which model, how it searches, which sentence."""

from dataclasses import asdict
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.service.catalogue import AXES, Axis, Shipped, catalogue, choices, moved, nearest, worst
from app.service.first import shipped_formulas
from app.service.view import AS_TRAINED, ATTENTION_TYPES, BEAMS, MOST_DRAWS, View, fitting_read, reads
from app.shell.link import copy_button
from app.shell.said import say
from attn_core.data.captions import captions

_MOVED = ":material/sync_alt:"
LUONGS_BEST = ("general", "local-p")  # score and window; Luong 2015, Table 4


def view() -> View:
    """What the widgets say."""
    state = st.session_state
    return View(
        state.text, state.model, state.beam, state.unk, state.window, state.start, state.read, state.draw, state.look
    )


def choose_model(models: dict[str, Shipped]) -> dict[str, DeltaGenerator]:
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
    if not words or worst(models) != model.name or (model.config["score"], model.config["window"]) != LUONGS_BEST:
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


def choose_read(model: Shipped) -> None:
    """What is read of the places that were weighed: the model stays, and is asked again."""
    state = st.session_state
    state.read, _ = fitting_read(state.read, state.window, model)
    offered = reads(state.window, model)
    if len(offered) < 2:
        return
    with st.container(gap="xsmall", key="of_read"):
        state.axis_read = state.read or model.config.get("attention_type", "soft")
        st.pills(
            "Read",
            offered,
            key="axis_read",
            format_func=ATTENTION_TYPES.__getitem__,
            required=True,
            help="What becomes of the weights: the mean of all states (soft), or the state of one word alone: the one "
            "with the largest weight, or one drawn by the weights. The model stays as it was trained, and is asked "
            "again. Drawing needs weights that sum to 1, so it is not offered where a Gaussian takes some away.",
            on_change=_read_chosen,
        )
        if state.read == "hard-sample":
            st.button("Draw again", icon=":material/casino:", key="draw_again", on_click=_draw_again)


def _read_chosen() -> None:
    _fresh()
    st.session_state.read = st.session_state.axis_read


def _draw_again() -> None:
    _fresh()
    st.session_state.draw = (st.session_state.draw + 1) % (MOST_DRAWS + 1)


def choose_search() -> None:
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


def sentence() -> None:
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


def show_formulas(model: Shipped, places: dict[str, DeltaGenerator], view: View) -> None:
    """What the model computes with the window and the read of `view`, each line under the choice that it belongs to."""
    as_trained = view.window == AS_TRAINED and view.read is None
    found, said = shipped_formulas(model) if as_trained else {}, ""
    if not found:
        # Torch comes with them: not before the first picture.
        from attn_core.explain.equations import formulas
        from attn_core.models.config import ModelConfig

        try:
            trained = ModelConfig.from_json(model.config)
            now = (
                trained
                if as_trained
                else trained.with_window(**asdict(view.window)).set(
                    {"attention_type": view.read or trained["attention_type"]}
                )
            )
            found, said = formulas(now), "" if as_trained else _in_force(trained, now)
        except ValueError:  # a config that no model can have: the stage says so
            return
    for axis, place in places.items():
        if lines := found.get(axis):
            rows = r" \\ ".join(f"& {line}" for line in lines)
            if axis == "window" and said:
                place.markdown(said)
            place.latex(rf"\begin{{aligned}} {rows} \end{{aligned}}")
            if axis == "window" and not said and model.config["score"]:
                place.caption("as trained")
            if axis == "order" and _as_in_groundhog(model):
                place.caption("So runs the authors' code; the paper prints $y_{i-1}$ where $y_i$ stands here.")


def _as_in_groundhog(model: Shipped) -> bool:
    return model.config["order"] == "attend-then-update" and model.config.get("update", "groundhog") == "groundhog"


def _in_force(trained: Any, now: Any) -> str:
    """What the model does now and what it was trained with (both are ModelConfigs), if they differ; else nothing."""
    windows = [_window(config) for config in (now, trained)]
    reads = [f"read {ATTENTION_TYPES[config['attention_type']]}" for config in (now, trained)]
    parts = [[one, other] for one, other in (windows, reads) if one != other]
    ours, theirs = (", ".join(side[i] for side in parts) for i in (0, 1))
    return "" if not parts else f":small[:orange-background[**Now: {ours}**] trained with {theirs}]"


def _window(config: Any) -> str:
    sigma = config.attention.window.gaussian_width
    width = "" if config["window"] == "global" else f", D = {config['half_width']}"
    return config["window"] + width + ("" if sigma is None else f", σ = {sigma:g}")
