"""Traces of older schemas as traces of this one. What changed since schema 1 are names."""

from typing import Any

from attn_core.aliases import LOOK, VALUES, renamed


def upgraded(record: dict[str, Any]) -> dict[str, Any]:
    """A trace of schema 1 with the names of schema 2.

    Raises KeyError, TypeError or AttributeError for one that lacks a part or has one of another type.
    """
    steps = [step | {"looks": [_look(look) for look in step["looks"]]} for step in record["steps"]]
    return record | {"schema": 2, "settings": _settings(record["settings"]), "steps": steps}


def _look(look: dict[str, Any]) -> dict[str, Any]:
    return {LOOK.get(name, name): value for name, value in look.items()}


def _settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Those of one model, or of an ensemble: it has its members' settings, and joins values that differ by a plus."""
    found = renamed(settings)
    for name, values in VALUES.items():
        if isinstance(found.get(name), str):
            found[name] = "+".join(values.get(value, value) for value in found[name].split("+"))
    if "ensemble" in found:
        found["ensemble"] = [_settings(member) for member in found["ensemble"]]
    return found
