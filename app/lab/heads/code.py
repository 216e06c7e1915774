"""The code of multi-head attention, for the page."""

from pathlib import Path

from app.lab.kit.evidence import Evidence
from app.lab.kit.source import listing
from attn_core.messages import _

_PROGRAMS = Path(__file__).with_name("programs.py")


def listings() -> Evidence:
    """Multi-head attention in its parts."""
    parts = ("Head", "MultiHead.memory", "MultiHead.looks")
    yield listing(_("Multi-head attention"), "attention/multihead.py", parts, _PROGRAMS, "MultiHead")
