"""A model's config: the settings of all its parts, with access by name.

    config = ModelConfig.of({"decoder.hidden": 64, "encoder.hidden": 32}, score="additive")
    config.attention.score.hidden, config["attention.score.hidden"], config["score"]

by_name.py says what a setting is called; settings.md describes all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from attn_core.attention.settings import WINDOWS, AttentionSettings
from attn_core.messages import _, meant
from attn_core.models.by_name import every_name, from_paths, locate, paths_of, set_by_name, walk
from attn_core.models.composition import Composition
from attn_core.models.conflicts import conflicts
from attn_core.settings import About, Settings


@dataclass(frozen=True)
class ModelConfig(Composition):
    """A point of the product space, with sizes. Raises ValueError, with advice, for parts that are not compatible."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for conflict in conflicts(self):
            raise ValueError(conflict)

    @classmethod
    def of(cls, given: Mapping[str, Any] | None = None, /, **settings: Any) -> Self:
        """The default config with these settings, by name. Raises ValueError as `set` does."""
        return cls().set({**(given or {}), **settings})

    def set(self, values: Mapping[str, Any]) -> Self:
        """A copy with these settings, by name; strings are converted. score=none: without attention.

        Choosing another part (score, window, order, encoder) keeps the changed settings of the previous part that the
        new part also has. Raises ValueError for an unknown name, for one that is not unique, for a setting that the
        chosen parts do not have, and for values that are not compatible.
        """
        return set_by_name(self, values)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return every_name()

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The config from `to_json`'s object. Raises ValueError if it is invalid."""
        if not isinstance(values, Mapping):
            raise ValueError(_("a model's settings must be a JSON object, not {values!r:.60}").format(values=values))
        return from_paths(cls, dict(paths_of(values)))

    def flat(self) -> dict[str, Any]:
        """All settings by path; the path of a part ("decoder") gives the part's name."""
        return dict(walk(self))

    def described(self) -> dict[str, About]:
        """The metadata of every part and of every setting of the chosen parts, by path."""
        parts = [*self._parts(), *([("attention.", AttentionSettings())] if self.attention is None else [])]
        return {f"{path}{name}": about for path, part in parts for name, about in (part.parts() | part.about()).items()}

    def has(self, name: str) -> bool:
        """Whether a part of this config has a setting `name`. Raises ValueError if several have."""
        return locate(name, self.flat()) is not None

    def changed_settings(self) -> dict[str, Any]:
        """The settings, by path, that differ from their parts' defaults; without the names of parts."""
        return {f"{path}{name}": value for path, part in self._parts() for name, value in part.changed().items()}

    @property
    def limits(self) -> tuple[dict[str, int], dict[str, int]]:
        """The settings that limit the tokens of a source, with </s> if source_eos, and those of a target, with <s>."""
        source = {"attention.score.width": self["attention.score.width"], "encoder.longest": self.encoder.most_tokens}
        target = {"decoder.longest": self.decoder.most_tokens}
        found, other = ({name: n for name, n in one.items() if n is not None} for one in (source, target))
        return found, other

    def _parts(self) -> list[tuple[str, Settings]]:
        """This config and its parts, each with the prefix of its settings' paths."""
        parts: list[tuple[str, Settings]] = [("", self), ("encoder.", self.encoder), ("decoder.", self.decoder)]
        if self.attention is not None:
            own = self.attention
            parts += [("attention.", own), ("attention.score.", own.score), ("attention.window.", own.window)]
        return parts

    def __getitem__(self, name: str) -> Any:
        """A setting by name; None if the chosen parts do not have it.

        Raises KeyError if no part has it, and ValueError if several of the chosen parts have it.
        """
        flat = self.flat()
        if (path := locate(name, flat)) is not None:
            return flat[path]
        if name not in every_name():
            raise KeyError(f"unknown setting {name!r}")
        return None

    def with_window(
        self,
        window: str | None = None,
        half_width: int | None = None,
        sigma: float | None = None,
        model: str = "the model",
        attention_type: str | None = None,
        live: Mapping[str, float | None] | None = None,
    ) -> Self:
        """The config of the trained `model` with another window and, if given, another attention type.

        `live` are more live settings of the window, by name, for a registered window. None leaves a setting
        unchanged, but where another live setting is given, one that may be none becomes none: a new D resets sigma to
        the window's default (local-p: D / 2; local-m: no Gaussian). Without a window and live settings, returns `self`.
        Raises ValueError without attention or for a Transformer, for a learned window in a model that was trained with
        another one, for a setting that the window does not have, such as D with "global", for a value out of range,
        and for a type that does not fit the window. `model` is the name in messages.
        """
        moved = {"half_width": half_width, "sigma": sigma, **(live or {})}
        moved = {name: value for name, value in moved.items() if value is not None}
        if window is None and not moved:
            return self
        if self.attention is None:
            raise ValueError(_("{model} has no attention, so no window can be set").format(model=model))
        if self.decoder.name == "transformer":
            message = _("{model} is a Transformer, whose heads attend to all words, so no window can be set")
            raise ValueError(message.format(model=model))
        trained = self.attention.window.name
        wanted = WINDOWS.settings(window or trained)
        if wanted.learned and wanted.name != trained:
            message = _("{model} was not trained to predict p_t: use window local-m, or a {window} model")
            raise ValueError(message.format(model=model, window=wanted.name))
        known = wanted.live()
        if moved and not known:
            message = _("a {window} window has no half-width or sigma: set the window of {model} to local-m too")
            raise ValueError(message.format(model=model, window=wanted.name))
        for name in moved:
            if name not in known:
                message = _("the window {window} has no live setting {name!r}{hint}; it has {names}")
                hint = meant(name, known)
                raise ValueError(message.format(window=wanted.name, name=name, hint=hint, names=", ".join(known)))
        changed: dict[str, Any] = {} if window is None else {"window": window}
        for name, kinds in wanted.kinds().items():
            if name in moved or (moved and name in known and type(None) in kinds):
                changed[f"attention.window.{name}"] = moved.get(name)
        if attention_type is not None:
            changed["attention.type"] = attention_type
        return self.set(changed)
