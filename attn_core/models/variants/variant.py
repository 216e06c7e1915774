"""One row of the table of variants."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attn_core.models.by_name import AXES
from attn_core.models.config import ModelConfig


@dataclass(frozen=True)
class Change:
    """A departure from the paper: the settings of the model or the recipe, and a description."""

    settings: tuple[str, ...]
    words: str  # marked for translation, as are the texts of a Variant


@dataclass(frozen=True)
class Variant:
    """One row of the table."""

    name: str
    title: str
    kind: str  # "paper", "authors' code", "tutorial", "toolkit"
    source: str  # the section, file or page
    paper: "Variant | None"  # the paper it is compared with; None for the paper itself
    model: dict[str, Any]  # settings of ModelConfig
    changes: tuple[Change, ...] = ()
    point: dict[str, Any] = field(default_factory=dict)  # which of the paper's own alternatives it is compared with
    recipe: dict[str, Any] = field(default_factory=dict)  # settings of TrainConfig
    left_out: tuple[str, ...] = ()  # sentences on differences that the settings do not reproduce

    def config(self, values: Mapping[str, Any] | None = None, /, **settings: Any) -> ModelConfig:
        """The variant as a ModelConfig with other settings; the encoder's size is derived from the decoder's.

        Settings of parts that the variant does not have are ignored, so that variants can be compared at the same
        sizes. Raises ValueError for an unknown setting, and for settings that are not compatible.
        """
        return _config(self.model, {**(values or {}), **settings})

    def settings(self) -> dict[str, Any]:
        """The model's settings, and the recipe's teacher_forcing.

        Sizes and settings of other orders are omitted, but "feeding", "combine" and "cell" are included for every
        order. Settings of other scores and windows have their defaults.
        """
        return _in_force(self.config()) | {"teacher_forcing": self.recipe.get("teacher_forcing", 1.0)}

    def meant(self) -> dict[str, Any]:
        """The settings it is compared with: its paper's, at `point`; its own if it is the paper."""
        if self.paper is None:
            return self.settings()
        return Variant(**vars(self.paper) | {"model": self.paper.model | self.point}).settings()

    def differences(self) -> dict[str, tuple[Any, Any]]:
        """Setting to (value in the paper, value here), for each setting of both that differs."""
        paper, own = self.meant(), self.settings()
        return {name: (paper[name], own[name]) for name in own if name in paper and own[name] != paper[name]}


def _config(model: dict[str, Any], settings: dict[str, Any]) -> ModelConfig:
    values = model | settings
    alone = values.get("bidirectional") is False or values.get("directions") == "sum"
    hidden = values.get("decoder.hidden", ModelConfig().hidden)
    plain = ModelConfig.of({"encoder.hidden": 256 if alone else 128} | model)
    elsewhere = {name for name in settings.keys() - model.keys() if name in plain.names() and not plain.has(name)}
    values = {name: value for name, value in values.items() if name not in elsewhere}
    return ModelConfig.of({"encoder.hidden": hidden if alone else int(hidden) // 2} | values)


def _in_force(config: ModelConfig) -> dict[str, Any]:
    """The settings by axis or last word, without sizes.

    Those of other scores, windows and encoders have their defaults.
    Where encoder and decoder have the same setting, it is the decoder's, which the encoder's follows.
    """
    found: dict[str, Any] = {}
    for path, registry in AXES.items():
        if path == "decoder":
            continue
        for name in registry:
            own = registry.settings_class(name)
            about = own.about()
            found |= {key: value for key, value in own.defaults().items() if not about[key].size}
    about = config.described()
    for path, value in config.flat().items():
        if not about[path].size:
            found[AXES[path].axis if path in AXES else path.rpartition(".")[2]] = value
    for name in ("reset", "biases"):
        if name not in type(config.decoder).about():
            found.pop(name, None)
    cell = config.decoder.cell.removeprefix("torch-")
    return found | {"feeding": config.decoder.feeding, "combine": config.decoder.combine, "cell": cell}
