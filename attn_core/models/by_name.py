"""The settings of a model by name: the path of each, and the nested object of config.json.

A setting is named by its path ("attention.score.rank"), or by the last word of the path where that is unique among the
parts in use ("rank"). A part is chosen by its axis (encoder, score, window, order) or its path.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from typing import Any, TypeVar

from attn_core.attention.settings import SCORES, WINDOWS, AttentionSettings
from attn_core.messages import _, offered
from attn_core.models.composition import Composition
from attn_core.models.encoders.settings import ENCODERS
from attn_core.models.settings import ORDERS
from attn_core.registry import Registry
from attn_core.settings import Settings, check_value

Config = TypeVar("Config", bound=Composition)

NONE = (None, "none", "None", "")  # the ways to write that there is no attention

# The registry of each part, by the part's path.
AXES: dict[str, Registry] = {
    "encoder": ENCODERS,
    "attention.score": SCORES,
    "attention.window": WINDOWS,
    "decoder": ORDERS,
}
_PART_OF_AXIS = {registry.axis: path for path, registry in AXES.items()}


def every_name() -> tuple[str, ...]:
    """All names of parts and settings: axes, last words of paths, and paths."""
    parts: list[tuple[str, type[Settings]]] = [("", Composition), ("attention.", AttentionSettings)]
    parts += [(f"{path}.", registry.settings_class(name)) for path, registry in AXES.items() for name in registry]
    paths = sorted({f"{path}{name}" for path, part in parts for name in part.about()})
    words = sorted({path.rpartition(".")[2] for path in paths})
    return tuple(dict.fromkeys((*_PART_OF_AXIS, *words, *AXES, *paths)))


def walk(settings: Settings, path: str = "") -> Iterator[tuple[str, Any]]:
    """The path and value of every setting below `path`; the value at a part's own path is the part's name.

    Without attention, that of the score is None.
    """
    for one in fields(settings):
        value, place = getattr(settings, one.name), f"{path}{one.name}"
        if place in AXES:
            yield place, value.name
        if isinstance(value, Settings):
            yield from walk(value, f"{place}.")
        elif place == "attention":
            yield "attention.score", None
        elif "about" in one.metadata:
            yield place, value


def locate(name: str, paths: Iterable[str]) -> str | None:
    """The one of `paths` that a name stands for, or None. Raises ValueError if the last words of several are `name`."""
    name = _PART_OF_AXIS.get(name, name)
    if name in paths:
        return name
    found = sorted(path for path in paths if path not in AXES and path.rpartition(".")[2] == name)
    if len(found) > 1:
        raise ValueError(
            _("several parts have a setting {name!r}: use one of {values}").format(name=name, values=", ".join(found))
        )
    return found[0] if found else None


def set_by_name(config: Config, values: Mapping[str, Any]) -> Config:
    """See ModelConfig.set."""
    named = {_PART_OF_AXIS.get(name, name): value for name, value in values.items()}
    chosen = {path: named.pop(path) for path in AXES if path in named}
    flat = _choose(dict(walk(config)), chosen)
    for name, value in named.items():
        path = locate(name, flat)
        if path is None:
            raise ValueError(_not_found(name, flat))
        flat[path] = value
    return from_paths(type(config), flat)


def _choose(flat: dict[str, Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """The settings by path, with other parts."""
    if chosen.get("attention.score", flat["attention.score"]) in NONE:
        if chosen.pop("attention.window", None) not in NONE:
            raise ValueError(_("a window needs a score: set both, or score=none alone for a model without attention"))
        chosen.pop("attention.score", None)
        flat = {path: value for path, value in flat.items() if not path.startswith("attention.")}
        flat["attention.score"] = None
    elif flat["attention.score"] is None:
        flat |= walk(AttentionSettings(), "attention.")
    for path, name in chosen.items():
        if flat[path] != name:
            flat = _replace_part(flat, path, AXES[path].check(name))
    return flat


def _replace_part(flat: dict[str, Any], path: str, name: str) -> dict[str, Any]:
    """The settings by path, with the part `name` at `path`.

    It keeps the changed settings of the part that was there, if it has and allows them.
    """
    before, after = (AXES[path].settings_class(key) for key in (flat[path], name))
    own = {path: name} | {f"{path}.{key}": value for key, value in after.defaults().items()}
    for one in fields(after):
        place = f"{path}.{one.name}"
        if place in flat and flat[place] != before.defaults()[one.name]:
            with suppress(ValueError):
                check_value(one, flat[place])
                own[place] = flat[place]
    return {place: value for place, value in flat.items() if not place.startswith(f"{path}.")} | own


def _not_found(name: str, flat: Mapping[str, Any]) -> str:
    """The error message for a setting that no part in use has: it belongs to other parts, or does not exist."""
    part, _dot, last = name.rpartition(".")
    if part in ("", "attention") and last in AttentionSettings.about():
        return _("{name} is a setting of attention, but the model has none: set a score").format(name=name)
    owners = {
        path: [key for key in registry if last in registry.settings_class(key).about()]
        for path, registry in AXES.items()
        if part in ("", path)
    }
    owners = {path: keys for path, keys in owners.items() if keys}
    if not owners:
        return _("unknown setting {name!r}{hint}").format(name=name, hint=offered(name, every_name()))
    belongs = _(" and to ").join(f"{AXES[path].axis} {', '.join(keys)}" for path, keys in owners.items())
    without = _("a model without {part}")
    chosen = (flat.get(path) or without.format(part=AXES[path].axis) for path in owners)
    return _("{name} belongs to {belongs} and has no effect in {chosen}").format(
        name=name, belongs=belongs, chosen=_(" and ").join(dict.fromkeys(chosen))
    )


def from_paths(cls: type[Config], values: Mapping[str, Any]) -> Config:
    """The config with these settings, by path; the others have their defaults."""
    usual = dict(walk(cls()))
    groups: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        part, _dot, name = path.rpartition(".")
        if path not in AXES:
            groups.setdefault(part, {})[name] = value

    def build(path: str) -> Any:
        name = AXES[path].check(values.get(path, usual[path]))
        kind = AXES[path].settings_class(name)
        return kind(**{"name": name} | kind.read(groups.get(path, {})))

    parts = {path: build(path) for path in AXES if path != "attention.score" or values.get(path, "") is not None}
    attention = None
    if "attention.score" in parts:
        own = AttentionSettings.read(groups.get("attention", {}))
        attention = AttentionSettings(parts["attention.score"], parts["attention.window"], **own)
    return cls(parts["encoder"], attention, parts["decoder"], **cls.read(groups.get("", {})))


def paths_of(record: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """The path and value of every setting in the nested object of config.json.

    Raises ValueError for a part that is not an object with a name.
    """
    for name, value in record.items():
        place = f"{path}{name}"
        if place in AXES and not (isinstance(value, Mapping) and "name" in value):
            raise ValueError(
                _("{path} must be a JSON object with a name, not {record!r:.60}").format(path=place, record=value)
            )
        if place == "attention" and not isinstance(value, Mapping | None):
            raise ValueError(_("attention must be a JSON object or null, not {record!r:.60}").format(record=value))
        if place in (*AXES, "attention") and value is not None:
            yield from paths_of(value, f"{place}.")
        elif place == "attention":
            yield "attention.score", None
        elif name == "name" and path:
            yield path.rstrip("."), value
        else:
            yield place, value
