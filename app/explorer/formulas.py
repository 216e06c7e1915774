"""What the model computes, in formulas under the choices that they belong to."""

from dataclasses import asdict
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from app.service.catalogue import Shipped
from app.service.first import shipped_formulas
from app.service.view import AS_TRAINED, ATTENTION_TYPES, View
from attn_core.registry import load


def show_formulas(model: Shipped, places: dict[str, DeltaGenerator], view: View) -> None:
    """What the model computes in `view`, each line under the choice that it belongs to."""
    as_trained = view.window == AS_TRAINED and view.attention_type is None
    found, said = shipped_formulas(model) if as_trained else {}, ""
    if not found:
        try:
            trained = load("attn_core.models.config:ModelConfig").from_json(model.config)
            kind = view.attention_type or trained["attention_type"]
            now = trained if as_trained else trained.with_window(**asdict(view.window)).set({"attention_type": kind})
            found = load("attn_core.explain.equations:formulas")(now)
            said = "" if as_trained else _in_force(trained, now)
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
    kinds = [f"{ATTENTION_TYPES[config['attention_type']]} attention" for config in (now, trained)]
    parts = [[one, other] for one, other in (windows, kinds) if one != other]
    ours, theirs = (", ".join(side[i] for side in parts) for i in (0, 1))
    return "" if not parts else f":small[:orange-background[**Now: {ours}**] trained with {theirs}]"


def _window(config: Any) -> str:
    sigma = config.attention.window.gaussian_width
    width = "" if config["window"] == "global" else f", D = {config['half_width']}"
    return config["window"] + width + ("" if sigma is None else f", σ = {sigma:g}")
