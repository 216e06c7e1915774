"""Settings: a small frozen dataclass for each part of a model; each field declares its meaning and allowed values.

    @dataclass(frozen=True)
    class Location(Part):
        name: str = "location"
        width: int = setting(50, "rows of W_a: the longest source", source="Luong 2015, eq. 8", least=1)

Validation, error messages, `--set`, model cards and the variants table are derived from these fields. Neither this
module nor the modules that declare settings import torch.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, asdict, dataclass, field, fields, replace
from decimal import Decimal
from typing import Any, Self, get_args

from attn_core.messages import _, meant, offered

# Upper limits, so that a typo (1e30) is refused at once, not after hours. Smaller values may still not fit in memory.
UNITS = 65_536  # units of a layer
LAYERS = 200
POSITIONS = 100_000  # words of a sentence
COUNT = 10**9  # updates, epochs or words in training
WEIGHT = 1000  # weight of a term of the loss


@dataclass(frozen=True)
class About:
    """The metadata of a field: its meaning, its source and its allowed values."""

    meaning: str
    source: str = ""
    allowed: tuple[Any, ...] = ()
    least: float | None = None  # the smallest value
    most: float | None = None  # the largest value
    above: float | None = None  # the value must be larger than this
    below: float | None = None  # the value must be smaller than this
    unit: str = ""
    symbol: str = ""  # how equations and pages name it, such as D
    label: str = ""  # of its slider on a page; if empty, its meaning
    live: bool = False  # it may be changed in a trained model, so a page has a slider for it
    size: bool = False  # a size or an initial value, not part of the mechanism: omitted from the variants table


def setting(default: Any, meaning: str, **about: Any) -> Any:
    """A field of a settings dataclass. The arguments are those of `About`."""
    return field(default=default, metadata={"about": About(meaning, **about)})


def meaning_of_part(meaning: str, source: str = "") -> dict[str, About]:
    """The metadata of a field that holds the settings of a part; `meaning` is that of choosing the part by name."""
    return {"part": About(meaning, source)}


@dataclass(frozen=True)
class Settings:
    """Base class of settings. Raises ValueError, naming the setting, for a value of the wrong type or out of range."""

    def __post_init__(self) -> None:
        where = _(" in {part}").format(part=self.name) if isinstance(self, Part) else ""
        for one in fields(self):
            check_value(one, getattr(self, one.name), where=where)

    @classmethod
    def about(cls) -> dict[str, About]:
        """The metadata of each setting, by name."""
        return {one.name: one.metadata["about"] for one in fields(cls) if "about" in one.metadata}

    @classmethod
    def parts(cls) -> dict[str, About]:
        """The metadata of each field that holds the settings of a part, by name."""
        return {one.name: one.metadata["part"] for one in fields(cls) if "part" in one.metadata}

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """The default of each setting, by name."""
        return {one.name: one.default for one in fields(cls) if "about" in one.metadata and one.default is not MISSING}

    @classmethod
    def live(cls) -> dict[str, About]:
        """The metadata of each setting that may be changed in a trained model, by name."""
        return {name: about for name, about in cls.about().items() if about.live}

    @classmethod
    def kinds(cls) -> dict[str, tuple[type, ...]]:
        """The types that each setting may have, by name; NoneType is one of those of a setting that may be none."""
        return {one.name: _kinds(one) for one in fields(cls) if "about" in one.metadata}

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names that `set` accepts."""
        return tuple(one.name for one in fields(cls))

    def changed(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        return {name: getattr(self, name) for name, value in self.defaults().items() if getattr(self, name) != value}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """`values` converted to the types of the settings (`--set dropout=0.2`).

        Raises ValueError for an unknown name, and for a value that cannot be converted.
        """
        known = {one.name: one for one in fields(cls)}
        for name in values:
            if name not in known:
                raise ValueError(_("unknown setting {name!r}{hint}").format(name=name, hint=offered(name, known)))
        return {name: read_value(known[name], value) for name, value in values.items()}

    def set(self, values: Mapping[str, Any]) -> Self:
        """A copy with `values` replaced; strings are converted. Raises ValueError as `read`, and out of range."""
        return replace(self, **self.read(values))

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The settings from a JSON object; missing fields take their defaults. Raises ValueError as `set` does."""
        return cls().set(values)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def flat(self) -> dict[str, Any]:
        """All settings by name, those of parts by their path."""
        return self.to_json()

    def described(self) -> dict[str, About]:
        """The metadata of all settings, by the names of `flat`."""
        return self.about()

    def __getitem__(self, name: str) -> Any:
        """A setting by name. Raises KeyError if there is none."""
        return self.flat()[name]


@dataclass(frozen=True)
class Part(Settings):
    """Settings of one value of an axis: `name` is its key in the axis's registry."""

    name: str = ""


def check_choice(name: str, value: Any, allowed: Iterable[Any], where: str = "") -> None:
    """Raise ValueError if the `value` of setting `name` is not in `allowed`; the message appends `where` to those."""
    allowed = tuple(allowed)
    if value not in allowed:
        there = ["none" if one is None else str(one) for one in allowed]
        near = meant(str(value), there)
        raise ValueError(
            _("setting {name} must be one of {values}{where}, not {value!r}{near}").format(
                name=name, values=", ".join(there), where=where, value=value, near=near
            )
        )


def check_value(attribute: Field, value: Any, where: str = "") -> None:
    """Raise ValueError if the attribute cannot hold `value`; `where` is appended to the allowed values it names."""
    about: About | None = attribute.metadata.get("about")
    if about is None:
        return
    name, kinds = attribute.name, _kinds(attribute)
    if value is None and type(None) in kinds:
        return
    if about.allowed:
        check_choice(name, value, about.allowed, where)
        return
    if not _fits(value, kinds):
        raise _of_another_type(name, kinds, value)
    if isinstance(value, int | float) and not isinstance(value, bool) and not _inside(value, about):
        raise ValueError(
            _("{name} must be {range}, not {value}").format(name=name, range=_range(about, value), value=shown(value))
        )


def read_value(one: Field, value: Any) -> Any:
    """`value` converted to the field's type. Raises ValueError if it cannot be converted."""
    kinds = _kinds(one)
    if not kinds:  # settings of a part
        return value
    if type(None) in kinds and value in (None, "none", "None", ""):
        return None
    kind = next(kind for kind in kinds if kind is not type(None))
    try:
        if kind is bool:
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[str(value).lower()]
        if isinstance(value, bool) or (kind is int and float(value) != int(float(value))):
            raise ValueError
        return int(float(value)) if kind is int else kind(value)
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise _of_another_type(one.name, [kind], value) from error


def written(value: Any) -> str:
    """A value in the form that `--set` accepts."""
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def shown(value: float) -> str:
    """A number for a message; a whole number of many digits in powers of ten."""
    return f"{Decimal(value):.3g}" if isinstance(value, int) and abs(value) >= 10**15 else str(value)


def _of_another_type(name: str, kinds: Iterable[type], value: Any) -> ValueError:
    """The error for a value of none of these types."""
    words = {bool: _("true or false"), int: _("a whole number"), float: _("a number"), str: _("text")}
    wanted = _(" or ").join(words.get(kind, "none") for kind in kinds)
    return ValueError(_("setting {name} must be {wanted}, not {value!r}").format(name=name, wanted=wanted, value=value))


def _kinds(one: Field) -> tuple[type, ...]:
    """The scalar types that a field may hold; empty for a field that holds other settings."""
    kinds = tuple(get_args(one.type)) or (one.type,)
    return tuple(kind for kind in kinds if kind in (bool, int, float, str, type(None)))


def _fits(value: Any, kinds: tuple[type, ...]) -> bool:
    """Whether `value` is of one of the types; an int is accepted as a float, a bool only as a bool."""
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, kinds) or (float in kinds and isinstance(value, int))


