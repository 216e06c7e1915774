"""The Training page: the attention on fixed sentences at the updates of a training, recorded or in progress."""

from pathlib import Path

from app.lab.kit.described import LabPage, Section, Stage
from app.shell.notes import Notes
from attn_core.messages import N_

_HERE = Path(__file__).parent
_COMPARISON = _HERE.parents[1] / "explorer" / "compare" / "compare.css"
PAGE = LabPage(
    title=N_("Training"),
    about=N_("Watch a model learn where to attend"),
    order=100,
    question=N_("When does a model learn where to attend?"),
    first=N_(
        "Guess, then press play: after how many *updates* of its parameters do the maps show which word the "
        "model needs?"
    ),
    sections=(
        Section(
            Stage(_HERE / "training.js", "app.lab.training.control:choices", sheets=(_COMPARISON,)),
            note=N_(
                "Each map shows forced decoding: the model is given the words of the reference, so the rows stay the "
                "same. *p* is the probability of the row's word. In a model with a local window, the coloured mark in "
                "each row is the window's centre $p_t$. *Mean largest weight*: the largest attention weight of each "
                "target word, averaged over the four sentences; where it rises, the weights concentrate, and the maps "
                "show whether on the right words. The validation loss is the logarithm of the perplexity. The "
                "training loss includes label smoothing where the recipe has it. Training runs that you start on the "
                "command line in `runs/` appear here too."
            ),
        ),
    ),
    notes=Notes(
        (
            N_("Begin at the first snapshot: the maps are pale, because all words get nearly the same weight."),
            N_("Press play, and have the class call out when a row first puts its weight on the right word."),
            N_("Compare with the curves: does the loss fall while the weights concentrate?"),
        ),
        N_("Early and suddenly, within a small part of the training, while the loss is falling fast."),
        6,
    ),
    on_site=False,  # it follows trainings on this machine
)
