"""One row of the table of variants."""

from dataclasses import dataclass, field
from typing import Any

from attn_core.models.by_name import AXES, is_size, paths, short
from attn_core.models.config import ModelConfig


@dataclass(frozen=True)
class Change:
    """What is done otherwise than in the paper: the settings concerned, of the model or the recipe, and in words."""

    settings: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Variant:
    """One row of the table."""

    name: str
    title: str
    kind: str  # "paper", "authors' code", "tutorial", "toolkit"
    source: str  # where it is written
    paper: "Variant | None"  # what it is compared with; none: it is the paper
    model: dict[str, Any]  # settings of ModelConfig
    changes: tuple[Change, ...] = ()
    point: dict[str, Any] = field(default_factory=dict)  # where the paper itself offers several, the one that is meant
    recipe: dict[str, Any] = field(default_factory=dict)  # settings of TrainConfig
    left_out: str = ""  # what of it the settings do not copy

    def config(self, **settings: Any) -> ModelConfig:
        """The variant as a ModelConfig, with `settings` over it; the encoder's size follows `hidden`.

        Sizes of parts that the variant does not have are left out, so that variants can be compared at the same sizes.
        Raises ValueError for an unknown setting, and for those that do not go together.
        """
        return _config(self.model, settings)

    def settings(self) -> dict[str, Any]:
        """The model's settings, and the recipe's teacher_forcing.

        Without sizes, and without what only other orders than its own have; those that are left to the order have their
        value there. "feeding" and "cell" are told of every order. What other scores and windows have is at its default.
        """
        return _in_force(self.config()) | {"teacher_forcing": self.recipe.get("teacher_forcing", 1.0)}

    def meant(self) -> dict[str, Any]:
        """The settings of what it is compared with: of its paper, at `point`; its own when it is the paper."""
        if self.paper is None:
            return self.settings()
        return Variant(**vars(self.paper) | {"model": self.paper.model | self.point}).settings()

    def differences(self) -> dict[str, tuple[Any, Any]]:
        """Setting to (in the paper, here), for each that both have and that is not the same."""
        paper, own = self.meant(), self.settings()
        return {name: (paper[name], own[name]) for name in own if name in paper and own[name] != paper[name]}


def _config(model: dict[str, Any], settings: dict[str, Any]) -> ModelConfig:
    values = model | settings
    alone = values.get("bidirectional") is False or values.get("directions") == "sum"
    hidden = values.get("hidden", ModelConfig().hidden)
    plain = ModelConfig.of({"encoder_hidden": 256 if alone else 128} | model)
    values = {k: v for k, v in values.items() if k in model or plain.has(k) or not any(map(is_size, paths(k)))}
    return ModelConfig.of({"encoder_hidden": hidden if alone else int(hidden) // 2} | values)


def _in_force(config: ModelConfig) -> dict[str, Any]:
    """The settings of a mechanism by their short names, without sizes; what other scores, windows and encoders have is
    at its default."""
    found: dict[str, Any] = {}
    for path, registry in AXES.items():
        if path == "decoder":
            continue
        for name in registry:
            own = registry.settings_class(name)
            about = own.about()
            found |= {short(f"{path}.{key}"): v for key, v in own.defaults().items() if not about[key].size}
    found |= {short(path): value for path, value in config.flat().items() if not is_size(path)}
    for name in ("reset", "biases"):  # of the decoder; the encoder goes with it
        found.pop(name, None)
        if name in type(config.decoder).about():
            found[name] = getattr(config.decoder, name)
    cell = "gru" if config.decoder.name == "attend-then-update" else config["decoder.cell"] or "lstm"
    return found | {"feeding": config.decoder.feeding, "cell": cell.removeprefix("torch-")}
