"""What the model computes, in formulas under the choices that they belong to."""

from dataclasses import asdict

from streamlit.delta_generator import DeltaGenerator

from app.service.catalogue import Shipped
from app.service.first import shipped_formulas
from app.service.view import AS_TRAINED, View, word
from attn_core.attention.settings import LocalSettings, WindowSettings
from attn_core.models.config import ModelConfig
from attn_core.registry import load


def show_formulas(model: Shipped, places: dict[str, DeltaGenerator], view: View) -> None:
    """What the model computes in `view`, each line under the choice that it belongs to."""
    as_trained = view.window == AS_TRAINED and view.attention_type is None
    found, said = shipped_formulas(model) if as_trained else {}, ""
    if not found:
        trained, kind = model.config, view.attention_type
        try:
            now = trained if as_trained else trained.with_window(**asdict(view.window))
            now = now.set({"attention_type": kind}) if kind else now
        except ValueError:  # a window that the model cannot have: the stage says so
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
                place.caption("as trained")
            if axis == "order" and _as_in_groundhog(model):
                place.caption("So runs the authors' code; the paper prints $y_{i-1}$ where $y_i$ stands here.")


def _as_in_groundhog(model: Shipped) -> bool:
    return model.config.decoder.name == "attend-then-update" and model.config["update"] == "groundhog"


def _in_force(trained: ModelConfig, now: ModelConfig) -> str:
    """What the model does now and what it was trained with, if they differ; else nothing."""
    of = [config.attention for config in (now, trained) if config.attention]
    windows = [_window(attention.window) for attention in of]
    kinds = [f"{word(attention.type)} attention" for attention in of]
    parts = [[one, other] for one, other in (windows, kinds) if one != other]
    ours, theirs = (", ".join(side[i] for side in parts) for i in (0, 1))
    return "" if not parts else f":small[:orange-background[**Now: {ours}**] trained with {theirs}]"


def _window(window: WindowSettings) -> str:
    width = f", D = {window.half_width}" if isinstance(window, LocalSettings) else ""
    return window.name + width + ("" if window.gaussian_width is None else f", σ = {window.gaussian_width:g}")
