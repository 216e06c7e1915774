"""What pages know of windows, attention types and orders: facts, and texts in the reader's language. Without torch.

windows     by name, WindowFacts of browser/engine/types.d.ts
types       by name, the name of an attention type in menus
"""

from collections.abc import Iterable, Mapping
from typing import Any

from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS, WindowSettings
from attn_core.messages import N_, _

# Below the equations of an order: what a reader of the paper has to know. The second is for models with two diagrams.
NOTES = {
    "attend-then-update": (
        N_(
            "$i$ is the step, counted from 1 as in the paper (the figure counts $t$ from 0); $j$ is the source "
            "position, counted from 0."
        ),
        N_("The state is updated as in the authors' code; the paper has $y_{i-1}$ in place of $y_i$."),
    )
}


def window_facts(window: WindowSettings) -> dict[str, Any]:
    """What a page must know of a window to show and move it: see export/document.py."""
    kinds, defaults = window.kinds(), window.defaults()
    return {
        "centered": window.is_local,
        "learned": window.learned,
        "live": [
            {
                "name": name,
                "symbol": about.symbol or name,
                "meaning": about.meaning,
                "whole": int in kinds[name],
                "least": about.least,
                "most": about.most,
                "default": defaults[name],
                "nullable": type(None) in kinds[name],
                "multiple": [*window.multiples[name]] if name in window.multiples else None,
            }
            for name, about in window.live().items()
        ],
    }


def worded(name: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a window with its texts, where it is registered: what it is, and those of its live settings."""
    if name not in WINDOWS:
        return dict(facts)
    settings = WINDOWS.settings_class(name)
    about = settings.about()
    live = []
    for one in facts["live"]:
        known = about.get(one["name"])
        label, title = settings.unset.get(one["name"], ("", ""))
        words = {"label": _(known.label) if known and known.label else ""} | (
            {"unset": {"label": _(label), "title": _(title)}} if label else {}
        )
        live.append(one | words)
    return dict(facts) | {"about": WINDOWS.about(name), "live": live}


def windows(names: Iterable[str] | None = None) -> dict[str, Any]:
    """The facts and texts of registered windows (None: of all); other names are left out."""
    found = {name: WINDOWS.settings(name) for name in (WINDOWS if names is None else names) if name in WINDOWS}
    return {name: worded(name, window_facts(window)) for name, window in found.items()}


def types(names: Iterable[str] | None = None) -> dict[str, str]:
    """The names of attention types (None: of all) in menus."""
    return {name: ATTENTION_TYPES.label(name) for name in (ATTENTION_TYPES if names is None else names)}


def windows_and_types() -> dict[str, Any]:
    """The facts of all that are registered."""
    return {"windows": windows(), "types": types()}


def of_trace(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The windows and attention types of a trace, with which it was made and those that its model was trained with."""
    trained = settings.get("trained_window") or {}
    shown = (settings.get("window"), trained.get("window"))
    kinds = (settings.get("attention_type"), settings.get("trained_attention_type"))
    return {
        "windows": windows(dict.fromkeys(filter(None, shown))),
        "types": types(dict.fromkeys(filter(None, kinds))),
    }


def notes(settings: Mapping[str, Any], diagrams: int) -> list[str]:
    """What to know of the equations of a model's step, which has several `diagrams` beside the printed one."""
    return [_(line) for line in NOTES.get(settings.get("order", ""), ())[: 1 + (diagrams > 1)]]
