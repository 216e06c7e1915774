"""The Paths page: Bahdanau's and Luong's decoding step as two graphs with the numbers of a decoded sentence."""

from pathlib import Path

from app.lab.kit.described import Code, LabPage, Section, Stage
from app.lab.kit.live import Choice, Live
from app.lab.paths.cards import CARDS
from app.shell.notes import Notes
from attn_core.messages import N_

_HERE = Path(__file__).parent
_PROGRAMS = _HERE / "programs.py"
_MODELS = (
    Choice("paths_bahdanau", N_("Attend, then update"), ("attend-then-update",), "bahdanau-printed"),
    Choice("paths_luong", N_("Update, then attend"), ("update-then-attend",), "luong-general-local-p"),
)
PAGE = LabPage(
    title=N_("Paths"),
    about=N_("Compare Bahdanau's and Luong's decoding steps as graphs, with their numbers"),
    order=50,
    question=N_("In which order is a decoding step computed, and which state can be the query?"),
    first=N_("Press play in either diagram. Then try the other state as the query and see what happens to the order."),
    sections=(
        Section(
            Stage(_HERE / "paths.js", live=Live("paths_text", _MODELS, True)),
            note=N_(
                "`bahdanau-printed` computes the step as printed in the paper (appendix A.2.2); choose `bahdanau` to "
                "compare it with the step of the authors' code. In Bahdanau's step $i$ counts from 1, as in the paper; "
                "in Luong's, $t$ counts from 0."
            ),
        ),
        Section(
            title=N_("Read the code"),
            text=N_(
                "The first listing is one decoding step as a standalone class, for one sentence; the second is the "
                "package's code, for whole batches and with all options. The tests check that both give the same "
                "numbers."
            ),
            code=(
                Code(
                    N_("Attend, then update"),
                    "models/decoders/attend_then_update.py",
                    tuple(
                        f"AttendThenUpdate.{method}"
                        for method in ("steps", "cell_input", "attend", "next_state", "combined")
                    ),
                    _PROGRAMS,
                    "AttendThenUpdate",
                ),
                Code(
                    N_("Update, then attend"),
                    "models/decoders/update_then_attend.py",
                    ("UpdateThenAttend._stepwise", "UpdateThenAttend._attend"),
                    _PROGRAMS,
                    "UpdateThenAttend",
                ),
            ),
        ),
    ),
    cards=CARDS,
    notes=Notes(
        (
            N_("Press play in Bahdanau's diagram, above, and have the class say which box comes next."),
            N_("Try the new state s_{i} as the query: the red arrows form a cycle, and no box in it can be the first."),
            N_("In Luong's diagram, below, the new state h_{t} is computed first, so it can be the query."),
        ),
        N_(
            "Bahdanau's decoder attends first, with its previous state, because the new one is computed from the "
            "context vector. Luong's decoder updates first, and attends with its new state."
        ),
        8,
    ),
)
