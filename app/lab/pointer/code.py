"""The code of a pointer network, for the page."""

from pathlib import Path

from app.lab.kit.evidence import Evidence
from app.lab.kit.source import listing
from attn_core.messages import N_, _

TITLE = N_("Pointer network")
_PROGRAMS = Path(__file__).with_name("programs.py")


def listings() -> Evidence:
    """A listing of the pointer network: its memory, a step, and the choice."""
    places = ("PointerNet.encode", "PointerNet.remembered", "PointerNet.attend", "PointerNet.log_probs")
    yield listing(_(TITLE), "synthetic/pointer/net.py", places, _PROGRAMS, "Pointer")
