"""Older names that are still read: settings, their values, flags, link parameters, and the keys of trace schema 1.

This is the one table of them; new output has the new names.
"""

from collections.abc import Mapping
from typing import Any

SETTINGS = {"read": "attention_type", "trained_read": "trained_attention_type", "align": "normalizer"}
VALUES = {"order": {"step-then-look": "update-then-attend", "look-then-step": "attend-then-update"}}

# Entries of a look in a trace of schema 1.
LOOK = {"align": "alignment"}


def flag(word: str) -> str:
    """A word of a command line: an older flag, such as `--read` or `--read=soft`, with its new name; others as given."""
    name, equals, value = word.removeprefix("--").partition("=")
    new = SETTINGS.get(name) if word.startswith("--") else None
    return f"--{new.replace('_', '-')}{equals}{value}" if new else word


def renamed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """`settings` with new names, and new values, in place of older ones."""
    found = {SETTINGS.get(name, name): value for name, value in settings.items()}
    for name, values in VALUES.items():
        if isinstance(found.get(name), str):
            found[name] = values.get(found[name], found[name])
    return found
