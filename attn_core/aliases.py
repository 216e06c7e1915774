"""Older names that are still read, and short names: settings, their values, flags, links, models, trace schema 1.

This is the one table of them; new output has the new names.
"""

from collections.abc import Mapping
from typing import Any

# Older names of settings, of flags and link parameters, and of what a trace of schema 1 says of its model.
SETTINGS = {"read": "attention_type", "trained_read": "trained_attention_type", "align": "normalizer"}

SCHEMA = 2  # of a trace's JSON that is written; schema 1 is still read. Here, since importing attn_core.trace is slow

# Older names of shipped models, which are those of their presets too.
MODELS = {"luong-best": "best-de-en"}

# Older values, by the (new) name of the setting or link parameter.
VALUES = {
    "model": MODELS,
    "order": {"step-then-look": "update-then-attend", "look-then-step": "attend-then-update"},
    "cell": {"gru": "torch-gru"},
}

# Names that stand for one setting of a ModelConfig, or for the same setting of several parts, by path. Those that the
# chosen parts have are set.
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
    # Names of config.json's format 1, which had one flat list.
    "encoder_hidden": ("encoder.hidden",),
    "align_hidden": ("attention.score.hidden",),
    "location_width": ("attention.score.width",),
    "score_bias": ("attention.score.bias",),
    "score_scale": ("attention.score.scale",),
    "local_m_rule": ("attention.window.rule",),
}

# Entries of a look in a trace of schema 1.
LOOK = {"align": "alignment"}


def flag(word: str) -> str:
    """A word of a command line: an older flag, such as `--read` or `--read=soft`, by its new name; others as given."""
    name, equals, value = word.removeprefix("--").partition("=")
    new = SETTINGS.get(name) if word.startswith("--") else None
    return f"--{new.replace('_', '-')}{equals}{value}" if new else word


def renamed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """`settings` with new names, and new values, in place of older ones."""
    found = {SETTINGS.get(name, name): value for name, value in settings.items()}
    for name, values in VALUES.items():
        if isinstance(found.get(name), str):
            found[name] = values.get(found[name], found[name])
    return found
