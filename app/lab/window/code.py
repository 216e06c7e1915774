"""The code of the local windows, for the page."""

from pathlib import Path

from app.lab.kit.evidence import Evidence
from app.lab.kit.source import listing

_PROGRAMS = Path(__file__).with_name("programs.py")


def listings() -> Evidence:
    """A listing for each local window: where it is, and what it does to the weights."""
    for name, made in (("local-m", "LocalM"), ("local-p", "LocalP")):
        yield listing(name, "attention/windows.py", (made, "Local.middle", "Local.around"), _PROGRAMS, made)
