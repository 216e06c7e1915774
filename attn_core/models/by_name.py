"""Access to a model's settings by name: paths and short names, and the nested object of config.json."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, TypeVar

from attn_core.attention.settings import SCORES, WINDOWS, AttentionSettings
from attn_core.messages import _, offered
from attn_core.models.composition import Composition
from attn_core.models.encoders.settings import ENCODERS, EncoderSettings
from attn_core.models.settings import ORDERS, DecoderSettings, TransformerDecoderSettings
from attn_core.registry import Registry
from attn_core.settings import Part, Settings, check_value, read_value

Config = TypeVar("Config", bound=Composition)

NONE = (None, "none", "None", "")  # the ways to write that a part is absent

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
    "encoder_hidden": ("encoder.hidden",),
    "align_hidden": ("attention.score.hidden",),
    "location_width": ("attention.score.width",),
    "score_bias": ("attention.score.bias",),
    "score_scale": ("attention.score.scale",),
    "local_m_rule": ("attention.window.rule",),
}

# The registry of each part, by the part's path.
AXES: dict[str, Registry] = {
    "encoder": ENCODERS,
    "attention.score": SCORES,
    "attention.window": WINDOWS,
    "decoder": ORDERS,
}


def every_path() -> set[str]:
    """The paths of all settings of all parts."""
    parts: list[tuple[str, type[Settings]]] = [("", Composition), ("attention.", AttentionSettings)]
    parts += [(f"{path}.", registry.settings_class(name)) for path, registry in AXES.items() for name in registry]
    return {f"{path}{name}" for path, part in parts for name in part.about()}


def every_name() -> set[str]:
    """The last words of those paths."""
    return {path.rpartition(".")[2] for path in every_path()}


def every_spelling() -> tuple[str, ...]:
    """All names that set a setting or choose a part: short names, last words of paths, and paths."""
    return tuple(dict.fromkeys((*PATHS, *sorted(every_name()), "attention", *AXES, *sorted(every_path()))))


def walk(settings: Settings, path: str = "") -> Iterator[tuple[str, Any]]:
    """The path and value of every setting below `path`; the value at a part's own path is the part's name."""
    for one in fields(settings):
        value, place = getattr(settings, one.name), f"{path}{one.name}"
        if isinstance(value, Part):
            yield place, value.name
        if isinstance(value, Settings):
            yield from walk(value, f"{place}.")
        elif one.name != "name":
            yield place, value


def short(path: str) -> str:
    """The short name of the setting at a path: that of PATHS, or else the last word of the path."""
    return next((name for name, there in PATHS.items() if path in there), path.rpartition(".")[2])


def is_size(path: str) -> bool:
    """Whether the setting with this path or name is a size or an initial value, not part of the mechanism."""
    part, _, name = path.rpartition(".")
    kinds: list[type[Settings]] = [Composition, AttentionSettings]
    for axis, registry in AXES.items():
        if part in ("", axis):
            kinds += [registry.settings_class(key) for key in registry]
    return any(name in kind.about() and kind.about()[name].size for kind in kinds)


def paths(name: str) -> tuple[str, ...]:
    """The paths that a short name stands for; for any other name, the name itself."""
    return PATHS.get(name, (name,))


def set_by_name(config: Config, values: Mapping[str, Any]) -> Config:
    """See ModelConfig.set."""
    named = {path: value for name, value in values.items() for path in paths(name)}
    parts = _choose(config, named)
    known = _known(parts)
    chosen: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        if name in AXES or paths(name)[0] in AXES or name == "attention":
            continue
        places = [path for path in paths(name) if path in known] or _by_last_word(name, known)
        if not places:
            raise ValueError(_not_found(name, parts))
        if parts["attention"] is None:  # a short name then stands for its other places, if there are any
            places = [path for path in places if not path.startswith("attention.")] or places
        for path in places:
            part, _dot, last = path.rpartition(".")
            if part == "attention" and parts["attention"] is None:
                raise ValueError(
                    _("{name} is a setting of attention, but the model has none: set a score").format(name=name)
                )
            chosen.setdefault(part, {})[last] = value
    return _compose(config, parts, chosen)


def _choose(config: Composition, named: dict[str, Any]) -> dict[str, Any]:
    """The parts by path, with those in `named` replaced; attention is None for a model without attention."""
    attention = config.attention
    wanted = {named[path] for path in ("attention", "attention.score") if path in named}
    if named.get("attention") not in NONE:
        message = _("attention can only be set to none, not to {value!r}: the parts of attention are score and window")
        raise ValueError(message.format(value=named["attention"]))
    if wanted & {*NONE}:
        attention = None
        if named.get("attention.window") not in NONE:
            raise ValueError(_("a window needs a score: set both, or score=none alone for a model without attention"))
    elif attention is None and "attention.score" in named:
        attention = AttentionSettings()
    parts: dict[str, Any] = {"": config, "attention": attention, "encoder": config.encoder, "decoder": config.decoder}
    if attention is not None:
        parts |= {"attention.score": attention.score, "attention.window": attention.window}
    for path, registry in AXES.items():
        if path not in named or path not in parts or (path == "attention.score" and named[path] is None):
            continue
        name = registry.check(named[path])
        if parts[path].name != name:
            parts[path] = _become(parts[path], registry, name)
            if path == "decoder":
                parts["encoder"] = _companion(parts["encoder"], parts[path], named)
    if parts["encoder"].name == parts["decoder"].name == "transformer" and "encoder.score" not in named:
        score = named.get("attention.score")  # the same score in the encoder, unless it is named too
        if score in (parts["encoder"].about()["score"].allowed or ()):
            parts["encoder"] = replace(parts["encoder"], score=score)
    if not parts["encoder"].final_states and hasattr(parts["decoder"], "start") and "decoder.start" not in named:
        parts["decoder"] = replace(parts["decoder"], start="mean")
    return parts


def _become(before: Part, registry: Registry, name: str) -> Any:
    """The settings of the part `name`; changed settings of the part `before` are kept if both have them."""
    kind = registry.settings_class(name)
    own = {one.name: one for one in fields(kind) if "about" in one.metadata}
    kept = {}
    for key, value in before.changed().items():
        with suppress(ValueError):  # a value that the new part does not allow is replaced by the default
            if key in own:
                check_value(own[key], value)
                kept[key] = value
    return kind(**{"name": name} | kept)


def _companion(encoder: EncoderSettings, decoder: DecoderSettings, named: Mapping[str, Any]) -> EncoderSettings:
    """The encoder of the order's paper, unless `named` chooses another."""
    if "encoder" in named:
        return encoder
    if isinstance(decoder, TransformerDecoderSettings):
        return _become(encoder, ENCODERS, "transformer")
    return encoder if "encoder.cell" in named else encoder.beside(decoder)


