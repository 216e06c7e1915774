"""Conversion of traces of older schemas to the current one. Only names have changed since schema 1."""

from typing import Any

from attn_core.aliases import LOOK, VALUES, renamed


def upgraded(record: dict[str, Any]) -> dict[str, Any]:
    """A trace of schema 1 with the names of schema 2.

    Raises KeyError, TypeError or AttributeError if a field is missing or has the wrong type.
    """
    steps = [step | {"looks": [_look(look) for look in step["looks"]]} for step in record["steps"]]
    return record | {"schema": 2, "settings": _settings(record["settings"]), "steps": steps}


def _look(look: dict[str, Any]) -> dict[str, Any]:
    return {LOOK.get(name, name): value for name, value in look.items()}


def _settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a model, or of an ensemble, which lists its members' settings and joins different values by +."""
    found = renamed(settings)
    for name, values in VALUES.items():
        if isinstance(found.get(name), str):
            found[name] = "+".join(values.get(value, value) for value in found[name].split("+"))
    if "ensemble" in found:
        found["ensemble"] = [_settings(member) for member in found["ensemble"]]
    return found
