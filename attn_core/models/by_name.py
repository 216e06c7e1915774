"""Settings of a model by name: paths, short and older names, and the two forms of config.json."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, TypeVar

from attn_core.aliases import PATHS, SETTINGS, renamed
from attn_core.attention.settings import SCORES, WINDOWS, AttentionSettings
from attn_core.models.composition import Composition
from attn_core.models.settings import (
    ENCODERS,
    ORDERS,
    AttendThenUpdateSettings,
    DecoderSettings,
    EncoderSettings,
    RNNSettings,
    TransformerDecoderSettings,
)
from attn_core.registry import Registry, offered
from attn_core.settings import Part, Settings, check_value, read_value

Config = TypeVar("Config", bound=Composition)

# Which registry says what a part may be, by the part's path.
AXES: dict[str, Registry] = {
    "encoder": ENCODERS,
    "attention.score": SCORES,
    "attention.window": WINDOWS,
    "decoder": ORDERS,
}


def every_path() -> set[str]:
    """The paths of all settings that some part has."""
    parts: list[tuple[str, type[Settings]]] = [("", Composition), ("attention.", AttentionSettings)]
    parts += [(f"{path}.", registry.settings_class(name)) for path, registry in AXES.items() for name in registry]
    return {f"{path}{name}" for path, part in parts for name in part.about()}


def every_name() -> set[str]:
    """The last words of those paths."""
    return {path.rpartition(".")[2] for path in every_path()}


def every_spelling() -> tuple[str, ...]:
    """All names by which a setting, or the choice of a part, can be set: short and older ones, last words, paths."""
    return tuple(dict.fromkeys((*PATHS, *SETTINGS, *sorted(every_name()), "attention", *AXES, *sorted(every_path()))))


def walk(settings: Settings, path: str = "") -> Iterator[tuple[str, Any]]:
    for one in fields(settings):
        value, place = getattr(settings, one.name), f"{path}{one.name}"
        if isinstance(value, Part):
            yield place, value.name
        if isinstance(value, Settings):
            yield from walk(value, f"{place}.")
        elif one.name != "name" and (value is not None or "about" in one.metadata):
            yield place, value
        elif one.name == "attention":
            yield place, None


def short(path: str) -> str:
    """The short name of the setting at a path: that of the alias table, or else the path's last word."""
    return next((name for name, there in PATHS.items() if path in there), path.rpartition(".")[2])


def is_size(path: str) -> bool:
    """Whether the setting at a path (or of a name, in whichever part) is a size or a start value, not a mechanism."""
    part, _, name = path.rpartition(".")
    kinds: list[type[Settings]] = [Composition, AttentionSettings]
    for axis, registry in AXES.items():
        if part in ("", axis):
            kinds += [registry.settings_class(key) for key in registry]
    return any(name in kind.about() and kind.about()[name].size for kind in kinds)


def paths(name: str) -> tuple[str, ...]:
    """The paths that a name of the alias table stands for; else the name itself."""
    return PATHS.get(name, (name,))


def set_by_name(config: Config, values: Mapping[str, Any]) -> Config:
    """See ModelConfig.set."""
    values = renamed(values)
    named = {path: value for name, value in values.items() for path in paths(name)}
    parts = _choose(config, named)
    known = _known(parts)
    chosen: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        if name in AXES or paths(name)[0] in AXES or name == "attention":
            continue
        places = [path for path in paths(name) if path in known] or _by_last_word(name, known)
        if not places:
            raise ValueError(_nowhere(name, value, parts))
        for path in places:
            part, _, last = path.rpartition(".")
            if part == "attention" and parts["attention"] is None:
                raise ValueError(f"{name} belongs to attention, and a model without a score has none")
            chosen.setdefault(part, {})[last] = value
    return _compose(config, parts, chosen)


def _choose(config: Composition, named: dict[str, Any]) -> dict[str, Any]:
    """The parts by path after `named` has chosen some of them; attention None where there is none."""
    attention = config.attention
    wanted = {named[path] for path in ("attention", "attention.score") if path in named}
    if wanted & {None, "none", "None", ""}:
        attention = None
        if named.get("attention.window") not in (None, "none", "None", ""):
            raise ValueError("score and window go together: set both, or score=none for a model without attention")
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
        score = named.get("attention.score")  # one score in all layers, unless the encoder's is named too
        if score in (parts["encoder"].about()["score"].allowed or ()):
            parts["encoder"] = replace(parts["encoder"], score=score)
    if parts["encoder"].name != "rnn" and hasattr(parts["decoder"], "start") and "decoder.start" not in named:
        parts["decoder"] = replace(parts["decoder"], start="mean")
    return parts


