"""The Paths page: Bahdanau's and Luong's decoding step as two graphs with the numbers of a decoded sentence."""

from pathlib import Path

from app.lab.kit.described import LabPage, Section, Stage, draw
from app.lab.kit.live import Choice, Live
from app.lab.paths.cards import CARDS
from app.shell.notes import Notes
from attn_core.messages import N_

__all__ = ["CARDS", "page"]

_HERE = Path(__file__).parent
_MODELS = (
    Choice("paths_bahdanau", N_("Attend, then update"), ("attend-then-update",), "bahdanau-printed"),
    Choice("paths_luong", N_("Update, then attend"), ("update-then-attend",), "luong-general-local-p"),
)
PAGE = LabPage(
    N_("Paths"),
    N_("In which order is a decoding step computed, and which state can be the query?"),
    N_("Press play in either diagram. Then try the other state as the query and see what happens to the order."),
    (
        Section(
            Stage("path_lab", _HERE / "stage.js", _HERE / "paths.css", live=Live("paths_text", _MODELS, True)),
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
            blocks="app.lab.paths.code:listings",
        ),
    ),
    CARDS,
    Notes(
        (
            N_("Press play in the upper diagram and have the class say which box comes next."),
            N_("Then try the new state as the query: the step waits for itself."),
            N_("The lower diagram has the new state first, so it can be the query."),
        ),
        N_(
            "Bahdanau's decoder attends with its previous state because the new one is computed from the context "
            "vector. Luong's updates first and attends with the new state."
        ),
        8,
    ),
)


def page() -> None:
    """Draw the page."""
    draw(PAGE)
