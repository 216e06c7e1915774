"""The trained models that ship, read without torch: their names, their places on the axes, their scores."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from attn_core import files
from attn_core.attention.settings import AttentionSettings
from attn_core.models.config import ModelConfig

FIRST = "luong-general-local-p"  # what a new visitor sees


@dataclass(frozen=True)
class Axis:
    """One way in which models differ. `place` gives a model's value, None where the axis means nothing to it."""

    name: str
    label: str
    words: dict[str, str]  # what a value is called on the page, in the order in which to show it
    place: Callable[[ModelConfig], str | None]
    help: str

    def word(self, value: str) -> str:
        return self.words.get(value, value)


def _of_attention(name: Callable[[AttentionSettings], str]) -> Callable[[ModelConfig], str | None]:
    return lambda config: None if config.attention is None else name(config.attention)


def _feeding(config: ModelConfig) -> str | None:
    if config.attention is None or config.decoder.name == "transformer":  # there is nothing to feed, or nowhere
        return None
    return "yes" if config.decoder.feeding else "no"


# The order is importance: when two models are equally near, the one that keeps the earlier axes is taken.
AXES = (
    Axis(
        "score",
        "Score",
        {"additive": "additive", "dot": "dot", "scaled_dot": "scaled dot", "general": "general", "concat": "concat"}
        | {"location": "location", "none": "no attention"},
        lambda config: config.attention.score.name if config.attention else "none",
        "How well the decoder's state matches a source word.",
    ),
    Axis(
        "window",
        "Window",
        {"global": "global", "local-m": "local-m", "local-p": "local-p"},
        _of_attention(lambda attention: attention.window.name),
        "Which source words may be looked at: all of them, those around a place that moves one word a step (local-m), "
        "or those around a place that the model predicts (local-p).",
    ),
    Axis(
        "order",
        "Order",
        {
            "attend-then-update": "look → step",
            "update-then-attend": "step → look",
            "gnmt": "step, look, step (GNMT)",
            "transformer": "Transformer",
        },
        lambda config: config.decoder.name if config.attention else None,
        "Bahdanau looks with the state before the word; Luong steps first and looks with the new state; a Transformer "
        "has no state, and looks in every layer with several heads.",
    ),
    Axis(
        "feeding",
        "Input feeding",
        {"no": "no", "yes": "yes"},
        _feeding,
        "Whether a step is told what the step before it looked at.",
    ),
    Axis("size", "Decoder units", {}, lambda config: str(config.hidden), "The size of the decoder's state."),
)


@dataclass(frozen=True)
class Shipped:
    """One trained model: its folder, its settings, what is known of it, and a stamp that changes with its files."""

    name: str
    folder: Path
    config: ModelConfig
    about: dict[str, Any]
    stamp: str

    @cached_property
    def point(self) -> dict[str, str | None]:
        """Its value on every axis."""
        return {axis.name: axis.place(self.config) for axis in AXES}

    @property
    def scores(self) -> dict[str, float]:
        """Its BLEU and perplexity, as far as its training wrote them down."""
        found = self._measured[1]
        return {key: float(found[key]) for key in ("bleu", "perplexity") if isinstance(found.get(key), int | float)}

    @property
    def language(self) -> str:
        """The code of the language that it reads, as far as its training wrote it down; else that of our examples."""
        return str(self.about.get("source_lang", "de"))

    @property
    def measured_on(self) -> str:
        """What the scores are of, in words."""
        name, found = self._measured
        beam = f", with a beam of {found['beam']}" if found.get("beam", 1) != 1 else ", greedily"
        sure = ""
        if {"bleu_low", "bleu_high"} <= found.keys():
            sure = f"; 95% of resamplings give {found['bleu_low']:.1f} to {found['bleu_high']:.1f} BLEU"
        return f"{found.get('set', name)}{beam}{sure}"

    @property
    def _measured(self) -> tuple[str, dict[str, Any]]:
        for name, words in (("test", "the test set"), ("valid", "the validation set")):
            if isinstance(found := self.about.get(name), dict):
                return words, found
        return "", {}


def catalogue() -> tuple[dict[str, Shipped], list[str]]:
    """The translators of `pretrained/` (`files.pretrained`) by name, and a line about each that cannot be read."""
    found, broken = {}, []
    for path in (files.pretrained() / name / "config.json" for name in files.shipped()):
        try:
            model = _read(path)
            found[model.name] = model
        except (OSError, ValueError, KeyError, TypeError) as error:
            broken.append(f"The model in {path.parent.name} cannot be read ({error or type(error).__name__}).")
    return found, broken


def _read(path: Path) -> Shipped:
    weights = (path.parent / "model.safetensors").stat()
    return _shipped(path, f"{path.stat().st_mtime_ns}-{weights.st_mtime_ns}-{weights.st_size}")


@lru_cache(maxsize=64)  # reading all settings takes a millisecond a model, and every run of a page asks for them
def _shipped(path: Path, stamp: str) -> Shipped:
    record = json.loads(path.read_text("utf-8"))
    config = ModelConfig.from_json(record["model"])
    return Shipped(path.parent.name, path.parent, config, dict(record.get("about", {})), stamp)


def worst(models: dict[str, Shipped]) -> str | None:
    """Of several models that look, the one with the least BLEU; None where there are no two, or not one least."""
    found = {name: one.scores["bleu"] for name, one in models.items() if one.config.attention and "bleu" in one.scores}
    least = [name for name, bleu in found.items() if bleu == min(found.values())]
    return least[0] if len(found) > 1 and len(least) == 1 else None


def first(models: dict[str, Shipped]) -> str:
    """The model that a new visitor sees."""
    return FIRST if FIRST in models else next(iter(models))


def choices(models: dict[str, Shipped], axis: Axis) -> list[str]:
    """The values on `axis` of which there is a model."""
    there = {value for model in models.values() if (value := model.point[axis.name]) is not None}
    order = list(axis.words)
    return sorted(there, key=lambda value: (order.index(value) if value in order else len(order), len(value), value))


def nearest(models: dict[str, Shipped], wanted: dict[str, str | None], axis: str) -> Shipped:
    """The model with the wanted value on `axis` that differs least from the wanted values elsewhere.

    Fewest axes first, then the less important ones; values earlier in their lists win ties. Raises KeyError when no
    model has the value.
    """

    def far(model: Shipped) -> tuple:
        apart = [
            i
            for i, other in enumerate(AXES)
            if None not in (wanted[other.name], model.point[other.name])
            and wanted[other.name] != model.point[other.name]
        ]
        ranks = [choices(models, other).index(v) if (v := model.point[other.name]) else 0 for other in AXES]
        return len(apart), [-i for i in apart], ranks, model.name

    fitting = [model for model in models.values() if model.point[axis] == wanted[axis]]
    if not fitting:
        raise KeyError(f"no model has {axis} {wanted[axis]}")
    return min(fitting, key=far)


def moved(before: Shipped, after: Shipped, axis: str) -> list[tuple[Axis, str]]:
    """The other axes whose value had to change, with the new value."""
    return [
        (other, now)
        for other in AXES
        if other.name != axis
        and (now := after.point[other.name]) is not None
        and before.point[other.name] not in (None, now)
    ]