def _inside(value: float, about: About) -> bool:
    return (
        abs(value) < float("inf")  # false for NaN too
        and (about.least is None or value >= about.least)
        and (about.most is None or value <= about.most)
        and (about.above is None or value > about.above)
        and (about.below is None or value < about.below)
    )


def allowed_values(about: About) -> str:
    """The allowed values of a setting, in words."""
    if about.allowed:
        return ", ".join(written(value) for value in about.allowed)
    if about.least is not None and about.most is not None:
        return _("from {least:,g} to {most:,}").format(least=about.least, most=about.most) + _unit(about)
    return _range(about, -math.inf)


def _range(about: About, value: float) -> str:
    """The allowed range of a setting, in words. If it has two limits, perhaps only the one that `value` violates."""
    least, most, above, below = about.least, about.most, about.above, about.below
    text = _("a number")
    if math.isnan(value):
        pass
    elif most is not None and (value > most or most <= 1):
        text = _("at most {most:,}") if least is None else _("from {least:,g} to {most:,}")
    elif above is not None:
        text = _("above {above:g}")
    elif least is not None:
        text = _("at least {least:g}") if below is None else _("at least {least:g} and below {below:g}")
    return text.format(least=least, most=most, above=above, below=below) + _unit(about)


def _unit(about: About) -> str:
    return f" {_(about.unit)}" if about.unit else ""