def _known(parts: dict[str, Any]) -> set[str]:
    """The paths of all settings of the chosen parts."""
    known: set[str] = set()
    for path, part in parts.items():
        settings = AttentionSettings if path == "attention" and part is None else type(part)
        known |= {f"{path}.{name}" if path else name for name in settings.about()}
    return known


def _by_last_word(name: str, known: set[str]) -> list[str]:
    found = sorted(path for path in known if path.rpartition(".")[2] == name)
    if len(found) > 1:
        raise ValueError(
            _("several parts have a setting {name!r}: use one of {values}").format(name=name, values=", ".join(found))
        )
    return found


def _not_found(name: str, parts: dict[str, Any]) -> str:
    """The error message for a setting that no chosen part has: it belongs to other parts, or does not exist."""
    owners: dict[str, list[str]] = {}
    for path in paths(name):
        part, _dot, last = path.rpartition(".")
        for axis, registry in AXES.items():
            if part in ("", axis):
                there = [key for key in registry if last in registry.settings_class(key).about()]
                owners[axis] = owners.get(axis, []) + there
    owners = {path: there for path, there in owners.items() if there}
    if owners:
        belongs = _(" and to ").join(f"{AXES[path].axis} {', '.join(there)}" for path, there in owners.items())
        without = _("a model without {part}")
        chosen = (parts[path].name if parts.get(path) else without.format(part=AXES[path].axis) for path in owners)
        return _("{name} belongs to {belongs} and has no effect in {chosen}").format(
            name=name, belongs=belongs, chosen=_(" and ").join(dict.fromkeys(chosen))
        )
    return _("unknown setting {name!r}{hint}").format(name=name, hint=offered(name, [*PATHS, *sorted(every_name())]))


def _compose(config: Config, parts: dict[str, Any], chosen: dict[str, dict[str, Any]]) -> Config:
    for path, values in chosen.items():
        if path and path != "attention":
            parts[path] = parts[path].set(values)
    attention = parts["attention"]
    if attention is not None:
        own = {one.name: one for one in fields(AttentionSettings)}
        values = {name: read_value(own[name], value) for name, value in chosen.get("attention", {}).items()}
        attention = replace(attention, score=parts["attention.score"], window=parts["attention.window"], **values)
    own = {one.name: one for one in fields(config)}
    values = {name: read_value(own[name], value) for name, value in chosen.get("", {}).items()}
    return replace(config, encoder=parts["encoder"], attention=attention, decoder=parts["decoder"], **values)


def from_nested(cls: type[Config], values: Mapping[str, Any]) -> Config:
    """The config in the nested object of config.json."""

    def part(path: str, record: Any) -> Part:
        if not isinstance(record, Mapping) or "name" not in record:
            raise ValueError(
                _("{path} must be a JSON object with a name, not {record!r:.60}").format(path=path, record=record)
            )
        settings = AXES[path].settings_class(AXES[path].check(record["name"]))
        return settings(name=record["name"]).set({key: value for key, value in record.items() if key != "name"})

    top = {name: value for name, value in values.items() if name not in ("encoder", "attention", "decoder")}
    composed: dict[str, Any] = {name: part(name, values[name]) for name in ("encoder", "decoder") if name in values}
    record = values.get("attention", {})
    if record is None:
        composed["attention"] = None
    elif not isinstance(record, Mapping):
        raise ValueError(_("attention must be a JSON object or null, not {record!r:.60}").format(record=record))
    else:
        inner: dict[str, Any] = {
            name: part(f"attention.{name}", record[name]) for name in ("score", "window") if name in record
        }
        rest = {name: value for name, value in record.items() if name not in inner}
        composed["attention"] = AttentionSettings(**inner).set(rest)
    known = {one.name: one for one in fields(cls)}
    for name in top:
        if name not in known:
            raise ValueError(_("unknown setting {name!r}{hint}").format(name=name, hint=offered(name, known)))
    return cls(**composed, **{name: read_value(known[name], value) for name, value in top.items()})
