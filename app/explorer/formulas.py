"""The formulas of a model, each under the widget of its axis."""

from collections.abc import Iterator
from dataclasses import asdict

from streamlit.delta_generator import DeltaGenerator

from app.service.catalogue import Shipped
from app.service.first import shipped_formulas
from app.service.view import AS_TRAINED, View, word
from attn_core.attention.settings import LocalSettings, WindowSettings
from attn_core.messages import _
from attn_core.models.config import ModelConfig
from attn_core.registry import load


def show_formulas(model: Shipped, places: dict[str, DeltaGenerator], view: View) -> None:
    """Show the formulas of the model in `view`, each line in the place of its axis."""
    as_trained = view.window == AS_TRAINED and view.attention_type is None
    found, said = shipped_formulas(model) if as_trained else {}, ""
    if not found:
        trained, kind = model.config, view.attention_type
        try:
            now = trained if as_trained else trained.with_window(**asdict(view.window))
            now = now.set({"attention_type": kind}) if kind else now
        except ValueError:  # a window that the model cannot have: the stage reports it
            return
        found = load("attn_core.explain.step_graph:formulas")(now)
        said = "" if as_trained else _in_force(trained, now)
    for axis, place in places.items():
        if lines := found.get(axis):
            rows = r" \\ ".join(f"& {line}" for line in lines)
            if axis == "window" and said:
                place.markdown(said)
            place.latex(rf"\begin{{aligned}} {rows} \end{{aligned}}")
            if axis == "window" and not said and model.config.attention:
                place.caption(_("as trained"))
            if axis == ("order" if model.config.attention else "score"):  # where the formulas of the step are
                for remark in _on_the_step(model):
                    place.caption(remark)


def _on_the_step(model: Shipped) -> Iterator[str]:
    """What a reader of Bahdanau's paper has to know of the formulas of a step."""
    if model.config.decoder.name == "attend-then-update":
        yield _("$i$ counts from 1, as in the paper: step $t$ of the figure is $i = t + 1$.")
        if model.config["update"] == "groundhog":
            yield _("As in the authors' code; the paper has $y_{i-1}$ in place of $y_i$.")


def _in_force(trained: ModelConfig, now: ModelConfig) -> str:
    """The window and attention type in use, and the trained ones, where they differ; else nothing."""
    of = [config.attention for config in (now, trained) if config.attention]
    windows = [_window(attention.window) for attention in of]
    kinds = [_("{type} attention").format(type=word(attention.type)) for attention in of]
    parts = [[one, other] for one, other in (windows, kinds) if one != other]
    ours, theirs = (", ".join(side[i] for side in parts) for i in (0, 1))
    if not parts:
        return ""
    text = _(":small[:orange-background[**Now: {now}**] trained with {trained}]")
    return text.format(now=ours, trained=theirs)


def _window(window: WindowSettings) -> str:
    width = f", D = {window.half_width}" if isinstance(window, LocalSettings) else ""
    return window.name + width + ("" if window.gaussian_width is None else f", σ = {window.gaussian_width:g}")
