"""The code of the score functions, for the page."""

from pathlib import Path

from app.lab.kit.evidence import Evidence
from app.lab.kit.source import listing

_PROGRAMS = Path(__file__).with_name("programs.py")

SCORES = {  # by setting: the program's class, and its parts in attn_core
    "dot": ("Dot", ("Dot",)),
    "scaled_dot": ("ScaledDot", ("ScaledDot", "Dot.forward")),
    "general": ("General", ("General",)),
    "additive": ("Additive", ("Additive", "_collapse")),
    "concat": ("Concat", ("Concat", "_collapse")),
    "location": ("Location", ("Location.__init__", "Location.keys", "Location.forward")),
}


def listings() -> Evidence:
    """A listing for each score function."""
    for name, (program, places) in SCORES.items():
        yield listing(name, "attention/scores.py", places, _PROGRAMS, program)
