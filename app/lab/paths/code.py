"""The code of the two decoding steps, for the page."""

from pathlib import Path

from app.lab.kit.evidence import Evidence
from app.lab.kit.source import listing
from attn_core.messages import N_, _

_PROGRAMS = Path(__file__).with_name("programs.py")
STEPS = (
    (
        N_("Attend, then update"),
        "attend_then_update.py",
        "AttendThenUpdate",
        ("steps", "cell_input", "attend", "next_state", "combined"),
    ),
    (N_("Update, then attend"), "update_then_attend.py", "UpdateThenAttend", ("_stepwise", "_attend")),
)


def listings() -> Evidence:
    """A listing for each order."""
    for title, file, name, methods in STEPS:
        places = tuple(f"{name}.{method}" for method in methods)
        yield listing(_(title), f"models/decoders/{file}", places, _PROGRAMS, name)
