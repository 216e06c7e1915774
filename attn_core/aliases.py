"""Deprecated names that are still accepted, and short names: of settings, values, flags, links, models, trace fields.

All aliases are listed here; output uses current names only.
"""

from collections.abc import Mapping
from typing import Any

# Deprecated names of settings, flags, link parameters, and the model settings in a trace of schema 1.
SETTINGS = {"read": "attention_type", "trained_read": "trained_attention_type", "align": "normalizer"}

# The schema of a written trace; schema 1 can still be read. Not in attn_core.trace, whose import is slow.
SCHEMA = 2

# Deprecated names of shipped models, and of their presets.
MODELS = {"luong-best": "best-de-en"}

# Deprecated values, by the current name of the setting or link parameter.
VALUES = {
    "model": MODELS,
    "order": {"step-then-look": "update-then-attend", "look-then-step": "attend-then-update"},
}

# Deprecated values in models with a setting decoder.cell, where `cell` sets it and encoder.cell. In other models `cell`
# sets encoder.cell alone, whose "gru" is Bahdanau's GRU.
CELLS = {"cell": {"gru": "torch-gru"}}

# Short names for one setting of a ModelConfig, or for the same setting of several parts, by path. A short name sets the
# paths that exist in the chosen parts.
PATHS: dict[str, tuple[str, ...]] = {
    "score": ("attention.score",),
    "window": ("attention.window",),
    "order": ("decoder",),
    "attention_type": ("attention.type",),
    "hidden": ("decoder.hidden",),
    "layers": ("encoder.layers", "decoder.layers"),
    "cell": ("encoder.cell", "decoder.cell"),
    "biases": ("encoder.biases", "decoder.biases"),
    "reset": ("encoder.reset", "decoder.reset"),
    "heads": ("attention.heads", "encoder.heads"),
    "feedforward": ("encoder.feedforward", "decoder.feedforward"),
    "positions": ("encoder.positions", "decoder.positions"),
    "longest": ("encoder.longest", "decoder.longest"),
    "norm": ("encoder.norm", "decoder.norm"),
    # Names in config.json of format 1, where all settings were in one flat object.
    "encoder_hidden": ("encoder.hidden",),
    "align_hidden": ("attention.score.hidden",),
    "location_width": ("attention.score.width",),
    "score_bias": ("attention.score.bias",),
    "score_scale": ("attention.score.scale",),
    "local_m_rule": ("attention.window.rule",),
}

# Fields of a look in a trace of schema 1.
LOOK = {"align": "alignment"}


def flag(word: str) -> str:
    """A command-line word with a deprecated flag (`--read`, `--read=soft`) renamed; other words are unchanged."""
    name, equals, value = word.removeprefix("--").partition("=")
    new = SETTINGS.get(name) if word.startswith("--") else None
    return f"--{new.replace('_', '-')}{equals}{value}" if new else word


def renamed(settings: Mapping[str, Any], deprecated: Mapping[str, Mapping[str, str]] = VALUES) -> dict[str, Any]:
    """`settings` with deprecated names, and the values in `deprecated`, replaced by the current ones."""
    found = {SETTINGS.get(name, name): value for name, value in settings.items()}
    for name, values in deprecated.items():
        if isinstance(found.get(name), str):
            found[name] = values.get(found[name], found[name])
    return found
