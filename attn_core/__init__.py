"""Attention in sequence-to-sequence models: train it, run it, and inspect every decoding step.

    from attn_core import load, translate
    trace = translate(load("luong-general-local-p"), "Ein Hund läuft durch den Schnee.")

The names below are imported on first use, so that loading a trace does not wait for torch.
"""

from typing import Any

from attn_core import registry

_WHERE = {
    "load": "models.checkpoint",
    "shipped": "models.folders",
    "attribute": "attribution",
    "force": "decoding.translate",
    "translate": "decoding.translate",
    "n_best": "decoding.translate",
    "text_of": "decoding.translate",
    "view": "decoding.links",
    "link": "decoding.links",
    "train": "training.run",
    "PRESETS": "models.presets",
    "Translator": "models.translator",
    "ModelConfig": "models.config",
    "TrainConfig": "models.recipe",
    "Trace": "trace",
    "Word": "trace",
    "Step": "trace",
    "Look": "trace",
    "Focus": "trace",
    "Memory": "trace",
    "dump": "trace",
    "parse": "trace.reading",
    "SCORES": "attention.settings",
    "WINDOWS": "attention.settings",
    "TASKS": "data.toy_tasks",
    "practise": "training.practice",
}

__all__ = list(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'attn_core' has no attribute {name!r}")
    return registry.load(f"attn_core.{_WHERE[name]}:{name}")


def __dir__() -> list[str]:
    return __all__