def _become(before: Part, registry: Registry, name: str) -> Any:
    """The settings called `name`, which keep what those before have set of the settings that both have."""
    kind = registry.settings_class(name)
    own = {one.name: one for one in fields(kind) if "about" in one.metadata}
    kept = {}
    for key, value in before.changed().items():
        with suppress(ValueError):  # a value that the new part cannot have gives way to its default
            if key in own:
                check_value(own[key], value)
                kept[key] = value
    return kind(**{"name": name} | kept)


def _companion(encoder: EncoderSettings, decoder: DecoderSettings, named: Mapping[str, Any]) -> EncoderSettings:
    """The encoder that goes with an order, as in its paper, unless it was named."""
    if "encoder" in named:
        return encoder
    if isinstance(decoder, TransformerDecoderSettings):
        return _become(encoder, ENCODERS, "transformer")
    if not isinstance(encoder, RNNSettings) or "encoder.cell" in named:
        return encoder
    if isinstance(decoder, AttendThenUpdateSettings):
        return replace(encoder, cell="gru", layers=1, biases=True)
    return replace(encoder, cell="lstm", reset="before") if encoder.cell == "gru" else encoder


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
        raise ValueError(f"setting {name!r} is in several parts: name one of {', '.join(found)}")
    return found


def _nowhere(name: str, value: Any, parts: dict[str, Any]) -> str:
    """Why no chosen part has a setting of this name: it belongs to others, or to none."""
    owners: dict[str, list[str]] = {}
    for path in paths(name):
        part, _, last = path.rpartition(".")
        for axis, registry in AXES.items():
            if part in ("", axis):
                there = [key for key in registry if last in registry.settings_class(key).about()]
                owners[axis] = owners.get(axis, []) + there
    owners = {path: there for path, there in owners.items() if there}
    if owners:
        belongs = " and to ".join(f"{AXES[path].axis} {', '.join(there)}" for path, there in owners.items())
        chosen = (parts[path].name if parts.get(path) else f"a model without {AXES[path].axis}" for path in owners)
        return f"{name} belongs to {belongs} and changes nothing in {' and '.join(dict.fromkeys(chosen))}"
    return f"unknown setting {name!r}{offered(name, [*PATHS, *sorted(every_name())])}"


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
    """The config of format 2's nested object."""

    def part(path: str, record: Any) -> Part:
        if not isinstance(record, Mapping) or "name" not in record:
            raise ValueError(f"{path} must be a JSON object with a name, not {record!r:.60}")
        settings = AXES[path].settings_class(AXES[path].check(record["name"]))
        return settings(name=record["name"]).set({key: value for key, value in record.items() if key != "name"})

    top = {name: value for name, value in values.items() if name not in ("encoder", "attention", "decoder")}
    composed: dict[str, Any] = {name: part(name, values[name]) for name in ("encoder", "decoder") if name in values}
    record = values.get("attention", {})
    if record is None:
        composed["attention"] = None
    elif record:
        if not isinstance(record, Mapping):
            raise ValueError(f"attention must be a JSON object or null, not {record!r:.60}")
        inner: dict[str, Any] = {
            name: part(f"attention.{name}", record[name]) for name in ("score", "window") if name in record
        }
        rest = {name: value for name, value in record.items() if name not in inner}
        composed["attention"] = AttentionSettings(**inner).set(rest) if inner else AttentionSettings().set(rest)
    known = {one.name: one for one in fields(cls)}
    for name in top:
        if name not in known:
            raise ValueError(f"unknown setting {name!r}{offered(name, known)}")
    return cls(**composed, **{name: read_value(known[name], value) for name, value in top.items()})


def from_flat(cls: type[Config], values: Mapping[str, Any]) -> Config:
    """The config of format 1, one flat object, in which settings that change nothing stand at their defaults."""
    values = {"update": "groundhog"} | dict(values)  # which was the default then
    parts = ("score", "window", "order")
    parts_only = {path: value for name in parts if name in values for path, value in [(paths(name)[0], values[name])]}
    picked = _choose(cls(), parts_only)
    known, decoder = _known(picked), picked["decoder"]
    wanted = {}
    for name, value in values.items():
        if name in parts or (value is None and name in ("query", "combine", "start")):
            continue
        if name == "cell" and decoder.name != "update-then-attend":
            continue  # Bahdanau's order had its GRU, and gnmt its LSTMs, whatever this said
        if name not in PATHS and name not in every_name():
            raise ValueError(f"unknown setting {name!r}{offered(name, [*PATHS, *sorted(every_name())])}")
        if any(path in known for path in paths(name)) or any(path.rpartition(".")[2] == name for path in known):
            wanted[name] = value
    if picked["attention"] is None:
        own = {f"attention.{name}" for name in AttentionSettings.about()}
        wanted = {name: value for name, value in wanted.items() if not own & {*paths(name), f"attention.{name}"}}
    return set_by_name(cls(), {name: values[name] for name in parts if name in values} | wanted)
